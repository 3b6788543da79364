import { test } from '../fixtures/test.ts';
import { byMouse, connectByHand } from '../pages/connectWalk.ts';
import { countSteps, expectSteps } from '../pages/steps.ts';

test('the peers of two tiles are connected by hand in twenty-five steps', async ({
  tilebench,
  lab,
}) => {
  const person = countSteps();
  await connectByHand(tilebench.page, lab, byMouse(person));
  expectSteps('connections by mouse', person, { steps: 25, seconds: 120 });
});
