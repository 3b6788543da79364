import type { XyShape } from '../chart/xyModel.ts';
import type { PhaseName } from '../run/states.ts';
import type { KeyNumber } from '../score/keyNumbers.ts';

/** A report as data: every format is made from this, so that all say the same. */
export interface Report {
  /** What it is: `Run Nightly #3`. */
  title: string;
  /**
   * Why these results must not be compared: a red banner above all else, and a mark on every page.
   * Absent or without reasons = nothing to warn of.
   */
  banner?: { title: string; reasons: readonly string[] };
  /** SIMULATED, REPLAY, not compliant: each with its reason; shown first and on every page. */
  marks: readonly { word: string; reason: string }[];
  /** The verdict, one sentence. */
  sentence: string;
  /** What is asked for first, below the sentence. Absent = none. */
  numbers?: readonly KeyNumber[];
  facts: readonly (readonly [label: string, value: string])[];
  /** In the order of their parts. */
  sections: readonly ReportSection[];
  /** Print on pages that are wider than high: tables with many columns. */
  landscape?: boolean;
  /** Who made it, from what: the last line. */
  footer: string;
}
/** Shown in this order: notes, stage, figures, tables, charts, code. */
export interface ReportSection {
  title: string;
  /** `summary`: on the two pages that stand first, or alone; absent = behind them. */
  part?: 'summary';
  /** Begins a page of its own. */
  newPage?: true;
  notes: readonly string[];
  stage?: ReportStage;
  figures?: readonly ReportFigure[];
  tables: readonly ReportTable[];
  charts: readonly ReportChart[];
  code?: ReportCode;
}
/** Text to copy as it is; already redacted where the report is. */
export interface ReportCode {
  title: string;
  text: string;
}
/** What a cell says beside its text, which always says it in words too. */
export type Tone = 'good' | 'bad' | 'even' | 'strong';
export interface ReportTable {
  title: string;
  columns: readonly { label: string; align: 'left' | 'right' }[];
  /** As shown; `–` where there is no value. */
  rows: readonly (readonly string[])[];
  empty: string;
  /** Of each cell, in the places of `rows`; null or absent = none. */
  tones?: readonly (readonly (Tone | null)[])[];
  /** Where the figures come from, below the table. */
  note?: string;
}
export interface ReportLine {
  label: string;
  color: string;
  dash: readonly number[];
  tMs: Float64Array;
  value: Float64Array;
  decimals: number;
  /** Mean of the steady state, for legends; null = not measured, absent = the last value is told. */
  steady?: number | null;
  /** Further apart than this is a gap, and drawn as one. */ gapMs: number;
}
export interface ReportChart {
  title: string;
  unit: string;
  lines: readonly ReportLine[];
  /** Its line that stands out, by its place; the others are grey. Absent = each has its colour. */
  highlight?: number;
  limits: readonly { value: number; label: string }[];
  /** Relative to 0:00, in ms, as the lines' times. */
  phases: readonly { name: PhaseName; fromMs: number; toMs: number }[];
  /**
   * What happened, relative to 0:00, each by a number in the picture and in words; absent = none is
   * marked.
   */
  marks?: readonly { atMs: number; label: string; text: string }[];
  /** What the page is about: printed as high as a figure. */
  tall?: true;
  /** In words: what the picture shows, for who does not see it. */
  summary: string;
}

/** Hosts as racks with their VMs as blocks, at one moment. */
export interface ReportStage {
  title: string;
  racks: readonly {
    label: string;
    /** null = not measured. */ cpuPct: number | null;
    /** As shown: `62 % CPU`, `420 W`, `– W`. */
    cpu: string;
    watts: string;
    vms: number;
  }[];
  /** Places of each rack. */
  capacity: number;
  /** `pale`: without load. */
  blocks: readonly { host: number; slot: number; letter: string; color: string; pale: boolean }[];
  roles: readonly { label: string; letter: string; color: string }[];
  summary: string;
}

/** Quartiles, whiskers and mean of one place of a figure. */
export interface FigureBox {
  whiskerLow: number;
  q1: number;
  median: number;
  q3: number;
  whiskerHigh: number;
  mean: number;
}
export interface FigurePoint {
  x: number;
  y: number;
  /** Spread of repeats; null = one measurement. */ low: number | null;
  high: number | null;
  /** What is wrong with it, in a word. */ flaw: string | null;
  /** All of it in words, for readout. */ text: string;
  box?: FigureBox;
}
export interface FigureSeries {
  label: string;
  color: string;
  dash: readonly number[];
  /** null = a line without points. */ shape: XyShape | null;
  /** Published, not measured here: drawn hollow. */ hollow: boolean;
  line: 'straight' | 'step' | 'none';
  fill: boolean;
  /** Against the axis at the right. */ right?: boolean;
  points: readonly FigurePoint[];
}
/** Values against something that is not time. */
export interface ReportFigure {
  title: string;
  unit: string;
  xLabel: string;
  xUnit: string;
  /** Names of the places 0, 1, … of the axis; null = a number axis. */
  places: readonly string[] | null;
  /** Numbers the axis has ticks at; empty = nice ones. */
  ticks: readonly number[];
  /** Values are shares of 1, shown in percent. */
  percent: boolean;
  fromZero: boolean;
  /** What the axis at the right is of; absent = there is none. */
  right?: { label: string; unit: string };
  series: readonly FigureSeries[];
  bands: readonly { from: number; to: number; label: string; faint: boolean }[];
  marks: readonly { at: number; label: string }[];
  summary: string;
  /** Half as wide as the page: two of them stand side by side. */
  half?: boolean;
}

/** Words on every page: the banner's, then the marks'. */
export const markWords = ({ banner, marks }: Pick<Report, 'banner' | 'marks'>): string[] => [
  ...(banner !== undefined && banner.reasons.length > 0 ? ['NOT COMPARABLE'] : []),
  ...marks.map((m) => m.word),
];
