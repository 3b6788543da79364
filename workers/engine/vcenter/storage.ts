import { byNaturalOrder } from '../../../src/core/base/naturalOrder.ts';
import type { LunInfo } from '../../../src/core/testbed/inventory.ts';
import type { ManagedObject } from './properties.ts';
import { booleanOf, child, childrenNamed, descend, numberOf, textOf, type XmlNode } from './xml.ts';

export type LunRow = LunInfo;

/** A path in use or in reserve; dead and disabled ones carry nothing. */
const carries = (path: XmlNode): boolean => {
  const state = textOf(child(path, 'state')) ?? textOf(child(path, 'pathState'));
  return state === 'active' || state === 'standby';
};

/**
 * The LUNs one host sees, by canonical name: HostScsiDisk joined with its multipath policy by key.
 */
export function lunsOfHost(
  scsiLun: XmlNode | undefined,
  multipathInfo: XmlNode | undefined,
): Map<string, LunRow> {
  const units = new Map<string, XmlNode>();
  for (const unit of childrenNamed(multipathInfo, 'lun')) {
    const key = textOf(child(unit, 'lun'));
    if (key !== null) units.set(key, unit);
  }
  const rows = new Map<string, LunRow>();
  for (const lun of scsiLun?.children ?? []) {
    const canonicalName = textOf(child(lun, 'canonicalName'));
    const key = textOf(child(lun, 'key'));
    if (canonicalName === null || lun.type !== 'HostScsiDisk') continue;
    const unit = key === null ? undefined : units.get(key);
    const blockSize = numberOf(descend(lun, 'capacity', 'blockSize'));
    const blocks = numberOf(descend(lun, 'capacity', 'block'));
    rows.set(canonicalName, {
      canonicalName,
      vendor: textOf(child(lun, 'vendor')),
      model: textOf(child(lun, 'model')),
      capacityBytes: blockSize === null || blocks === null ? null : blockSize * blocks,
      queueDepth: numberOf(child(lun, 'queueDepth')),
      paths: unit ? childrenNamed(unit, 'path').length : null,
      policy: textOf(descend(unit, 'policy', 'policy')),
      activePaths: unit ? childrenNamed(unit, 'path').filter(carries).length : null,
      blockSizeBytes: blockSize,
    });
  }
  return rows;
}

export interface Volume {
  /** Hosts that have it mounted and can reach it. */
  hostRefs: string[];
  /** Instance name of its host counters: the volume's UUID. */
  instance: string | null;
  /** Canonical names of its extents; empty for NFS and vSAN. */
  extents: string[];
  /** Of VMFS only. */ version: string | null;
  blockSizeBytes: number | null;
}

/** What a Datastore's `host`, `info` and `summary` say about where it lives. */
export function volumeOf(props: ManagedObject['props']): Volume {
  const vmfs = child(props.get('info'), 'vmfs');
  const blockSizeMb = numberOf(child(vmfs, 'blockSizeMb'));
  // ds:///vmfs/volumes/<instance>/
  const url = textOf(child(props.get('summary'), 'url'));
  return {
    hostRefs: childrenNamed(props.get('host'), 'DatastoreHostMount')
      .filter(
        (mount) =>
          booleanOf(descend(mount, 'mountInfo', 'mounted')) !== false &&
          booleanOf(descend(mount, 'mountInfo', 'accessible')) !== false,
      )
      .flatMap((mount) => textOf(child(mount, 'key')) ?? []),
    instance:
      textOf(child(vmfs, 'uuid')) ??
      url
        ?.split('/')
        .filter((part) => part !== '')
        .at(-1) ??
      null,
    extents: childrenNamed(vmfs, 'extent').flatMap(
      (extent) => textOf(child(extent, 'diskName')) ?? [],
    ),
    version: textOf(child(vmfs, 'version')),
    blockSizeBytes: blockSizeMb === null ? null : blockSizeMb * 2 ** 20,
  };
}

const least = (values: readonly (number | null | undefined)[]): number | null => {
  const known = values.filter((value) => typeof value === 'number');
  return known.length > 0 ? Math.min(...known) : null;
};

/**
 * The LUNs of a volume: what they are as the first host tells that knows them; queue depth and
 * paths the least of all hosts, so that one host with a lost path shows; policies that differ
 * joined. An extent no host describes keeps its name, with the rest null.
 */
export function lunTable(
  volume: Volume,
  luns: ReadonlyMap<string, ReadonlyMap<string, LunRow>>,
): LunInfo[] {
  return volume.extents.map((canonicalName) => {
    const rows = volume.hostRefs.flatMap((host) => luns.get(host)?.get(canonicalName) ?? []);
    const [first] = rows;
    if (!first)
      return {
        canonicalName,
        vendor: null,
        model: null,
        capacityBytes: null,
        queueDepth: null,
        paths: null,
        policy: null,
        activePaths: null,
        blockSizeBytes: null,
      };
    return {
      ...first,
      queueDepth: least(rows.map((row) => row.queueDepth)),
      paths: least(rows.map((row) => row.paths)),
      activePaths: least(rows.map((row) => row.activePaths)),
      policy:
        [...new Set(rows.flatMap((row) => row.policy ?? []))].sort(byNaturalOrder).join(' + ') ||
        null,
    };
  });
}
