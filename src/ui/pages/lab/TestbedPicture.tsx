import { counted } from '../../../core/base/counted.ts';
import type { GalleryItem } from '../../../core/study/study.ts';
import styles from './lab.module.css';

type Testbed = GalleryItem['testbed'];
const rowPx = 40;
const gapPx = 8;
const shownHosts = 4;
const shownArrays = 3;
const shownLuns = 8;

/** The testbed in one sentence: what the picture shows, uncut, and for whom it is not a picture. */
export function testbedText({ hosts, arrays, clients, vms }: Testbed): string {
  const count = hosts.reduce((sum, h) => sum + countOf(h.name), 0);
  const named =
    hosts.length <= shownHosts
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

/**
 * Clients, hosts and arrays from left to right, as the load goes. Many hosts are counted, not
 * drawn.
 */
export function TestbedPicture({ testbed }: { testbed: Testbed }) {
  const { hosts, arrays, clients, vms } = testbed;
  const hostRows = [
    ...hosts
      .slice(0, hosts.length > shownHosts ? shownHosts - 1 : shownHosts)
      .map((h, i) => ({ key: String(i), name: h.name, text: h.text, more: false })),
    ...(hosts.length > shownHosts
      ? [{ key: 'more', name: `${hosts.length - shownHosts + 1} more hosts`, text: '', more: true }]
      : []),
  ];
  const arrayRows = [
    ...arrays
      .slice(0, arrays.length > shownArrays ? shownArrays - 1 : shownArrays)
      .map((a, i) => ({ ...a, key: String(i), more: false })),
    ...(arrays.length > shownArrays
      ? [
          {
            name: `${arrays.length - shownArrays + 1} more arrays`,
            text: '',
            luns: 0,
            key: 'more',
            more: true,
          },
        ]
      : []),
  ];
  const tall =
    Math.max(
      hostRows.length * (rowPx + gapPx),
      arrayRows.length * (rowPx + 18 + gapPx),
      clients === 0 ? 0 : rowPx + gapPx,
    ) + 26;
  const centred = (index: number, count: number, step: number): number =>
    22 + (tall - 26 - count * step) / 2 + index * step;
  const hostStep = rowPx + gapPx;
  const arrayStep = rowPx + 18 + gapPx;
  const clientY = centred(0, 1, hostStep);
  return (
    <figure className={styles.figure} aria-label="Testbed">
      <svg
        viewBox={`${clients === 0 ? 152 : 0} 0 ${clients === 0 ? 408 : 560} ${tall}`}
        aria-hidden
        className={styles.picture}
        style={{ maxWidth: clients === 0 ? 452 : 620 }}
      >
        <text x={60} y={12} textAnchor="middle" className={styles.caption}>
          {clients === 0 ? '' : 'Clients'}
        </text>
        <text
          x={250}
          y={12}
          textAnchor="middle"
          className={styles.caption}
        >{`Hosts, ${counted(vms, 'VM')}`}</text>
        <text x={470} y={12} textAnchor="middle" className={styles.caption}>
          {arrays.length === 0 ? '' : 'Storage'}
        </text>
        {clients > 0 &&
          hostRows.map((h, i) => (
            <path
              key={h.key}
              d={
                `M116 ${clientY + rowPx / 2}C136 ${clientY + rowPx / 2} 136 ` +
                `${centred(i, hostRows.length, hostStep) + rowPx / 2} 156 ` +
                `${centred(i, hostRows.length, hostStep) + rowPx / 2}`
              }
              className={styles.wire}
            />
          ))}
        {hostRows.flatMap((h, i) =>
          arrayRows.map((a, n) => (
            <path
              key={`${h.key} ${a.key}`}
              d={
                `M344 ${centred(i, hostRows.length, hostStep) + rowPx / 2}C362 ` +
                `${centred(i, hostRows.length, hostStep) + rowPx / 2} 362 ` +
                `${centred(n, arrayRows.length, arrayStep) + rowPx / 2 + 4} 380 ` +
                `${centred(n, arrayRows.length, arrayStep) + rowPx / 2 + 4}`
              }
              className={styles.wire}
            />
          )),
        )}
        {clients > 0 && (
          <g>
            <rect x={4} y={clientY} width={112} height={rowPx} rx={4} className={styles.box} />
            <rect x={14} y={clientY + 9} width={24} height={16} rx={2} className={styles.part} />
            <path d={`M22 ${clientY + 30}h8M26 ${clientY + 25}v5`} className={styles.ink} />
            <text x={46} y={clientY + 24} className={styles.name}>{`× ${clients}`}</text>
          </g>
        )}
        {hostRows.map((h, i) => {
          const y = centred(i, hostRows.length, hostStep);
          return (
            <g key={h.key}>
              <rect
                x={156}
                y={y}
                width={188}
                height={rowPx}
                rx={4}
                className={h.more ? styles.more : styles.box}
              />
              {!h.more && (
                <>
                  <path
                    d={`M164 ${y + 10}h10M164 ${y + 16}h10M164 ${y + 22}h10M164 ${y + 28}h10`}
                    className={styles.ink}
                  />
                  <circle cx={181} cy={y + 10} r={2} className={styles.lamp} />
                </>
              )}
              <text
                x={h.more ? 250 : 190}
                y={h.text === '' ? y + 24 : y + 17}
                textAnchor={h.more ? 'middle' : 'start'}
                className={styles.name}
              >
                {clip(h.name, 22)}
              </text>
              {h.text !== '' && (
                <text x={190} y={y + 31} className={styles.detail}>
                  {clip(h.text, 25)}
                  <title>{h.text}</title>
                </text>
              )}
            </g>
          );
        })}
        {arrayRows.map((a, i) => {
          const y = centred(i, arrayRows.length, arrayStep);
          const luns = Math.min(a.luns, shownLuns);
          return (
            <g key={a.key}>
              <rect
                x={380}
                y={y}
                width={176}
                height={rowPx + 18}
                rx={4}
                className={a.more ? styles.more : styles.box}
              />
              <text x={388} y={y + 16} className={styles.name}>
                {clip(a.name, 24)}
              </text>
              {a.text !== '' && (
                <text x={388} y={y + 29} className={styles.detail}>
                  {clip(a.text, 27)}
                  <title>{a.text}</title>
                </text>
              )}
              {Array.from({ length: luns }, (_, n) => (
                <g key={n}>
                  <path
                    d={`M${388 + n * 14} ${y + 39}v10a5 2.4 0 0 0 10 0v-10`}
                    className={styles.part}
                  />
                  <ellipse cx={393 + n * 14} cy={y + 39} rx={5} ry={2.4} className={styles.part} />
                </g>
              ))}
              {!a.more && (
                <text x={394 + luns * 14} y={y + 49} className={styles.detail}>
                  {a.luns > shownLuns ? `… ${a.luns} LUNs` : counted(a.luns, 'LUN')}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption className={styles.sentence}>{testbedText(testbed)}</figcaption>
    </figure>
  );
}

const clip = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, room - 1)}…`;
