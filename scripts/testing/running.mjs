/**
 * A reporter of Jest that says what runs: a line a test as it ends; when none has ended for a
 * while, which suites are at what; and when none ever ends, it ends the run with their names.
 */
const quietMinutes = 2;
const hangMinutes = 15;

export default class RunningReporter {
  #running = new Map();
  #timer = null;
  #lastEndMs = Date.now();

  onRunStart() {
    this.#lastEndMs = Date.now();
    this.#timer = setInterval(() => this.#tellQuiet(), quietMinutes * 60_000);
    this.#timer.unref();
  }
  onTestFileStart({ path }) {
    this.#running.set(path, { at: 'its start', sinceMs: Date.now() });
  }
  onTestCaseStart({ path }, { fullName }) {
    this.#running.set(path, { at: fullName, sinceMs: Date.now() });
  }
  onTestCaseResult({ path }, { fullName, status, duration }) {
    this.#lastEndMs = Date.now();
    this.#running.set(path, { at: `what follows "${fullName}"`, sinceMs: Date.now() });
    const seconds = ((duration ?? 0) / 1_000).toFixed(1);
    process.stdout.write(`  ${status} ${shortOf(path)} › ${fullName} (${seconds} s)\n`);
  }
  onTestFileResult({ path }) {
    this.#running.delete(path);
  }
  onRunComplete() {
    clearInterval(this.#timer);
  }

  #tellQuiet() {
    const minutes = (Date.now() - this.#lastEndMs) / 60_000;
    if (minutes < quietMinutes) return;
    const running = [...this.#running].map(
      ([path, { at, sinceMs }]) =>
        `  ${shortOf(path)} › ${at} (${Math.round((Date.now() - sinceMs) / 1_000)} s)`,
    );
    process.stdout.write(
      `  No test has ended for ${Math.round(minutes)} minutes. Running:\n${running.join('\n')}\n`,
    );
    if (minutes < hangMinutes) return;
    process.stdout.write('  That is a hang: ended.\n');
    process.exit(1);
  }
}

const shortOf = (path) => path.slice(process.cwd().length + 1);
