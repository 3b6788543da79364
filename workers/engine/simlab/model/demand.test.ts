import { workloadDemand } from '../../../../src/core/lab/lab.ts';
import { coldShare, demandAt, nextChangeMs } from './demand.ts';

const read = {
  perOp: 1,
  sizeKb: 8,
  readShare: 1,
  randomShare: 1,
  warmUp: { share: 0.6, tauS: 3_600 },
};
const mail = workloadDemand.parse({
  kind: 'mail',
  role: 'mail',
  unit: 'ops/s',
  users: 100,
  thinkMs: 1_000,
  cpuMsPerOp: 1,
  io: [read, { ...read, readShare: 0, warmUp: undefined }],
});

test('a cache takes over its share exponentially; streams without one stay', () => {
  expect(coldShare(read, 0)).toBe(1);
  expect(coldShare(read, 3_600)).toBeCloseTo(1 - 0.6 * (1 - Math.exp(-1)), 12);
  expect(coldShare(read, 1e9)).toBeCloseTo(0.4, 12);
  expect(coldShare({}, 3_600)).toBe(1);
});

test('it fills in steps that are told beforehand, and rests when it is full', () => {
  expect(demandAt(mail, 0).warmS).toBe(150);
  expect(nextChangeMs(mail, 0)).toBe(300_000);
  expect(demandAt(mail, 299_999).warmS).toBe(150);
  expect(demandAt(mail, 300_000).warmS).toBe(450);
  expect(nextChangeMs(mail, 300_000)).toBe(600_000);
  const full = demandAt(mail, 36_000_000);
  expect(demandAt(mail, 360_000_000)).toEqual(full);
  expect(nextChangeMs(mail, 36_000_000)).toBeNull();
});

test('a load without such a cache never changes by itself', () => {
  const plain = workloadDemand.parse({ ...mail, io: [] });
  expect(demandAt(plain, 5_000)).toEqual({ users: 100, ioFactor: 1, warmS: 0 });
  expect(nextChangeMs(plain, 5_000)).toBeNull();
});
