interface SampleForm {
  /** In menus. */
  label: string;
  suffix: string;
  /** What progress counts. */
  unit: 'series' | 'seconds' | 'acts';
}
/**
 * Forms in which the figures of a run leave: every sample, or what its acts did. By the word that the wire and the command line have
 * for it, in the order of menus. What writes each is in `workers/engine/exports/writers.ts`.
 */
export const sampleForms = {
  csv: { label: 'CSV, every sample', suffix: 'csv', unit: 'series' },
  'csv-wide': { label: 'CSV, a row a second', suffix: 'wide.csv', unit: 'seconds' },
  json: { label: 'JSON, every sample', suffix: 'json', unit: 'series' },
  parquet: { label: 'Parquet, every sample', suffix: 'parquet', unit: 'series' },
  'csv-acts': { label: 'CSV, what acts did', suffix: 'acts.csv', unit: 'acts' },
} as const satisfies Readonly<Record<string, SampleForm>>;
export type SampleFormat = keyof typeof sampleForms;

interface ReportForm {
  /** By itself, where it is already said that it is a report. */
  label: string;
  /** What it is for. */
  note: string;
  suffix: string;
  /** Other endings of a file's name that mean it. */
  alsoSuffixes: readonly string[];
  /** It can be had as a summary or in full; false = it has a length of its own. */
  hasLengths: boolean;
}
/** Forms of a report, as above. What writes each is in `workers/engine/reports/writers.ts`. */
export const reportForms = {
  html: {
    label: 'HTML',
    note: 'One file for any browser, offline; charts answer.',
    suffix: 'html',
    alsoSuffixes: ['htm'],
    hasLengths: true,
  },
  pdf: {
    label: 'PDF',
    note: 'A4 pages, to print or send.',
    suffix: 'pdf',
    alsoSuffixes: [],
    hasLengths: true,
  },
  pptx: {
    label: 'PowerPoint',
    note: 'Five to eight slides of the summary: words and tables to edit, charts as pictures.',
    suffix: 'pptx',
    alsoSuffixes: [],
    hasLengths: false,
  },
  markdown: {
    label: 'Markdown',
    note: 'Text for a ticket or a wiki; charts in words.',
    suffix: 'md',
    alsoSuffixes: ['markdown'],
    hasLengths: true,
  },
} as const satisfies Readonly<Record<string, ReportForm>>;
export type ReportFormat = keyof typeof reportForms;

/** How much of a report is written, in the order of choices. */
export const reportLengths = {
  summary: {
    label: 'Summary (two pages)',
    note: 'The verdict, three numbers, the worst chart, what differs; tile by tile, hosts, events.',
  },
  full: {
    label: 'Full',
    note: 'The summary first; then every chart, table and event, and all steps of the arithmetic.',
  },
} as const satisfies Readonly<Record<string, { label: string; note: string }>>;
export type ReportLength = keyof typeof reportLengths;
export const reportLengthNames = Object.keys(reportLengths) as ReportLength[];

export const sampleFormats = Object.keys(sampleForms) as SampleFormat[];
export const reportFormats = Object.keys(reportForms) as ReportFormat[];
/** Those that can be had as a summary. */
export const summaryFormats = reportFormats.filter((format) => reportForms[format].hasLengths);

export const isSampleFormat = (format: string): format is SampleFormat =>
  Object.hasOwn(sampleForms, format);
export const isReportFormat = (format: string): format is ReportFormat =>
  Object.hasOwn(reportForms, format);

/** The form that the ending of a file's name asks for; null = none. */
export const reportFormatOfSuffix = (suffix: string): ReportFormat | null =>
  reportFormats.find((format) => {
    const form: ReportForm = reportForms[format];
    return [form.suffix, ...form.alsoSuffixes].includes(suffix.toLowerCase());
  }) ?? null;
