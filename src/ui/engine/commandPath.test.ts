import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve('src/ui');

function sources(dir: string): string[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = dir === '' ? entry.name : `${dir}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sources(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name) ? [path] : [];
  });
}

/**
 * A command that is refused must be seen. Pages hold a `Reader`, whose type knows no command, so
 * that each goes through a mutation, whose refusals one listener of the store shows (`store.ts`).
 * Those who say `refusal: 'here'` show it themselves, each seen in a test of its screen: add to
 * this list only with such a test.
 */
const shownWhereTheyStand: Readonly<Record<string, readonly string[]>> = {
  'pages/connections/SshConfigForm.tsx': ['connection.saveAll'],
  'pages/connections/useConnecting.ts': ['connection.test'],
  'pages/connections/useConnectionForm.ts': ['connection.save', 'connection.saveAll'],
  'pages/plans/usePlanCheck.ts': ['plan.check', 'plan.checkOne'],
  'pages/bundle/openBundle.ts': ['bundle.import', 'file.import', 'file.importStop'],
  'pages/presenter/prepareStory.ts': ['gallery.install', 'lab.pace', 'lab.pace', 'study.start'],
  'pages/presenter/storyEffects.ts': ['gallery.install', 'study.pause', 'study.start'],
  'pages/runs/RunAgainSheet.tsx': ['plan.check', 'run.start'],
  'pages/runs/RunActions.tsx': ['run.annotate'],
  'pages/runs/RunContent.tsx': ['run.actDone', 'run.esxtop', 'run.letRun', 'run.tidy'],
  'pages/runs/setReference.ts': ['plan.save'],
  // A look that fails is told by the state; a package that is refused, in its place.
  'pages/settings/Updates.tsx': ['update.check', 'update.hold'],
  'pages/detached/DetachedRun.tsx': ['run.actDone', 'run.letRun'],
};

test('a command that is refused is shown by the store, or where the list says', () => {
  const here = sources('')
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
    .filter(([path, text]) => path.startsWith('pages/') && text.includes("refusal: 'here'"))
    .map(([path, text]) => [
      path,
      [...text.matchAll(/\bsend\(\s*'([^']+)'/g)].map((found) => found[1]!).sort(),
    ]);
  expect(Object.fromEntries(here)).toEqual(shownWhereTheyStand);
});

test('the client that sends commands is in the hands of the store alone', () => {
  const holders = sources('').filter((path) =>
    /import [^;]*\bClient\b[^;]* from '[^']*wire\/contract\.ts'/.test(
      readFileSync(join(root, path), 'utf8'),
    ),
  );
  expect(holders).toEqual(['engine/bridge.ts', 'engine/services.ts']);
});

/**
 * Failures that are caught without a word, and why that is right. All others reach a mutation's
 * notice, their place, or `showUnheard`.
 */
const wordless: Readonly<Record<string, string>> = {
  'main.tsx': 'a part that is read ahead: asked for again at the click, which says why',
  'pages/presenter/fullScreen.ts': 'full screen refused: the window is filled, which is seen',
  'pages/plans/usePowerOn.tsx': 'the store told the refusal; the VMs are as they were',
  'pages/runs/AbortRun.tsx': 'the mutation showed it; the button is given back',
  'pages/designer/Designer.tsx': 'the clipboard refused: the board copies by itself',
  'pages/history/notes/markdownModel.ts': 'an address that is none is shown as text',
  'engine/bridge.ts': 'asked again; the banner says so meanwhile',
  'engine/store.ts': 'a damaged preference',
  'pages/live/boardPins.ts': 'a damaged arrangement',
  'pages/presenter/OwnStoryList.tsx': 'the mutation showed it; the list is as it was',
  'pages/presenter/ownStories.ts': 'what cannot be read is put aside before anything is written',
};

test('no failure is caught without a word but those that are listed', () => {
  const silent = sources('').filter((path) =>
    /\.catch\(\s*\(\)\s*=>|\bcatch \{/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(silent).toEqual(
    Object.keys(wordless).sort((a, b) => silent.indexOf(a) - silent.indexOf(b)),
  );
  expect(readFileSync(join(root, 'main.tsx'), 'utf8')).toContain(
    "addEventListener('unhandledrejection', showUnheard)",
  );
});

/**
 * React draws once for several changes: an effect that compares with what it saw before misses what
 * came and went between. What follows from a change belongs to the store or to the source of the
 * change.
 */
const remembering: Readonly<Record<string, string>> = {
  'pages/reports/ExportReport.tsx':
    'gives the focus back: where no draw came between, it was not lost',
};

test('no effect depends on having seen every state of what it follows', () => {
  const found = sources('').filter((path) =>
    /\.current = (\w+);\s*\}, \[[^\]]*\b\1\b/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(found).toEqual(Object.keys(remembering));
});
