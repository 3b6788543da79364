import { canonicalJson } from '../base/canonicalJson.ts';
import { counted } from '../base/counted.ts';
import { sha256 } from '../base/sha256.ts';
import type { Plan } from '../plan/plan.ts';
import {
  type SecretTarget,
  secretUseOf,
  secretVariable,
  sourceKey,
  sourceWords,
  targetOf,
} from '../plan/secretUse.ts';
import type { Profile } from '../profile/profile.ts';
import type { Connection } from '../testbed/connection.ts';
import { powerKindOf } from '../testbed/powerSources.ts';
import type { Testbed } from '../testbed/testbed.ts';
import { clashesOf } from './clashes.ts';
import { loadsOf, loadsShown } from './loads.ts';
import { type ImportDoc, type ImportParts, partsOf, sameDocument } from './parts.ts';
import {
  type ClashKind,
  clashKinds,
  type ImportPeer,
  type ImportPreview,
  type ImportSource,
} from './schema.ts';

/** What an import is held against. */
export interface StoredParts {
  parts: ImportParts;
  /** Stored and shipped ones. */ profileOf: (id: string) => Profile | undefined;
  isShipped: (profileId: string) => boolean;
  isGranted: (source: string, target: SecretTarget) => boolean;
  isTrusted: (digest: string) => boolean;
}

/**
 * What a file would reach, run, change and replace: all that a person agrees to before any of it is
 * stored.
 */
export function previewImport(source: ImportSource, stored: StoredParts): ImportPreview {
  const parts = partsOf(source);
  const profileOf = (id: string): Profile | undefined =>
    parts.profile.find((one) => one.id === id) ?? stored.profileOf(id);
  const testbedOf = (id: string): Testbed | undefined =>
    [...parts.testbed, ...stored.parts.testbed].find((one) => one.id === id);
  const connectionName = (id: string): string =>
    [...parts.connection, ...stored.parts.connection].find((one) => one.id === id)?.name ?? id;
  const loads = loadsOf(parts, profileOf, testbedOf);
  const { plan, testbed } = source.file;
  const digest = sha256(
    canonicalJson({
      connections: parts.connection.map(({ name: _name, ...rest }) => rest),
      loads: [...new Set(loads.map(canonicalJson))].sort(),
      changes: [
        parts.testbed.map(({ id, vcenterId, powerIds, hostLogins, infrastructure }) => ({
          id,
          vcenterId,
          powerIds,
          ...(hostLogins && { hostLogins }),
          infrastructure,
        })),
        plan.drs,
        plan.startPlacement,
      ],
    }),
  );
  const peers = parts.connection.map((one) => peerOf(one, stored, connectionName));
  const allMine =
    clashKinds.every((kind) => isStored(kind, parts, stored.parts)) &&
    peers.every(({ secret }) => secret !== 'allow');
  return {
    plan: { id: plan.id, name: plan.name },
    study: source.study ? { id: source.study.id, name: source.study.name } : null,
    digest,
    // A file of what stands here already, to the letter, brings nothing to agree to.
    trusted: allMine || stored.isTrusted(digest),
    peers,
    loads: loadsShown(loads, connectionName),
    changes: parts.testbed.flatMap((one) => changesOf(one, one.id === testbed.id ? plan : null)),
    clashes: clashesOf(parts, stored.parts, stored.isShipped),
  };
}

function isStored(kind: ClashKind, theirs: ImportParts, mine: ImportParts): boolean {
  const stored: readonly ImportDoc[] = mine[kind];
  return theirs[kind].every((doc) =>
    stored.some((other) => other.id === doc.id && sameDocument(kind, other, doc)),
  );
}

function peerOf(
  connection: Connection,
  { parts, isGranted }: StoredParts,
  nameOf: (id: string) => string,
): ImportPeer {
  const mine = parts.connection.find((one) => one.id === connection.id);
  const target = targetOf(connection);
  const login = loginOf(connection);
  return {
    id: connection.id,
    name: connection.name,
    kind: connection.kind,
    address:
      connection.kind !== 'power'
        ? `${connection.host}:${connection.port}`
        : powerKindOf(connection.source).peer(connection.source, nameOf),
    user: target?.user ?? null,
    via: connection.kind === 'client' && connection.jumpId ? nameOf(connection.jumpId) : null,
    pin: target && target.pin !== '' ? target.pin : null,
    login,
    secret: secretState(connection, isGranted),
    state: !mine ? 'new' : sameDocument('connection', mine, connection) ? 'same' : 'differs',
  };
}

function loginOf(connection: Connection): string {
  const use = secretUseOf(connection);
  if (connection.kind === 'power' && use === null) return 'no login';
  const secret = use ? `${use.what} from ${sourceWords(use.ref)}` : null;
  if (connection.kind !== 'client' || connection.auth.method === 'password') return secret ?? '';
  if (connection.auth.method === 'agent') return 'SSH agent';
  return `key file ${connection.auth.path}${secret ? `, ${secret}` : ''}`;
}

function secretState(
  connection: Connection,
  isGranted: StoredParts['isGranted'],
): ImportPeer['secret'] {
  const use = secretUseOf(connection);
  if (use === null) return 'none';
  const sources = [
    use.ref,
    ...('keychain' in use.ref ? [{ env: secretVariable(use.ref.keychain) }] : []),
  ];
  if (sources.some((ref) => isGranted(sourceKey(ref), use.target))) return 'allowed';
  return 'keychain' in use.ref ? 'enter' : 'allow';
}

/** What runs do to VMs and clusters, a sentence each. */
function changesOf({ infrastructure }: Testbed, plan: Plan | null): string[] {
  const vms = (list: readonly string[] | undefined): string => counted(list?.length ?? 0, 'VM');
  return [
    ...(infrastructure && infrastructure.vmotionVmRefs.length > 0
      ? [`Moves ${vms(infrastructure.vmotionVmRefs)} from host to host.`]
      : []),
    ...(infrastructure?.storageVmotion
      ? [
          `Moves the disks of ${vms(infrastructure.storageVmotion.vmRefs)} to datastore ` +
            `${infrastructure.storageVmotion.datastoreRef} and back.`,
        ]
      : []),
    ...(infrastructure?.xvmotion
      ? [
          `Moves ${vms(infrastructure.xvmotion.vmRefs)} with their disks to datastore ` +
            `${infrastructure.xvmotion.datastoreRef} and back.`,
        ]
      : []),
    ...(infrastructure?.deploy
      ? [
          `Clones template ${infrastructure.deploy.templateRef} onto datastore ` +
            `${infrastructure.deploy.datastoreRef} and removes the clones.`,
        ]
      : []),
    ...(infrastructure && infrastructure.snapshotVmRefs.length > 0
      ? [`Makes and removes snapshots of ${vms(infrastructure.snapshotVmRefs)}.`]
      : []),
    ...(plan?.drs
      ? [`Sets DRS of cluster ${plan.drs.clusterRef} to ${plan.drs.behavior} for the run.`]
      : []),
    ...(plan?.startPlacement === 'planned'
      ? ['Moves the VMs to where the layout plans them before the ramp-up.']
      : plan?.startPlacement
        ? [`Moves all VMs to host ${plan.startPlacement.allOnHostRef} before the ramp-up.`]
        : []),
  ];
}
