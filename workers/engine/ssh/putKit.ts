import { fail } from '../../../src/core/base/errors.ts';
import { execOn } from './exec.ts';
import { upload } from './putFile.ts';
import type { JobHost } from './remoteJob.ts';

/** A client for which there is a load generator. */
export type KitPlatform = 'linux-amd64' | 'linux-arm64';
export type FindKit = (platform: KitPlatform) => Promise<{ path: string; sha256: string }>;

/** Where a client keeps it; not among its jobs, which belong to runs. */
const folder = '"${TILEBENCH_ROOT:-$HOME}/.tilebench-kit"';
const platforms: Readonly<Record<string, KitPlatform>> = {
  x86_64: 'linux-amd64',
  aarch64: 'linux-arm64',
};

/** As `putKit` of `SshHost`. */
export async function putKit(
  host: JobHost,
  findKit: FindKit | undefined,
  signal?: AbortSignal,
): Promise<string> {
  const say = async (command: string): Promise<string[]> => {
    const { code, stdout, stderr } = await execOn(host.env, host.target, host.pool, command, {
      ...(signal ? { signal } : {}),
    });
    if (code !== 0)
      throw fail(
        'conflict',
        `The load generator cannot be put on ${host.target.name}: ${stderr.trim().slice(-300)}`,
        'Check free space and write permission of the home directory there.',
      );
    return stdout.trim().split('\n').slice(-2);
  };
  const [machine = '', dir = ''] = await say(
    `umask 077; mkdir -p ${folder} && cd ${folder} && uname -m && pwd -P`,
  );
  const platform = platforms[machine];
  if (!platform || !findKit)
    throw fail(
      'notFound',
      `There is no load generator tilekit for ${host.target.name} (${machine}).`,
      'It runs on Linux on x86-64 and ARM 64.',
    );
  const { path, sha256 } = await findKit(platform);
  const name = `tilekit-${sha256.slice(0, 32)}`;
  const sum = `echo '${sha256}  ${name}' | sha256sum -c >/dev/null 2>&1`;
  const use = `echo '${sha256}  ${name}' >current.new && mv current.new current`;
  const [there] = await say(
    `cd ${folder} || exit 1; if [ -x ${name} ] && ${sum}; then ${use} && echo there; else echo none; fi`,
  );
  if (there === 'there') return `${dir}/${name}`;
  const partial = `${name}.${Date.now().toString(36)}`;
  await upload(host, path, `${dir}/${partial}`, signal);
  await say(
    `cd ${folder} && chmod 700 ${partial} && mv ${partial} ${name} && ${use} && { ${sum} ` +
      `|| { rm -f ${name}; echo 'what arrived is not what was sent' >&2; exit 1; }; }`,
  );
  return `${dir}/${name}`;
}
