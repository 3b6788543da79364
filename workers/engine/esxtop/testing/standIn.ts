/** A VM of the stand-in's host: its name, and what its group used and waited, in % of one vCPU. */
export interface StandInVm {
  name: string;
  used: number;
  ready: number;
}

const host = '\\\\esx1.lab';
const vmColumns = ({ name }: StandInVm, at: number): string[] =>
  ['% Used', '% Ready', '% CoStop'].map(
    (counter) => `${host}\\Group Cpu(${73_000 + at}:${name})\\${counter}`,
  );
const device = (counter: string): string =>
  `${host}\\Physical Disk SCSI Device(naa.600a:1 (lab))\\${counter}`;
const port = (counter: string): string =>
  `${host}\\Network Port(vSwitch0:33554434:vmnic0)\\${counter}`;
const rest = [
  'Active Commands',
  'Queued Commands',
  'Device Q Depth',
  'Average Kernel MilliSec/Command',
];
const ports = ['Packets Received/sec', '% Received Packets Dropped'];

/**
 * A capture of our own making in the form of real ones: quoted heads with colons and parentheses in
 * names, columns nobody wants between those one does, a cell near the end that is not quoted like
 * the rest, and one after it that is not quoted at all.
 */
export function standInCapture(vms: readonly StandInVm[]): { head: string; row: string } {
  const quoted = (cells: readonly string[]): string => cells.map((one) => `"${one}"`).join(',');
  const head = quoted([
    '(PDH-CSV 4.0) (UTC)(0)',
    `${host}\\Memory\\Memory Overcommit (1 Minute Avg)`,
    `${host}\\Group Cpu(1:system)\\% Used`,
    ...vms.flatMap(vmColumns),
    ...rest.map(device),
    ...ports.map(port),
  ]);
  const figures = [
    '0.00',
    '98.10',
    ...vms.flatMap(({ used, ready }) => [used.toFixed(2), ready.toFixed(2), '0.00']),
    '31.00',
    '12.00',
    '32',
    '4.50',
    '1250.00',
    '0.25',
  ];
  return {
    head: `${head},   -"${host}\\PCPU Power State(PCPU 1)\\%C-State C0",   -`,
    // The time comes before it.
    row: `${quoted(figures)},    73.1"8.93",    73.3`,
  };
}

/**
 * `esxtop` as a program of a private sshd: prints the capture with fresh times, as often and as many
 * as it is told. Each start leaves a line in `started`; `vms` may be exchanged between two starts.
 */
export const standInProgram = (started: string, head: string, row: string): string =>
  [
    'd=5; n=1000000',
    'while [ $# -gt 0 ]; do case $1 in -d) d=$2; shift;; -n) n=$2; shift;; esac; shift; done',
    `echo "$$ $d $n" >>${started}`,
    // As a login that greets.
    'echo "The time and date of this login have been sent to the system logs."',
    `cat ${head}`,
    'i=0',
    'while [ $i -lt $n ]; do',
    `  printf '"%s",' "$(date -u '+%m/%d/%Y %H:%M:%S')"; cat ${row}`,
    '  i=$((i + 1)); [ $i -lt $n ] && sleep "$d"',
    'done',
    'exit 0',
  ].join('\n');
