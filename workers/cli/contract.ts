import { appVersion, contractVersion } from '../../src/wire/contract/version.ts';
import { describeContract } from '../../src/wire/describeContract.ts';
import { table, type Terminal } from './output.ts';

/**
 * What an engine of this version can be asked and what it sends: with `json` whole, as JSON Schema;
 * otherwise by name.
 */
export function printContract(terminal: Terminal, json: boolean): void {
  const contract = describeContract();
  if (json) {
    terminal.out(JSON.stringify({ version: appVersion, contract: contractVersion, ...contract }));
    return;
  }
  terminal.out(`Tilebench ${appVersion}, contract ${contractVersion}`);
  terminal.out(
    table(
      ['Method', 'Input'],
      Object.entries(contract.methods).map(([name, { input }]) => [name, keysOf(input)]),
    ),
  );
  terminal.out(
    table(
      ['Event'],
      Object.keys(contract.events).map((name) => [name]),
    ),
  );
  terminal.out(
    table(
      ['Kind of error'],
      contract.errorKinds.map((kind) => [kind]),
    ),
  );
}

/** `id, name?`: the names of an input's keys; those with `?` may be left out. */
function keysOf({ properties, required }: { properties?: object; required?: string[] }): string {
  return Object.keys(properties ?? {})
    .map((key) => (required?.includes(key) ? key : `${key}?`))
    .join(', ');
}
