import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Child, startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';

/** What tilekit serve counted of one load, when that was over. */
export interface ServedLoad {
  packets: number;
  bytes: number;
  reordered: number;
  duplicates: number;
  damaged: number;
  answered: number;
}

export interface LabTilekitServe {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** Of every load that is over, in the order of their ends. */
  loads(): ServedLoad[];
  stop(): Promise<void>;
}

/** Runs `tilekit serve` on this job until it says where it listens; gives the port. */
async function serve(
  dir: string,
  kit: string,
  name: string,
  job: object,
): Promise<{ server: Child; port: number }> {
  const file = join(dir, `${name}.json`);
  const log = join(dir, `${name}.log`);
  writeFileSync(file, JSON.stringify(job));
  // What an earlier one said is no word of this one.
  rmSync(log, { force: true });
  const server = startChild(kit, ['serve', '--job', file], log);
  const port = await poll(`tilekit serve (${log})`, () => {
    if (server.ended()) throw new Error(`tilekit serve ended: ${server.log().slice(-400)}`);
    return Number(/"listens":"127\.0\.0\.1:(\d+)"/.exec(server.log())?.[1] ?? 0) || null;
  });
  return { server, port };
}

/** The other side of tilekit's scenario net on loopback, by the program at `kit`. */
export async function startTilekitServe(dir: string, kit: string): Promise<LabTilekitServe> {
  const free = await freePort();
  const { server, port } = await serve(dir, kit, `serve-${free}`, {
    schema: 1,
    netServer: { listen: `127.0.0.1:${free}` },
  });
  return {
    host: '127.0.0.1',
    port,
    loads: () =>
      server
        .log()
        .split('\n')
        .filter((line) => line.startsWith('{"session"'))
        .map((line) => JSON.parse(line) as ServedLoad),
    stop: () => server.stop(),
  };
}

/** What a web tier of a shop counted, by itself. */
export interface ServedShop {
  requests: number;
  orders: number;
  failed?: Readonly<Record<string, number>>;
}

export interface LabShopTier {
  readonly port: number;
  readonly pid: number;
  /** As at its end; throws before. */
  served(): ServedShop;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A web tier on loopback in front of the shop that `dvdstore` names, as in a job file. */
export async function startShopTier(
  dir: string,
  kit: string,
  { dvdstore, connections, name }: { dvdstore: object; connections: number; name: string },
): Promise<LabShopTier> {
  const { server, port } = await serve(dir, kit, name, {
    schema: 1,
    shopTier: { listen: '127.0.0.1:0', connections },
    dvdstore,
  });
  return {
    port,
    pid: server.pid,
    served: () => JSON.parse(server.log().trim().split('\n').at(-1)!) as ServedShop,
    kill: () => server.kill(),
    stop: () => server.stop(),
  };
}

export interface LabSite {
  readonly port: number;
  stop(): Promise<void>;
}

/** A site in Olio's style, made and served by the program at `kit` as its job says. */
export async function startSite(dir: string, kit: string, site: object): Promise<LabSite> {
  const file = join(dir, 'load-site.json');
  writeFileSync(file, JSON.stringify(site));
  execFileSync(kit, ['load', '--job', file], { stdio: 'pipe' });
  const { server, port } = await serve(dir, kit, 'site', site);
  return { port, stop: () => server.stop() };
}
