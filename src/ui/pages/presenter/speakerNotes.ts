import { useEffect, useRef, useState } from 'react';
import * as z from 'zod';

/** What the second screen shows the speaker. */
export interface Spoken {
  /** Name of what is presented. */
  title: string;
  /** `3 of 11`. */
  place: string;
  /** What the room reads now; '' = nothing but the title. */
  headline: string;
  notes: string;
  /** What comes after a key; null = this is the last. */
  next: string | null;
}

const text = z.string().max(10_000);
const message = z.discriminatedUnion('k', [
  z.object({
    k: z.literal('said'),
    spoken: z.object({
      title: text,
      place: text,
      headline: text,
      notes: text,
      next: text.nullable(),
    }),
  }),
  /** A screen for notes was opened: who presents says again what is on. */
  z.object({ k: z.literal('asked') }),
  z.object({ k: z.literal('pressed'), action: z.enum(['next', 'previous']) }),
  /** Nothing is presented any more. */
  z.object({ k: z.literal('left') }),
]);
type Message = z.infer<typeof message>;

const channelName = 'tilebench.presenter';

/** A line between the windows of this program; null where there is none. */
function openChannel(onMessage: (message: Message) => void): {
  send: (message: Message) => void;
  close: () => void;
} | null {
  if (typeof BroadcastChannel === 'undefined') return null;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const read = message.safeParse(data);
    if (read.success) onMessage(read.data);
  };
  return {
    send: (sent) => channel.postMessage(sent),
    close: () => channel.close(),
  };
}

/** Tells the second screen what is on (null = nothing), and does what is pressed there. */
export function useTellNotes(
  spoken: Spoken | null,
  onPress: (action: 'next' | 'previous') => void,
): void {
  const now = useRef({ spoken, onPress });
  const line = useRef<ReturnType<typeof openChannel>>(null);
  useEffect(() => {
    const opened = openChannel((heard) => {
      if (heard.k === 'asked') opened?.send(saying(now.current.spoken));
      else if (heard.k === 'pressed' && now.current.spoken !== null)
        now.current.onPress(heard.action);
    });
    line.current = opened;
    return () => {
      opened?.send({ k: 'left' });
      opened?.close();
      line.current = null;
    };
  }, []);
  // By what it says: a new object of the same words is not told again.
  const words = JSON.stringify(spoken);
  useEffect(() => {
    now.current = { spoken: JSON.parse(words) as Spoken | null, onPress };
  }, [words, onPress]);
  useEffect(() => {
    line.current?.send(saying(JSON.parse(words) as Spoken | null));
  }, [words]);
}

const saying = (spoken: Spoken | null): Message =>
  spoken === null ? { k: 'left' } : { k: 'said', spoken };

/** What is on in the other window; null = nothing is presented. */
export function useHeardNotes(): {
  spoken: Spoken | null;
  press: (action: 'next' | 'previous') => void;
} {
  const [spoken, setSpoken] = useState<Spoken | null>(null);
  const line = useRef<ReturnType<typeof openChannel>>(null);
  useEffect(() => {
    const opened = openChannel((heard) => {
      if (heard.k === 'said') setSpoken(heard.spoken);
      else if (heard.k === 'left') setSpoken(null);
    });
    line.current = opened;
    opened?.send({ k: 'asked' });
    return () => {
      opened?.close();
      line.current = null;
    };
  }, []);
  return { spoken, press: (action) => line.current?.send({ k: 'pressed', action }) };
}
