/** What is needed of a standard stream of a program. */
export interface StandardStream {
  on(event: 'error', listener: (thrown: Error & { code?: string }) => void): unknown;
}

/**
 * Keeps a program alive whose words go nowhere: the reader has enough (`| head`), the terminal is
 * closed, the disk of a redirected log is full. What is left to say is not said, and the work goes
 * on to its end. `onLost` hears the system's code once, unless it was the reader who had enough.
 */
export function endureStream(
  stream: StandardStream,
  onLost: (code: string) => void = () => undefined,
): void {
  let lost = false;
  stream.on('error', ({ code, message }) => {
    if (lost || code === 'EPIPE') return;
    lost = true;
    onLost(code ?? message);
  });
}
