import { filesOfJest, filesOfPlaywright } from './counts.ts';
import { lookAgain, type Looked } from './secondLook.ts';
import type { StageName } from './stages.ts';

const result = (name: StageName, failed: number, text = ''): Looked => ({
  name,
  passed: 5,
  failed,
  text,
  unsteady: [],
});
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
async function look(
  results: readonly Looked[],
  passesAlone: (file: string) => boolean = () => true,
) {
  const alone: string[] = [];
  const looked = await lookAgain(
    results,
    (name) => (name === 'lint' ? undefined : lines),
    async (name, file) => {
      alone.push(`${name} ${file}`);
      return passesAlone(file) ? { passed: 3, failed: 0 } : { passed: 2, failed: 1 };
    },
  );
  return { alone, looked };
}

test('nothing runs again where nothing failed', async () => {
  const results = [result('unit', 0), result('peers', 0)];
  expect(await look(results)).toEqual({ alone: [], looked: results });
});

test('a file that passes alone is unsteady, and its stage has not failed', async () => {
  const { alone, looked } = await look([result('unit', 0), result('peers', 2, 'a\nb')]);
  expect(alone).toEqual(['peers a', 'peers b']);
  expect(looked[1]).toMatchObject({ passed: 5, failed: 0, unsteady: ['a', 'b'] });
});

test('a file that fails again has failed, with all that failed beside it', async () => {
  const { looked } = await look([result('peers', 2, 'a\nb')], (file) => file === 'a');
  expect(looked[0]).toMatchObject({ failed: 2, unsteady: [] });
});

test.each([
  ['what no file is named for', [result('peers', 1), result('screens', 1, 'a')]],
  ['a stage that has no second look', [result('lint', 1, 'a'), result('peers', 1, 'b')]],
  ['more files than bad luck explains', [result('peers', 3, 'a\nb'), result('screens', 2, 'c\nd')]],
])('%s fails at once', async (_what, results) => {
  expect(await look(results)).toEqual({ alone: [], looked: results });
});

test('failed files are those that the tools name at their end', () => {
  const jest =
    'FAIL peers workers/a.peer.test.ts (3 s)\nPASS peers b\nFAIL peers workers/a.peer.test.ts\n';
  expect(filesOfJest(jest)).toBeNull();
  expect(filesOfJest(`${jest}Ran all test suites.`)).toEqual(['workers/a.peer.test.ts']);
  const story = '  ✘   3 [chromium] › e2e/specs/axe.spec.ts:13:1 › axe finds nothing (2.4m)\n';
  expect(filesOfPlaywright(story)).toBeNull();
  expect(filesOfPlaywright(`${story}  1 failed\n  2 did not run\n  5 passed (9m)`)).toBeNull();
  expect(filesOfPlaywright(`${story}  1 failed\n  5 passed (9m)`)).toEqual([
    'e2e/specs/axe.spec.ts',
  ]);
});
