import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { firstLine } from './child.ts';
import { freePort } from './ports.ts';

const run = promisify(execFile);

export interface VcsimFault {
  /** SOAP method, e.g. `QueryPerf`; left out = every method. */
  method?: string;
  objectType?: string;
  objectName?: string;
  type?:
    | 'generic'
    | 'notAuthenticated'
    | 'noPermission'
    | 'resourceInUse'
    | 'invalidState'
    | 'insufficientResources'
    | 'methodNotFound';
  message?: string;
  /** Injected at most this often; left out = always. */
  count?: number;
  delayMs?: number;
}

export interface VcsimOptions {
  /** Where the built launcher is kept; default `.cache`. */
  cacheDir?: string;
  /** Folder of the Go module; default `e2e/lab/vcsim` below the working directory. */
  sourceDir?: string;
  /** Default: a free one. */
  port?: number;
  user?: string;
  password?: string;
  clusters?: number;
  /** In all; spread evenly over the clusters. */
  hosts?: number;
  /** In all; spread evenly over the clusters. All are powered on. */
  vms?: number;
  datastores?: number;
  /** Names of the first VMs, in the order of their refs. */
  vmNames?: readonly string[];
  /** Names of VMs that are templates. */
  templates?: readonly string[];
  taskDelayMs?: number;
  callDelayMs?: number;
  /** Sessions idle for longer end; 0 = never. */
  sessionIdleMs?: number;
  faults?: readonly VcsimFault[];
  /** PEM pair to present; left out = a new one. */
  certificate?: { cert: string; key: string };
}

/** Facts that no call of the API sets; `name` as the inventory has it. */
export type VcsimChange = { name: string } & (
  | {
      type: 'HostSystem';
      build?: string;
      powerPolicy?: string;
      memoryByte?: number;
      maintenance?: boolean;
      /** The host's clock minus the true time. */ clockMs?: number;
    }
  | {
      type: 'Datastore';
      freeBytes?: number;
      accessible?: boolean;
      /** Of its LUN, as every host sees it. */ queueDepth?: number;
    }
  | { type: 'VirtualMachine'; /** GuestInfo.toolsStatus */ tools?: string; ip?: string }
  | {
      type: 'ClusterComputeResource';
      drs?: boolean;
      drsBehavior?: 'manual' | 'partiallyAutomated' | 'fullyAutomated';
    }
);

export interface VcsimControl {
  /** Ends every session, as vCenter does after its idle time. */
  expireSessions(): Promise<void>;
  fault(rule: VcsimFault): Promise<void>;
  clearFaults(): Promise<void>;
  /**
   * `taskMethodMs`: by the task's name (`RelocateVm`), on top of `taskMs`; it replaces those
   * before. A task that is cancelled while it waits still works afterwards, as one that vCenter
   * cannot cancel.
   */
  delay(delays: {
    callMs?: number;
    taskMs?: number;
    taskMethodMs?: Readonly<Record<string, number>>;
  }): Promise<void>;
  /**
   * Sets what hosts, arrays and guests report of themselves; throws where there is no such object.
   */
  change(to: VcsimChange): Promise<void>;
  /** HasPrivilegeOnEntities answers no for these. */
  deny(privileges: readonly string[]): Promise<void>;
  /** How often each SOAP method was called. */
  calls(): Promise<Record<string, number>>;
}

export interface Vcsim {
  host: string;
  port: number;
  user: string;
  password: string;
  fingerprint256: string;
  pid: number;
  control: VcsimControl;
  /** Ends it in order. Fine when it has ended already. */
  stop(): Promise<void>;
  /** SIGKILL: what a crash looks like. */
  kill(): Promise<void>;
  /**
   * Starts it again on the same port, after stop() or kill(), with the same certificate unless
   * told.
   */
  restart(change?: { newCertificate?: boolean } & VcsimOptions): Promise<Vcsim>;
}

/**
 * Builds the launcher once, keyed by its sources; gives the path of the binary. Needs Go on the
 * path; the first build takes about a minute.
 */
export async function buildVcsim(
  cacheDir = '.cache',
  sourceDir = join('e2e', 'lab', 'vcsim'),
): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(sourceDir)).sort())
    hash.update(`${name}\0`).update(await readFile(join(sourceDir, name)));
  const binary = resolve(cacheDir, `vcsim-${hash.digest('hex').slice(0, 16)}`);
  const built = await access(binary).then(
    () => true,
    () => false,
  );
  if (built) return binary;
  await mkdir(cacheDir, { recursive: true });
  // Two builds may run at once: each into a file of its own, then renamed.
  const partial = `${binary}.${randomBytes(4).toString('hex')}`;
  try {
    await run('go', ['build', '-trimpath', '-o', partial, '.'], { cwd: sourceDir });
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Error(
      missing
        ? 'The vCenter simulator needs Go to build: apt-get install golang, or https://go.dev/dl.'
        : `The vCenter simulator does not build: ${String(error)}`,
      { cause: error },
    );
  }
  await rename(partial, binary);
  return binary;
}

function flags(options: VcsimOptions, port: number, stateDir: string): string[] {
  const ms = (value: number | undefined): string => `${value ?? 0}ms`;
  return [
    '-listen',
    `127.0.0.1:${port}`,
    '-state-dir',
    stateDir,
    ...(options.user === undefined ? [] : ['-user', options.user]),
    '-clusters',
    String(options.clusters ?? 1),
    '-hosts',
    String(options.hosts ?? 4),
    '-vms',
    String(options.vms ?? 12),
    '-datastores',
    String(options.datastores ?? 2),
    '-vm-names',
    (options.vmNames ?? []).join(','),
    '-templates',
    (options.templates ?? []).join(','),
    '-task-delay',
    ms(options.taskDelayMs),
    '-call-delay',
    ms(options.callDelayMs),
    '-session-idle',
    ms(options.sessionIdleMs),
    ...(options.faults ?? []).flatMap((fault) => ['-fault', JSON.stringify(fault)]),
  ];
}

interface Ready {
  url: string;
  controlUrl: string;
  fingerprint256: string;
}

/** Waits for the launcher's one line; rejects with its stderr when it ends first. */
async function readReady(child: ChildProcess): Promise<Ready> {
  return JSON.parse(await firstLine(child, 'The vCenter simulator')) as Ready;
}

function controlOf(url: string): VcsimControl {
  const post = async (path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${url}/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok)
      throw new Error(`The vCenter simulator refused ${path}: ${await answer.text()}`);
  };
  return {
    expireSessions: () => post('expire', {}),
    fault: (rule) => post('fault', rule),
    clearFaults: () => post('clear', {}),
    delay: (delays) => post('delay', delays),
    change: (to) => post('change', to),
    deny: (privileges) => post('deny', { privileges }),
    calls: async () => (await (await fetch(`${url}/calls`)).json()) as Record<string, number>,
  };
}

/** Starts a vCenter simulator on loopback. It ends with this process, however this process ends. */
export async function startVcsim(options: VcsimOptions = {}): Promise<Vcsim> {
  const binary = await buildVcsim(options.cacheDir, options.sourceDir);
  const stateDir = await mkdtemp(join(tmpdir(), 'tilebench-vcsim-'));
  const pemFiles = { cert: join(stateDir, 'cert.pem'), key: join(stateDir, 'key.pem') };
  if (options.certificate) {
    await writeFile(pemFiles.cert, options.certificate.cert, { mode: 0o600 });
    await writeFile(pemFiles.key, options.certificate.key, { mode: 0o600 });
  }
  const password = options.password ?? 'VMware1!';
  // The password goes by environment, not by argument: every user can read the process list.
  const child = spawn(binary, flags(options, options.port ?? (await freePort()), stateDir), {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, VCSIM_PASSWORD: password },
  });
  const closed = once(child, 'close');
  const end = async (how: () => void): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) how();
    await closed;
    await rm(stateDir, { recursive: true, force: true });
  };
  try {
    const ready = await readReady(child);
    const certificate = {
      cert: await readFile(pemFiles.cert, 'utf8'),
      key: await readFile(pemFiles.key, 'utf8'),
    };
    const { hostname, port } = new URL(ready.url);
    // Whoever holds the first of several lives ends the last one too: a lab keeps only that.
    let next: Vcsim | null = null;
    const stop = async (): Promise<void> => {
      await end(() => child.stdin.end());
      await next?.stop();
    };
    return {
      host: hostname,
      port: Number(port),
      user: options.user ?? 'administrator@vsphere.local',
      password,
      fingerprint256: ready.fingerprint256,
      pid: child.pid ?? 0,
      control: controlOf(ready.controlUrl),
      stop,
      async kill() {
        await end(() => child.kill('SIGKILL'));
        await next?.kill();
      },
      restart: async ({ newCertificate = false, ...change } = {}) => {
        await stop();
        const { certificate: old, ...rest } = options;
        next = await startVcsim({
          ...rest,
          port: Number(port),
          ...(newCertificate ? {} : { certificate: old ?? certificate }),
          ...change,
        });
        return next;
      },
    };
  } catch (error) {
    await end(() => child.kill('SIGKILL'));
    throw error;
  }
}
