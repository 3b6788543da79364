import * as z from 'zod';

import type { DriverTiming } from './driver.ts';
import { testDirectory } from './ownFile.ts';
import { choice } from './parameterMeta.ts';
import type { TilekitEnd, TilekitReading } from './tilekitFormat.ts';
import { checkData, commonParams, jobHead, tilekitDriver } from './tilekitScenario.ts';

const operation =
  '(?:read|readRandom|write|writeRandom|append|create|delete|list|stat) [0-9]+(?:\\.[0-9]+)?';
const overSmb = { member: 'where', is: ['smb'] };
const multipleOf4Kb = z.number().multipleOf(4).min(4);

const params = z.object({
  where: z
    .enum(['smb', 'local'])
    .default('smb')
    .meta(
      choice('Where the files are', {
        smb: 'Share of a file server, over SMB 2',
        local: 'Folder of the client',
      }),
    ),
  host: commonParams.host('file server').meta({
    description: 'Address of the file server; empty = the guest address of the assigned VM',
    when: overSmb,
  }),
  port: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(445)
    .meta({ description: 'Port of SMB', when: overSmb }),
  share: z
    .string()
    .regex(/^[A-Za-z0-9._$ -]{1,80}$/, 'the name of a share')
    .default('tilebench')
    .meta({ description: 'Share of the file server', when: overSmb }),
  user: z
    .string()
    .regex(
      /^([A-Za-z0-9._-]{1,64}\\)?[A-Za-z0-9._@$ -]{1,104}$/,
      String.raw`a user name, or DOMAIN\user`,
    )
    .default('guest')
    .meta({ description: String.raw`User of the share, or DOMAIN\user`, when: overSmb }),
  passwordFile: z.string().max(1_024).default('').meta({
    description: 'File on the client, mode 600, with the password as its first line; empty = none',
    when: overSmb,
  }),
  sign: z.boolean().default(false).meta({
    description: 'Sign every request, also where the server does not demand it',
    when: overSmb,
  }),
  folder: z
    .string()
    .regex(
      /^[A-Za-z0-9_][A-Za-z0-9._ -]{0,79}(\/[A-Za-z0-9_][A-Za-z0-9._ -]{0,79}){0,7}$/,
      'a path within the share',
    )
    .default('tilekit')
    .meta({
      description: 'Folder of the data set in the share; one of its own for each tile',
      when: overSmb,
    }),
  directory: testDirectory('').meta({
    description: 'Folder of the data set on the client; new, empty, or of an earlier run',
    when: { member: 'where', is: ['local'] },
  }),
  users: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(10)
    .describe('Users, each with a folder and a connection of its own'),
  files: z.number().int().min(1).max(10_000).default(20).describe('Files in each folder'),
  fileKb: multipleOf4Kb
    .max(4_194_304)
    .default(128)
    .describe('Size of a file in KB; 128 is the mean of Filebench’s file server'),
  load: z
    .boolean()
    .default(true)
    .describe('Make the files where they are missing, and put them back before a run'),
  unload: z.boolean().default(false).describe('Remove the files after a run'),
  counted: z
    .enum(['operations', 'data'])
    .default('operations')
    .meta(
      choice('What the throughput is', {
        operations: 'Operations per second',
        data: 'MB per second read and written',
      }),
    ),
  mode: z
    .enum(['open', 'closed'])
    .default('open')
    .meta(
      choice('How the load is offered', {
        open: 'Open: at a rate, whatever the answers',
        closed: 'Closed: users who wait and pause',
      }),
    ),
  rate: z
    .number()
    .min(0.01)
    .max(100_000)
    .default(20)
    .meta({
      description: 'Operations per second to offer, by all users',
      when: { member: 'mode', is: ['open'] },
    }),
  arrivals: commonParams.arrivals,
  thinkS: z
    .number()
    .min(0)
    .max(3_600)
    .default(0.5)
    .meta({
      description: 'Mean pause of a user between two operations',
      when: { member: 'mode', is: ['closed'] },
    }),
  usersPerS: z.number().min(0.1).max(10_000).default(10).describe('Users who begin per second'),
  mix: z
    .enum(['tilebench', 'filebench', 'own'])
    .default('tilebench')
    .meta(
      choice(
        'Mix of operations. Tilebench’s, which no source gives: read 30, readRandom 15, write 12, ' +
          'writeRandom 8, create 5, delete 5, list 10, stat 15',
        {
          tilebench: 'Tilebench’s own choice',
          filebench: 'In the style of Filebench’s file server',
          own: 'Weights of yours',
        },
      ),
    ),
  weights: z
    .string()
    .regex(
      new RegExp(`^(?:${operation}(?:, ?${operation})*)?$`),
      'operations with weights, as read 60, write 40',
    )
    .default('')
    .meta({
      description:
        'Weights, as read 60, write 40; also readRandom, writeRandom, append, create, delete, list, stat',
      when: { member: 'mix', is: ['own'] },
    }),
  blockKb: multipleOf4Kb
    .max(1_024)
    .default(64)
    .describe('Read or written at once where a file is gone through'),
  randomKb: multipleOf4Kb.max(1_024).default(8).describe('Read or written at a random place'),
  randomBlocks: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(8)
    .describe('Random places of one operation'),
  flush: z.boolean().default(false).describe('End every operation that wrote with a flush to disk'),
  timeoutMs: commonParams.timeoutMs('An operation'),
  latenessLimitMs: commonParams.latenessLimitMs('arrivals'),
});
type Params = z.infer<typeof params>;

const weightsOf = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split(',')
      .map((one) => one.trim().split(' '))
      .flatMap(([name = '', weight]) => (name === '' ? [] : [[name, Number(weight)]])),
  );

/** https://github.com/filebench/filebench, workloads/fileserver.f: each once, in turn. */
const filebench = { create: 1, append: 1, read: 1, delete: 1, stat: 1 };
const mixOf = ({ mix, weights }: Params): Record<string, number> =>
  mix === 'own' ? weightsOf(weights) : mix === 'filebench' ? filebench : {};

const placeOf = (one: Params) =>
  one.where === 'local'
    ? { target: 'local', folder: one.directory }
    : {
        target: 'smb',
        host: one.host,
        port: one.port,
        share: one.share,
        user: one.user,
        sign: one.sign,
        folder: one.folder,
        ...(one.passwordFile === '' ? {} : { passwordFile: one.passwordFile }),
      };

/** What tilekit is told of the files and where they are; the password stays in its file. */
const fileOf = (one: Params) => ({
  ...placeOf(one),
  users: one.users,
  files: one.files,
  fileKb: one.fileKb,
  blockKb: one.blockKb,
  randomKb: Math.min(one.randomKb, one.fileKb),
  randomBlocks: one.randomBlocks,
  flush: one.flush,
  weights: mixOf(one),
});
const dataJob = (one: Params) => ({ schema: 1, file: fileOf(one) });

function runJob(one: Params, timing: DriverTiming) {
  const rampUpS = Math.min(one.users / one.usersPerS, timing.durationS / 2);
  return {
    ...jobHead('file', one, timing),
    durationS: timing.durationS,
    drainS: 2,
    users: one.users,
    rampUpS,
    mode: one.mode,
    ...(one.mode === 'open'
      ? {
          arrivals: {
            kind: one.arrivals,
            rate: [
              { atS: 0, perS: 0 },
              { atS: rampUpS, perS: one.rate },
            ],
          },
        }
      : { thinkS: one.thinkS }),
    file: fileOf(one),
  };
}

/** A million bytes, as a tile's MB/s are. */
const mb = 1e-6;
const counts = new Map([
  ['readBytes', { metric: 'readMBps', perUnit: mb }],
  ['writtenBytes', { metric: 'writeMBps', perUnit: mb }],
] as const);

/** What failed for a reason that only the end can name. */
function warningOf({ failed }: TilekitEnd): string | null {
  const said = [
    ...((failed['full'] ?? 0) > 0
      ? [`${failed['full']} operations found the disk, or the quota of the user, full`]
      : []),
    ...((failed['content'] ?? 0) > 0
      ? [`${failed['content']} operations found other files or bytes than were written`]
      : []),
  ];
  return said.length > 0 ? `${said.join('; ')}. They count as failed.` : null;
}

const readingOf = ({ counted }: Params): TilekitReading => ({
  counts,
  warning: warningOf,
  ...(counted === 'data' ? { throughput: 'bytes', perUnit: mb } : {}),
});

const isParameter = (name: string): name is keyof Params => Object.hasOwn(params.shape, name);
/** Large data sets are removed for hours. */
const unloadMs = 12 * 3_600_000;

/** Users of a file server over SMB, or of a local folder, by the program of `kit/`. */
export const tilekitFile = tilekitDriver<Params>({
  id: 'tilekit-file',
  title: 'tilekit Files',
  role: 'file',
  params,
  unit: ({ counted }) => (counted === 'data' ? 'MB/s' : 'operations/s'),
  reading: readingOf,
  more: () => [
    { metric: 'readMBps', unit: 'MB/s', decimals: 3 },
    { metric: 'writeMBps', unit: 'MB/s', decimals: 3 },
  ],
  staysOnClient: ({ where }) => where === 'local',
  unnamed: {
    server: 'file server',
    fix: "Start VMware Tools in the guest, or give the file server's address in the parameters.",
  },
  async check(host, kit, one, signal) {
    if (one.where === 'local' && one.directory === '')
      return {
        ok: false,
        version: null,
        problem: 'no folder of the client is named for the files',
        blames: 'directory',
        fix: 'Give the path of a folder that is new or empty.',
      };
    return checkData(
      { host, kit, one, job: dataJob(one) },
      {
        parameter: (option) =>
          option === 'folder' && one.where === 'local'
            ? 'directory'
            : isParameter(option)
              ? option
              : undefined,
        dataIs: 'files',
        isMade: 'It is made before the run begins.',
        makeIt: 'Switch load on, or make the files on the client: tilekit load.',
        repair:
          one.where === 'local'
            ? 'Give a folder that this login may write to, with room for the files.'
            : 'Start the file server, or correct address, port, share, user and password ' +
              'file; the user must be allowed to write to the share, and have room there.',
      },
      signal,
    );
  },
  data: { job: dataJob, loads: ({ load }) => load, unloads: ({ unload }) => unload, unloadMs },
  job: runJob,
});
