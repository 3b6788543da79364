/*
 * Loaded before an application that is timed: writes when its first page has painted an element, by
 * the clock of the machine, on a line of its own. The page looks itself, at every frame, and no
 * debugger hangs on it: one makes a start a fifth longer, and sees its end up to 100 ms late.
 */
const { app } = require('electron');

const [selector, text] = JSON.parse(process.env.BENCH_SHOWN);
/** Runs in the page. */
const look = (wantedSelector, wantedText) =>
  new Promise((done) => {
    const again = () => {
      const found = [...document.querySelectorAll(wantedSelector)].some(
        ({ textContent }) => textContent === wantedText,
      );
      requestAnimationFrame(found ? () => done(Date.now()) : again);
    };
    again();
  });

app.once('web-contents-created', (_event, contents) => {
  contents
    .executeJavaScript(`(${String(look)})(${JSON.stringify(selector)}, ${JSON.stringify(text)})`)
    .then((atMs) => process.stdout.write(`shown at ${atMs} by ${process.pid}\n`));
});
