import { type Compiled, copyOutstanding, type StreamStation } from './compile.ts';
import { solveStorageOn } from './storage.ts';
import type { StorageStream } from './storageTypes.ts';

/** Part of the way to the new answer that one round goes. */
const damping = 0.7;

/**
 * The storage part of the fixed point. Each stream of a class of N users is a closed population of
 * N × (I/Os side by side); what it does between two I/Os is the rest of the operation, shared out
 * among its I/Os. Writes latencies and rates into the streams. Returns the largest relative change
 * of a class's I/O time in its cycle.
 */
export function stepStorage(model: Compiled, first: boolean): number {
  const { streams } = model;
  if (streams.length === 0) return 0;
  const answers = solveStorageOn(
    model.storage,
    streams.map((stream, index) => asked(model, stream, index)),
  ).streams;
  streams.forEach((stream, index) => {
    const answer = answers[index]!;
    stream.iops = answer.iops;
    stream.deviceMs = answer.deviceMs;
    stream.kernelMs = answer.kernelMs;
    const latencyMs = answer.deviceMs + answer.kernelMs;
    stream.latencyMs = first
      ? latencyMs
      : stream.latencyMs + damping * (latencyMs - stream.latencyMs);
  });
  let change = 0;
  for (const load of model.loads) {
    const ioMs = load.streams.reduce(
      (sum, stream) => sum + (stream.perOp * stream.latencyMs) / stream.parallel,
      0,
    );
    change = Math.max(change, Math.abs(ioMs - load.ioMs) / Math.max(1e-6, cycleMs(load)));
    load.ioMs = ioMs;
  }
  return change;
}

const cycleMs = (load: Compiled['loads'][number]): number =>
  load.load.demand.thinkMs +
  load.cpuResidence +
  load.ioMs +
  load.netMs +
  load.clientMs +
  load.pagingMs +
  load.waitMs;

function asked(model: Compiled, stream: StreamStation, index: number): StorageStream {
  const common = {
    id: String(index),
    hostId: stream.hostId,
    datastoreId: stream.datastoreId,
    sizeKb: stream.sizeKb,
    readShare: stream.readShare,
    randomShare: stream.randomShare,
    hitShare: stream.hitShare,
    ...(stream.extents ? { extents: stream.extents } : {}),
  };
  if (stream.ofLoad) {
    const rest = Math.max(
      0,
      cycleMs(stream.ofLoad) - (stream.perOp * stream.latencyMs) / stream.parallel,
    );
    return {
      ...common,
      outstanding: stream.ofLoad.users * stream.parallel,
      thinkMs: (rest * stream.parallel) / stream.perOp,
    };
  }
  const pair = model.copyUsers.get(stream.copyId!)!;
  const other = pair.find((one) => one !== stream)!;
  return {
    ...common,
    outstanding: copyOutstanding,
    thinkMs: other.latencyMs,
    iopsLimit: (model.state.spec.vmotion.mbps * 1e6) / (stream.sizeKb * 1024),
  };
}
