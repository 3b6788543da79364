import type { MetricName } from '../../../core/metric/metric.ts';
import type { NumberKey } from './numbers.ts';

/** What a step shows beside its sentence and numbers. */
export type StepView =
  /**
   * The study's curve of one measure: the first of the wanted that the study has. `upTo` hides
   * points beyond that value of the first axis, `only` every curve but that value of the second;
   * numbers are of the curve `numbersOf`. `knees` shows what the app found in it.
   */
  | {
      kind: 'curve';
      measures: readonly string[];
      upTo?: number;
      only?: string;
      numbersOf?: string;
      knees?: boolean;
    }
  /**
   * The newest run of the study over its time: charts of these metrics, the first that the run has
   * of each. `result`: once it has ended, numbers are the study's, over the steady state.
   */
  | { kind: 'run'; metrics: readonly (readonly MetricName[])[]; result?: boolean }
  | { kind: 'words' };

/** When a step is done by itself. A key always goes on. */
export type StepEnd = { on: 'key' } | { on: 'value'; atLeast: number } | { on: 'done' };

export interface StoryStep {
  id: string;
  /** Entry of the gallery whose study is on screen. */
  galleryId: string;
  /** What the presenter says, short enough to be read from the last row. */
  sentence: string;
  /** Numbers in this order, as far as the study gives them. */
  numbers: readonly NumberKey[];
  view: StepView;
  /**
   * Virtual seconds a second for its study instead of the story's: a run that is watched must not
   * flash by.
   */
  speed?: number;
  /**
   * The study is installed and runs while this step is on; stored results are used where there are
   * any.
   */
  runs: boolean;
  end: StepEnd;
}
export interface Story {
  id: string;
  title: string;
  about: string;
  /** Virtual seconds a second while its studies run. */ speed: number;
  steps: readonly StoryStep[];
}

const scaling: readonly NumberKey[] = ['tiles', 'vms', 'users', 'transactions', 'scaling'];
/** Scaling with VMs moved by DRS, alone or beside placement by hand. */
const drs = (upTo: number): StepView => ({ kind: 'curve', measures: ['score'], upTo, only: 'drs' });
const both = (upTo: number, knees = false): StepView => ({
  kind: 'curve',
  measures: ['score'],
  upTo,
  numbersOf: 'drs',
  ...(knees ? { knees } : {}),
});
/** Throughput of the file servers together. */
const fileServer: readonly string[] = ['throughput.file.sum'];

/**
 * Scripts to present, as data. Sentences are our own; figures called published are those of the
 * study named on screen, everything drawn as a line comes from the model of the simulated lab.
 */
export const stories: readonly Story[] = [
  {
    id: 'consolidation',
    title: 'From one tile to a full cluster',
    speed: 3_600,
    about:
      'How far a cluster scales, what stops it, and what it costs in watts: the studies E01, ' +
      'E11 and E03 in eleven steps.',
    steps: [
      {
        id: 'tile',
        galleryId: 'E01',
        sentence:
          'One tile: six machines with mail, Java, web, database, files and a standby. What it does is 1.0.',
        numbers: scaling,
        view: drs(1),
        runs: true,
        end: { on: 'key' },
      },
      {
        id: 'linear',
        galleryId: 'E01',
        sentence: 'While nothing is short, four tiles do the work of four. Published: 4.0.',
        numbers: scaling,
        view: drs(4),
        runs: true,
        end: { on: 'key' },
      },
      {
        id: 'nearlyFull',
        galleryId: 'E01',
        sentence: 'Sixteen tiles on four servers, 96 machines under load. Published: 15.2.',
        numbers: scaling,
        view: drs(16),
        runs: true,
        end: { on: 'key' },
      },
      {
        id: 'full',
        galleryId: 'E01',
        sentence:
          'At seventeen every host is out of CPU. Published: 15.9, and 16.5 when placed by hand.',
        numbers: scaling,
        view: both(17),
        runs: true,
        end: { on: 'key' },
      },
      {
        id: 'beyond',
        galleryId: 'E01',
        sentence: 'Three more tiles find no more work done, and none undone: the cluster holds.',
        numbers: scaling,
        view: both(20, true),
        runs: true,
        end: { on: 'key' },
      },
      {
        id: 'disks',
        galleryId: 'E11',
        sentence:
          'One server, six disks. Either all file servers share them, or each tile gets two of its own.',
        numbers: ['tiles', 'vms', 'scaling'],
        view: { kind: 'curve', measures: fileServer, upTo: 1, numbersOf: 'single' },
        runs: true,
        end: { on: 'key' },
      },
      {
        id: 'shared',
        galleryId: 'E11',
        sentence:
          'Alone, six disks win. In company, neat streams turn into random ones. Published, shared: 35, 29, 23 MB/s.',
        numbers: ['tiles', 'vms', 'scaling'],
        view: { kind: 'curve', measures: fileServer, upTo: 3, only: 'single' },
        runs: true,
        end: { on: 'key' },
      },
      {
        id: 'apart',
        galleryId: 'E11',
        sentence:
          'With a LUN of its own each tile keeps its stream: slower at one tile, ahead at ' +
          'three. Published: 12.5, 26, 38 MB/s.',
        numbers: ['tiles', 'vms', 'scaling'],
        view: { kind: 'curve', measures: fileServer, upTo: 3, numbersOf: 'separate' },
        runs: true,
        end: { on: 'key' },
      },
      {
        id: 'ramp',
        galleryId: 'E03',
        speed: 600,
        sentence:
          'Eight tiles, 48 machines, one power meter. For an hour tile after tile goes under load.',
        numbers: ['tiles', 'vms', 'wattsPerVm'],
        view: { kind: 'run', metrics: [['powerW'], ['cpuPct']] },
        runs: true,
        end: { on: 'key' },
      },
      {
        id: 'steady',
        galleryId: 'E03',
        speed: 600,
        sentence: 'Then three steady hours. Published: about 830 W on average, 850 W at most.',
        numbers: ['tiles', 'vms', 'wattsPerVm'],
        view: { kind: 'run', metrics: [['powerW'], ['cpuPct']] },
        runs: true,
        end: { on: 'key' },
      },
      {
        id: 'watts',
        galleryId: 'E03',
        speed: 600,
        sentence: 'Published: 17.5 W for a server that used to be a machine of its own.',
        numbers: ['tiles', 'vms', 'wattsPerVm'],
        view: { kind: 'run', metrics: [['powerW'], ['cpuPct']], result: true },
        runs: true,
        end: { on: 'key' },
      },
    ],
  },
  {
    id: 'hands-free',
    title: 'A cluster fills up by itself',
    speed: 3_600,
    about:
      'The study E01 without a hand on the keys: each step goes on when the study has got there.',
    steps: [
      {
        id: 'first',
        galleryId: 'E01',
        sentence: 'One tile of six machines is the measure: 1.0.',
        numbers: scaling,
        view: drs(20),
        runs: true,
        end: { on: 'value', atLeast: 1 },
      },
      {
        id: 'filling',
        galleryId: 'E01',
        sentence:
          'Tile after tile is added. As long as no host is full, the curve is a straight line.',
        numbers: scaling,
        view: drs(20),
        runs: true,
        end: { on: 'value', atLeast: 16 },
      },
      {
        id: 'knee',
        galleryId: 'E01',
        sentence: 'The hosts run out of CPU, and the line bends.',
        numbers: scaling,
        view: drs(20),
        runs: true,
        end: { on: 'done' },
      },
      {
        id: 'flat',
        galleryId: 'E01',
        sentence: 'Beyond the knee more load changes nothing: it neither gains nor loses.',
        numbers: scaling,
        view: both(20, true),
        runs: true,
        end: { on: 'key' },
      },
    ],
  },
];
