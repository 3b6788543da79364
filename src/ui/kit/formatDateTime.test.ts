import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatDateTime } from './formatDateTime.ts';

test('a moment has one form in all windows, whatever the language of the machine', () => {
  expect(formatDateTime(new Date(2026, 0, 6, 9, 5).getTime())).toBe('2026-01-06 09:05');
  const folder = join(process.cwd(), 'src/ui');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(200);
  const own = files.filter((name) =>
    /toLocale(Time|Date)String|new Date\([^)]*\)\.toLocaleString/.test(
      readFileSync(join(folder, name), 'utf8'),
    ),
  );
  expect(own).toEqual([]);
});
