import { fail } from '../../../src/core/base/errors.ts';
import type { Core } from './core.ts';
import { element, group, type MoRef, refOf, returned } from './soap.ts';
import { child, childrenNamed, parseXml, textOf, type XmlLimits } from './xml.ts';

/** What a host's answer may hold: all its settings with their descriptions are some 600 kB. */
const limits: XmlLimits = { maxChars: 8_000_000, maxDepth: 16, maxNodes: 200_000 };
/** vCenter passes the question on to the host, whose command line takes seconds. */
const limitMs = 30_000;
/** The version every host since 5.0 speaks. */
const version = 'urn:vim25/5.0';

/** A row of an answer by its fields; of a field that is told several times the first. */
export type EsxcliRow = Readonly<Record<string, string>>;

/** One host's command line, reached through vCenter: no login on the host. */
export interface Esxcli {
  /**
   * Rows of a command that reads, e.g. `['software', 'vib', 'list']`. Throws the fault of vCenter,
   * and `internal` with the host's own words where the host refuses.
   */
  list(
    command: readonly string[],
    args?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<EsxcliRow[]>;
}

/**
 * Opens the command line of a host. The calls are those of `govc host.esxcli` and of PowerCLI's
 * `Get-EsxCli`; the API reference does not list them.
 */
export async function openEsxcli(
  core: Core,
  hostRef: string,
  signal?: AbortSignal,
): Promise<Esxcli> {
  const executer = refOf(
    returned(
      await core.call('RetrieveManagedMethodExecuter', { type: 'HostSystem', id: hostRef }, '', {
        signal,
        limitMs,
      }),
    )[0],
  );
  if (executer === null)
    throw fail('internal', `Host ${hostRef} gives no way to its command line.`);
  return {
    list: async (command, args = {}, asked = signal) =>
      rowsOf(command.join(' '), await execute(core, executer, command, args, asked)),
  };
}

/** The host's answer as text: XML within XML. */
async function execute(
  core: Core,
  executer: MoRef,
  command: readonly string[],
  args: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<string> {
  const [result] = returned(
    await core.call(
      'ExecuteSoap',
      executer,
      element('moid', `ha-cli-handler-${command.slice(0, -1).join('-')}`) +
        element('version', version) +
        element('method', `vim.EsxCLI.${command.join('.')}`) +
        Object.entries(args)
          .map(([name, value]) =>
            // The value of an argument is itself XML, carried as text.
            group('argument', element('name', name), element('val', element(name, value))),
          )
          .join(''),
      { signal, limitMs },
    ),
  );
  const fault = child(result, 'fault');
  if (fault !== null)
    throw fail(
      'internal',
      `esxcli ${command.join(' ')}: ${textOf(child(fault, 'faultMsg'))?.slice(0, 300) ?? 'refused'}`,
    );
  return textOf(child(result, 'response')) ?? '';
}

function rowsOf(command: string, text: string): EsxcliRow[] {
  if (text === '') return [];
  if (text.length > limits.maxChars)
    throw fail('internal', `esxcli ${command}: the answer is longer than is read.`);
  return childrenNamed(parseXml(text, limits), 'DataObject').map((row) => {
    const fields: Record<string, string> = {};
    for (const field of row.children) fields[field.name] ??= field.text.trim();
    return fields;
  });
}
