import { canonicalJson } from '../base/canonicalJson.ts';
import { groupBy } from '../base/groupBy.ts';
import { commandsOfDriver, driversRunning } from '../profile/driverKinds.ts';
import type { DriverParams, Profile } from '../profile/profile.ts';
import type { Testbed } from '../testbed/testbed.ts';
import type { ImportParts } from './parts.ts';
import type { ImportLoad } from './schema.ts';

/** One load as a client machine would get it. */
export interface Load {
  driver: string;
  params: DriverParams;
  clientId: string;
}

/**
 * Every load that the documents of a file may start: those of its plan and study, and each shell
 * command that a profile or testbed brings beside them, for whatever is planned with it later.
 */
export function loadsOf(
  parts: ImportParts,
  profileOf: (id: string) => Profile | undefined,
  testbedOf: (id: string) => Testbed | undefined,
): Load[] {
  const planned = plannedLoads(parts, profileOf, testbedOf);
  const known = new Set(planned.filter(runsCommands).map(commandKey));
  const brought = [
    ...parts.profile.flatMap(commandsOfProfile),
    ...parts.testbed.flatMap(commandsOf),
  ];
  return [...planned, ...brought.filter((load) => !known.has(commandKey(load)))];
}

const runsCommands = ({ driver }: Pick<Load, 'driver'>): boolean =>
  commandsOfDriver(driver).length > 0;
const commandKey = ({ driver, params }: Load): string =>
  canonicalJson([driver, ...commandsOfDriver(driver).map((name) => params[name])]);

/**
 * Every load that runs of this plan, or points of its study, may start: the parameters of profile,
 * testbed and plan merged as a run merges them, and each value that an axis puts into them.
 */
function plannedLoads(
  parts: ImportParts,
  profileOf: (id: string) => Profile | undefined,
  testbedOf: (id: string) => Testbed | undefined,
): Load[] {
  const axes = parts.study.flatMap(({ axes }) => axes);
  const [plan] = parts.plan;
  if (!plan) return [];
  const values = (kind: 'testbed' | 'profile'): string[] =>
    axes.flatMap((axis) => (axis.parameter.kind === kind ? axis.values.map(String) : []));
  const testbeds = [plan.testbedId, ...values('testbed')].flatMap((id) => testbedOf(id) ?? []);
  const profiles = [plan.profileId, ...values('profile')].flatMap((id) => profileOf(id) ?? []);
  return profiles.flatMap((profile) =>
    testbeds.flatMap((testbed) =>
      testbed.tiles.flatMap((tile) =>
        tile.workloads.flatMap(({ workloadId, clientId, params }): Load[] => {
          const workload = profile.workloads.find((one) => one.id === workloadId);
          if (!workload) return [];
          const base = { ...workload.params, ...params, ...plan.overrides[workloadId] };
          const swept = axes.flatMap(({ parameter, values: all }) =>
            parameter.kind === 'option' && parameter.workloadId === workloadId
              ? all.map((value) => ({ ...base, [parameter.param]: value }))
              : [],
          );
          return (swept.length > 0 ? swept : [base]).map((merged) => ({
            driver: workload.driver,
            params: merged,
            clientId,
          }));
        }),
      ),
    ),
  );
}

/** Shell commands that a testbed brings in its workloads' own parameters. */
export const commandsOf = (testbed: Testbed): Load[] =>
  testbed.tiles.flatMap(({ workloads }) =>
    workloads.flatMap(({ clientId, params }) =>
      driversRunning(params).map((driver) => ({ driver, params, clientId })),
    ),
  );

/**
 * Shell commands that a profile brings; its clients are those of whatever testbed it is used with.
 */
export const commandsOfProfile = (profile: Profile): Load[] =>
  profile.workloads.flatMap(({ id, driver, params }) =>
    runsCommands({ driver })
      ? [{ driver, params, clientId: clientsOfWorkload(profile.id, id) }]
      : [],
  );
const clientsOfWorkload = (profileId: string, workloadId: string): string =>
  `the clients of workload ${workloadId} of profile ${profileId}`;

const maxValues = 6;

/**
 * The loads for people: each shell command whole, of other drivers what is said about files, hosts
 * and users.
 */
export function loadsShown(
  loads: readonly Load[],
  clientName: (id: string) => string,
): ImportLoad[] {
  const clientsOf = (some: readonly Load[]): string[] => [
    ...new Set(some.map(({ clientId }) => clientName(clientId))),
  ];
  const commands = groupBy(loads.filter(runsCommands), commandKey);
  const others = groupBy(
    loads.filter((load) => !runsCommands(load)),
    ({ driver }) => driver,
  );
  return [
    ...[...commands.values()].map((some): ImportLoad => ({
      driver: some[0]!.driver,
      text: commandText(some[0]!),
      isCommand: true,
      clients: clientsOf(some),
      workloads: some.length,
    })),
    ...[...others].map(([driver, some]): ImportLoad => ({
      driver,
      text: textParams(some),
      isCommand: false,
      clients: clientsOf(some),
      workloads: some.length,
    })),
  ];
}

/** The command of the load, and what else the clients are given to run, by its parameter's name. */
function commandText({ driver, params }: Load): string {
  const [load = '', ...others] = commandsOfDriver(driver);
  return [
    String(params[load] ?? ''),
    ...others.flatMap((name) => {
      const { [name]: text = '' } = params;
      return text === '' ? [] : [`# ${name}: ${String(text)}`];
    }),
  ].join('\n');
}

function textParams(loads: readonly Load[]): string {
  const values = new Map<string, Set<string>>();
  for (const { params } of loads)
    for (const [name, value] of Object.entries(params))
      if (typeof value === 'string' && value !== '')
        values.set(name, (values.get(name) ?? new Set()).add(value));
  return [...values]
    .map(([name, all]) => {
      const rest = all.size > maxValues ? ` and ${all.size - maxValues} more` : '';
      return `${name}: ${[...all].slice(0, maxValues).join(', ')}${rest}`;
    })
    .join('; ');
}
