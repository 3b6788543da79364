interface ImportForm {
  /** In lists and in the run's record. */
  title: string;
  /** Endings such files have, for the dialog that chooses one; the format is told from the file. */
  extensions: readonly string[];
  /** The file tells of many devices, and the importer can leave out those not wanted. */
  hasDevices: boolean;
}
const logs = ['log', 'txt', 'out'];
/**
 * Files of other tools that become runs, in the order in which a file is held against them. What
 * reads each is in `workers/engine/imports/importers.ts`.
 */
export const importForms = {
  esxtop: { title: 'esxtop batch CSV', extensions: ['csv'], hasDevices: true },
  iometer: { title: 'Iometer results CSV', extensions: ['csv'], hasDevices: false },
  fio: { title: 'fio JSON', extensions: ['json', ...logs], hasDevices: false },
  dvdstore: { title: 'DVD Store log', extensions: logs, hasDevices: false },
  dbench: { title: 'dbench log', extensions: logs, hasDevices: false },
  sysbench: { title: 'sysbench log', extensions: logs, hasDevices: false },
  tilekit: { title: 'tilekit output', extensions: ['ndjson', ...logs], hasDevices: false },
  pgbench: { title: 'pgbench output', extensions: logs, hasDevices: false },
  pgbenchLog: { title: 'pgbench transaction log', extensions: logs, hasDevices: false },
  iperf3: { title: 'iperf3 JSON', extensions: ['json', ...logs], hasDevices: false },
  iperf3Text: { title: 'iperf3 output', extensions: logs, hasDevices: false },
  sockperf: { title: 'sockperf output', extensions: ['csv', ...logs], hasDevices: false },
  h2load: { title: 'h2load output', extensions: logs, hasDevices: false },
  wrk: { title: 'wrk output', extensions: logs, hasDevices: false },
  k6: { title: 'k6 output', extensions: ['json', 'csv', ...logs], hasDevices: false },
  jmeter: { title: 'JMeter CSV', extensions: ['jtl', 'csv'], hasDevices: false },
  jmeterXml: { title: 'JMeter XML', extensions: ['jtl', 'xml'], hasDevices: false },
} as const satisfies Readonly<Record<string, ImportForm>>;
export type ImportId = keyof typeof importForms;

export const importIds = Object.keys(importForms) as ImportId[];
export const importTitles: readonly string[] = importIds.map((id) => importForms[id].title);
/** Endings of all of them, each once. */
export const importExtensions: readonly string[] = [
  ...new Set(importIds.flatMap((id) => importForms[id].extensions)),
];
/** Those that take a choice of devices. */
export const deviceTitles: readonly string[] = importIds
  .filter((id) => importForms[id].hasDevices)
  .map((id) => importForms[id].title);
