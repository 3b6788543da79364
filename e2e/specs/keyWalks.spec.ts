import { test } from '../fixtures/test.ts';
import { byKeys, connectByHand } from '../pages/connectWalk.ts';
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
