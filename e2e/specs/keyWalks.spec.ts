import { test } from '../fixtures/test.ts';
import { byKeys, connectByHand } from '../pages/connectWalk.ts';
import { countSteps, expectSteps } from '../pages/steps.ts';

test('the peers of two tiles are connected by keys alone in twenty-five steps', async ({
  tilebench,
  lab,
}) => {
  const person = countSteps();
  await connectByHand(tilebench.page, lab, byKeys(person));
  expectSteps('connections by keys', person, { steps: 25, seconds: 180 });
});
