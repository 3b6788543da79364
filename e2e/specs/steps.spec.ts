import { test } from '../fixtures/test.ts';
import { byMouse } from '../pages/connectWalk.ts';
import { mendAndLaunch, plantMistakes } from '../pages/mendWalk.ts';
import { abortRun } from '../pages/run.ts';
import { countSteps, expectSteps } from '../pages/steps.ts';

test('a wrong parameter and a VM that is off are found and mended in ten steps', async ({
  tilebench,
  lab,
}) => {
  await plantMistakes(tilebench, lab);
  const person = countSteps();
  await mendAndLaunch(tilebench.page, lab, byMouse(person));
  expectSteps('two mistakes by mouse', person, { steps: 10, seconds: 240 });
  await abortRun(tilebench.page);
});
