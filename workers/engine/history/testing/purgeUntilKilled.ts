import { openDatabase } from '../../db/open.ts';
import { silentLog } from '../../deps.ts';

/** Purges what lies in Deleted, and asks to be killed after so many steps; goes on meanwhile. */
const [dataDir, steps] = process.argv.slice(2) as [string, string];
const db = openDatabase({
  dataDir,
  clock: { now: () => 1, sleep: () => Promise.resolve() },
  log: silentLog,
});
const [next] = db.history.rows('deleted');
if (next) db.purges.begin([{ kind: next.kind, id: next.id }]);
let done = 0;
if (Number(steps) === 0) process.send!('now');
const work = (): void => {
  const [item] = db.purges.pending();
  if (item) db.purges.step(item, 40);
  done += 1;
  if (done === Number(steps)) process.send!('now');
  setImmediate(work);
};
work();
