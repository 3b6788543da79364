import { test } from '../fixtures/test.ts';
import { byKeys, connectByHand } from '../pages/connectWalk.ts';
import { beTheStandbyVm, prepareAndPutBack } from '../pages/guestWalk.ts';
import { mendAndLaunch, plantMistakes } from '../pages/mendWalk.ts';
import { announceLab, practiceToComparison } from '../pages/practiceWalk.ts';
import { abortRun } from '../pages/run.ts';
import { countSteps, expectSteps } from '../pages/steps.ts';

test('the peers of two tiles are connected by keys alone in twenty-five steps', async ({
  tilebench,
  lab,
}) => {
  const person = countSteps();
  await connectByHand(tilebench.page, lab, byKeys(person));
  expectSteps('connections by keys', person, { steps: 25, seconds: 180 });
});

test('two planted mistakes are found and mended by keys alone in ten steps', async ({
  tilebench,
  lab,
}) => {
  await plantMistakes(tilebench, lab);
  const person = countSteps();
  await mendAndLaunch(tilebench.page, lab, byKeys(person));
  expectSteps('two mistakes by keys', person, { steps: 10, seconds: 360 });
  await abortRun(tilebench.page);
});

test('from the first start to a comparison of two runs of the practice lab by keys alone', async ({
  tilebench,
  lab,
}) => {
  announceLab(lab);
  const person = countSteps();
  await practiceToComparison(tilebench.page, byKeys(person));
  expectSteps('practice lab by keys', person, { steps: 20, seconds: 480 });
});

test('a machine is prepared as a guest, watched and put back by keys alone', async ({
  tilebench,
  lab,
}) => {
  test.skip(process.getuid?.() !== 0, 'Preparing a machine needs root on it, which is this one.');
  announceLab(lab);
  await beTheStandbyVm(lab);
  const person = countSteps();
  await prepareAndPutBack(tilebench.page, lab, person, byKeys(person));
  expectSteps('a guest by keys', person, { steps: 18, seconds: 240 });
});
