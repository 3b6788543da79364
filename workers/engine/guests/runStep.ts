import { bundleFor, type GuestBundle } from '../../../src/core/roles/bundle.ts';
import { type Fault, readAnswer, type StepAnswer } from '../../../src/core/roles/faults.ts';
import { shellWord } from '../../../src/core/roles/shell.ts';
import type { RoleStep } from '../../../src/core/roles/steps.ts';
import type { SshHost } from '../deps/ssh.ts';

/**
 * One fixed command without anything to quote: the step comes on standard input. As root, or by sudo
 * without a password. The lock keeps two engines off one machine, and a step that its own engine
 * lost is waited for; the limit ends a step whatever happens to us.
 */
const lockS = 1_260;
const limitS = 1_200;
const guarded = `flock -o -w ${lockS} -E 75 /run/tilebench-roles.lock timeout -k 10 ${limitS} sh -s`;
const asRoot =
  `if [ "$(id -u)" = 0 ]; then exec ${guarded}; ` +
  `elif sudo -n true 2>/dev/null; then exec sudo -n ${guarded}; ` +
  `else echo 'TB1 fault sudo'; exit 1; fi`;

/** Where a step may take its packages from: a file of this computer. */
export interface StepBundle {
  path: string;
  bundle: GuestBundle;
}

/**
 * Runs one step on a machine to its end; a bundle is sent there once the step asks for it. Never
 * rejects for what the machine says; rejects as the connection does.
 */
export async function runStep(
  host: Pick<SshHost, 'exec' | 'putFile'>,
  { script }: RoleStep,
  from: StepBundle | null = null,
  onBringing = (): void => undefined,
): Promise<StepAnswer> {
  const run = async (stdin: string): Promise<StepAnswer> =>
    readAnswer(await host.exec(asRoot, { stdin, timeoutMs: (lockS + limitS + 60) * 1_000 }));
  if (from === null) return run(script);
  const { path, bundle } = from;
  const about = `BUNDLE_FOR=${shellWord(bundleFor(bundle))} BUNDLE_SHA=${bundle.sha256}\n`;
  const answer = await run(`${about}${script}`);
  if (!answer.wantsBundle) return answer;
  onBringing();
  const there = await host.putFile({ path, sha256: bundle.sha256, bytes: bundle.bytes });
  return run(`${about}BUNDLE=${shellWord(there)}\n${script}`);
}

/** Why this machine is not the one that was meant; null = it is, or nobody can say. */
export function strangerFault(
  address: string | null,
  { addresses }: Pick<StepAnswer, 'addresses'>,
  loginName: string,
): Fault | null {
  if (address === null || addresses.length === 0 || addresses.includes(address)) return null;
  return {
    message: `The login ${loginName} leads to another machine: it has ${addresses.join(', ')}, the VM has ${address}.`,
    hint: 'Choose the login of this VM, or correct its address in Connections. Nothing was changed.',
  };
}
