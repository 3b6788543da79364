import JSZip from 'jszip';

import { runReport } from '../../../src/core/report/runReport.ts';
import { demoRun } from '../../../src/ui/pages/runs/testing/records.ts';
import { reportPptx } from './pptx.ts';
import { fontsDirOf } from './writers.ts';

const { record } = demoRun({ id: 'run-a', name: 'Nightly & <weekly>' });
const start = record.overview.startedAtMs!;
const report = runReport(
  { ...record, overview: { ...record.overview, origin: 'simulated' } },
  () => ({
    tMs: Float64Array.from({ length: 60 }, (_, i) => start + i * 1_000),
    value: Float64Array.from({ length: 60 }, (_, i) => 10 + (i % 5)),
  }),
);

test('five to eight slides with words to edit, a picture of the chart, the mark on each, and the same bytes each time', async () => {
  const dir = fontsDirOf('resources');
  const bytes = await reportPptx(report, dir);
  expect(Buffer.compare(bytes, await reportPptx(report, dir))).toBe(0);
  const zip = await JSZip.loadAsync(bytes);
  const names = Object.keys(zip.files).filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name));
  expect(names.length).toBeGreaterThanOrEqual(5);
  expect(names.length).toBeLessThanOrEqual(8);
  const slides = await Promise.all(names.map((name) => zip.file(name)!.async('string')));
  for (const slide of slides) expect(slide).toContain('<a:t>SIMULATED</a:t>');
  expect(slides[0]).toContain('Run Nightly &amp; &lt;weekly&gt;');
  expect(slides.join('')).toContain('<a:tbl>');
  const png = Object.keys(zip.files).filter((name) => name.endsWith('.png'));
  expect(png.length).toBeGreaterThan(0);
});
