import type { KeyboardEvent, ReactNode } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { GalleryItem } from '../../../core/study/study.ts';
import styles from './testbedPicture.module.css';

type Testbed = GalleryItem['testbed'];
const rowPx = 40;
const gapPx = 8;
/** Rows that are drawn; what can be changed has more of them. */
const shownRows = { hosts: 4, arrays: 3 };
const pressedRows = { hosts: 14, arrays: 8 };
const shownLuns = 8;

/** The testbed in one sentence: what the picture shows, uncut, and for whom it is not a picture. */
export function testbedText({ hosts, arrays, clients, vms }: Testbed): string {
  const count = hosts.reduce((sum, h) => sum + countOf(h.name), 0);
  const named =
    hosts.length <= shownRows.hosts
      ? hosts.map((h) => `${h.name} (${h.text})`).join(', ')
      : `${hosts
          .slice(0, 2)
          .map((h) => `${h.name} (${h.text})`)
          .join(', ')} and ${hosts.length - 2} more`;
  const storage =
    arrays.length === 0
      ? 'no shared storage'
      : arrays.map((a) => `${a.name} with ${counted(a.luns, 'LUN')} (${a.text})`).join(', ');
  return (
    `${counted(count, 'host')}: ${named}; ${storage}; ` +
    `${clients === 0 ? 'no client machine' : counted(clients, 'client machine')}; ` +
    `${counted(vms, 'VM')}.`
  );
}

/** Equal machines are told once: `64 × Blade server`. */
const countOf = (name: string): number => Number(/^(\d+) × /.exec(name)?.[1] ?? 1);

interface HostRow {
  key: string;
  name: string;
  text: string;
  /** Stands for those that are not drawn. */
  more: boolean;
}
interface ArrayRow extends HostRow {
  luns: number;
}
/** Where boxes stand: each column is centred, `y` is the top of its boxes. */
interface Layout {
  heightPx: number;
  clientY: number;
  hosts: readonly (HostRow & { y: number })[];
  arrays: readonly (ArrayRow & { y: number })[];
}

const hostStepPx = rowPx + gapPx;
const arrayPx = rowPx + 18;
const arrayStepPx = arrayPx + gapPx;

/** The first of some things, and where they are too many one row for the rest of them. */
function firstRows<T extends object>(
  all: readonly T[],
  shown: number,
  rest: (count: number) => T,
): (T & { key: string; more: boolean })[] {
  const first = all.length > shown ? shown - 1 : all.length;
  return [
    ...all.slice(0, first).map((one, i) => ({ ...one, key: String(i), more: false })),
    ...(first < all.length ? [{ ...rest(all.length - first), key: 'more', more: true }] : []),
  ];
}

function layoutOf({ hosts, arrays, clients }: Testbed, shown: typeof shownRows): Layout {
  const hostRows = firstRows(hosts, shown.hosts, (count) => ({
    name: `${count} more hosts`,
    text: '',
  }));
  const arrayRows = firstRows(arrays, shown.arrays, (count) => ({
    name: `${count} more arrays`,
    text: '',
    luns: 0,
  }));
  const tallest = Math.max(
    hostRows.length * hostStepPx,
    arrayRows.length * arrayStepPx,
    clients === 0 ? 0 : hostStepPx,
  );
  const centred = (index: number, count: number, step: number): number =>
    22 + (tallest - count * step) / 2 + index * step;
  return {
    heightPx: tallest + 26,
    clientY: centred(0, 1, hostStepPx),
    hosts: hostRows.map((h, i) => ({ ...h, y: centred(i, hostRows.length, hostStepPx) })),
    arrays: arrayRows.map((a, i) => ({ ...a, y: centred(i, arrayRows.length, arrayStepPx) })),
  };
}

/** A part of the picture that can be changed: a row of equal machines, or links of all hosts. */
export type Part =
  { kind: 'host' | 'array'; row: number } | { kind: 'networkLinks' } | { kind: 'storageLinks' };
/** Makes the parts of the picture buttons. */
interface Pressing {
  chosen: Part | null;
  onPress: (part: Part) => void;
  /** It has the page to itself. */
  large?: boolean;
}

/** A part as it stands in an address: `host.0`. */
export const partText = (part: Part): string =>
  'row' in part ? `${part.kind}.${part.row}` : part.kind;
/** The part that an address names; null = none. */
export function parsePart(text: string | null): Part | null {
  if (text === 'networkLinks' || text === 'storageLinks') return { kind: text };
  const [, kind, row] = /^(host|array)\.(\d{1,3})$/.exec(text ?? '') ?? [];
  return kind === 'host' || kind === 'array' ? { kind, row: Number(row) } : null;
}

/**
 * Clients, hosts and arrays from left to right, as the load goes. Many hosts are counted, not
 * drawn. With `pressing` each part is a button.
 */
export function TestbedPicture({ testbed, pressing }: { testbed: Testbed; pressing?: Pressing }) {
  const { arrays, clients, vms } = testbed;
  const layout = layoutOf(testbed, pressing === undefined ? shownRows : pressedRows);
  const press = (part: Part, name: string, children: ReactNode): ReactNode =>
    pressing === undefined ? (
      children
    ) : (
      <Press
        key={partText(part)}
        name={name}
        pressed={pressing.chosen !== null && partText(part) === partText(pressing.chosen)}
        onPress={() => pressing.onPress(part)}
      >
        {children}
      </Press>
    );
  // A picture that leaves nothing out says it all: the sentence is for who does not see it.
  const isWhole = ![...layout.hosts, ...layout.arrays].some(({ more }) => more);
  return (
    <figure className={styles.figure} aria-label="Testbed">
      <svg
        viewBox={`${clients === 0 ? 152 : 0} 0 ${clients === 0 ? 518 : 670} ${layout.heightPx}`}
        {...(pressing === undefined
          ? { 'aria-hidden': true }
          : { role: 'group', 'aria-label': 'Parts of the lab' })}
        className={styles.picture}
        style={{ maxWidth: (clients === 0 ? 570 : 740) * (pressing?.large ? 1.35 : 1) }}
      >
        <Caption x={60} text={clients === 0 ? '' : 'Clients'} />
        <Caption x={305} text={`Hosts, ${counted(vms, 'VM')}`} />
        <Caption x={582} text={arrays.length === 0 ? '' : 'Storage'} />
        {clients > 0 &&
          press(
            { kind: 'networkLinks' },
            'Network links of the hosts',
            <NetworkWires layout={layout} reach={pressing !== undefined} />,
          )}
        {arrays.length > 0 &&
          press(
            { kind: 'storageLinks' },
            'Storage links of the hosts',
            <StorageWires layout={layout} reach={pressing !== undefined} />,
          )}
        {clients > 0 && <Clients y={layout.clientY} count={clients} />}
        {layout.hosts.map((h, row) => {
          const box = <Host key={h.key} row={h} y={h.y} />;
          return h.more ? box : press({ kind: 'host', row }, `${h.name}, ${h.text}`, box);
        })}
        {layout.arrays.map((a, row) => {
          const box = <StorageArray key={a.key} row={a} y={a.y} />;
          return a.more
            ? box
            : press({ kind: 'array', row }, `${a.name}, ${a.text}, ${counted(a.luns, 'LUN')}`, box);
        })}
      </svg>
      <figcaption className={styles.sentence} data-said={isWhole || undefined}>
        {testbedText(testbed)}
      </figcaption>
    </figure>
  );
}

function Caption({ x, text }: { x: number; text: string }) {
  return (
    <text x={x} y={12} textAnchor="middle" className={styles.caption}>
      {text}
    </text>
  );
}

/** A part of the drawing that is pressed by mouse, Enter or Space. */
function Press({
  name,
  pressed,
  onPress,
  children,
}: {
  name: string;
  pressed: boolean;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <g
      role="button"
      tabIndex={0}
      aria-label={name}
      aria-pressed={pressed}
      className={styles.press}
      onClick={onPress}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onPress();
      }}
    >
      {children}
    </g>
  );
}

/** A line, and around it where it can be pressed. */
const Wire = ({ d, reach }: { d: string; reach: boolean }) => (
  <>
    {reach && <path d={d} className={styles.reach} />}
    <path d={d} className={styles.wire} />
  </>
);

/** From the clients to every host. */
function NetworkWires({ layout: { clientY, hosts }, reach }: { layout: Layout; reach: boolean }) {
  const fromY = clientY + rowPx / 2;
  return hosts.map((h) => {
    const y = h.y + rowPx / 2;
    return <Wire key={h.key} reach={reach} d={`M116 ${fromY}C136 ${fromY} 136 ${y} 156 ${y}`} />;
  });
}

/** From every host to every array. */
function StorageWires({ layout: { hosts, arrays }, reach }: { layout: Layout; reach: boolean }) {
  return hosts.flatMap((h) =>
    arrays.map((a) => {
      const y = h.y + rowPx / 2;
      const toY = a.y + rowPx / 2 + 4;
      return (
        <Wire
          key={`${h.key} ${a.key}`}
          reach={reach}
          d={`M454 ${y}C472 ${y} 472 ${toY} 490 ${toY}`}
        />
      );
    }),
  );
}

function Clients({ y, count }: { y: number; count: number }) {
  return (
    <g>
      <rect x={4} y={y} width={112} height={rowPx} rx={4} className={styles.box} />
      <rect x={14} y={y + 9} width={24} height={16} rx={2} className={styles.part} />
      <path d={`M22 ${y + 30}h8M26 ${y + 25}v5`} className={styles.ink} />
      <text x={46} y={y + 24} className={styles.name}>{`× ${count}`}</text>
    </g>
  );
}

function Host({ row, y }: { row: HostRow; y: number }) {
  return (
    <g>
      <rect
        x={156}
        y={y}
        width={298}
        height={rowPx}
        rx={4}
        className={row.more ? styles.more : styles.box}
      />
      {!row.more && (
        <>
          <path
            d={`M164 ${y + 10}h10M164 ${y + 16}h10M164 ${y + 22}h10M164 ${y + 28}h10`}
            className={styles.ink}
          />
          <circle cx={181} cy={y + 10} r={2} className={styles.lamp} />
        </>
      )}
      <text
        x={row.more ? 305 : 190}
        y={row.text === '' ? y + 24 : y + 17}
        textAnchor={row.more ? 'middle' : 'start'}
        className={styles.name}
      >
        {clip(row.name, 38)}
      </text>
      <Detail x={190} y={y + 31} text={row.text} room={46} />
    </g>
  );
}

function StorageArray({ row, y }: { row: ArrayRow; y: number }) {
  const luns = Math.min(row.luns, shownLuns);
  return (
    <g>
      <rect
        x={490}
        y={y}
        width={176}
        height={arrayPx}
        rx={4}
        className={row.more ? styles.more : styles.box}
      />
      <text x={498} y={y + 16} className={styles.name}>
        {clip(row.name, 24)}
      </text>
      <Detail x={498} y={y + 29} text={row.text} room={29} />
      {Array.from({ length: luns }, (_, n) => (
        <g key={n}>
          <path d={`M${498 + n * 14} ${y + 39}v10a5 2.4 0 0 0 10 0v-10`} className={styles.part} />
          <ellipse cx={503 + n * 14} cy={y + 39} rx={5} ry={2.4} className={styles.part} />
        </g>
      ))}
      {!row.more && (
        <text x={504 + luns * 14} y={y + 49} className={styles.detail}>
          {row.luns > shownLuns ? `… ${row.luns} LUNs` : counted(row.luns, 'LUN')}
        </text>
      )}
    </g>
  );
}

/** What a machine is, cut to its box and whole on pointing. */
function Detail({ x, y, text, room }: { x: number; y: number; text: string; room: number }) {
  if (text === '') return null;
  return (
    <text x={x} y={y} className={styles.detail}>
      {clip(text, room)}
      <title>{text}</title>
    </text>
  );
}

const clip = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, room - 1)}…`;
