import type { StageScene, StageVm } from '../../../core/chart/stage/scene.ts';
import { hostWords, vmWords } from '../../../core/chart/stage/words.ts';

/** What is read out, and marked in the picture. */
export interface StagePlace {
  /** Index in the scene's hosts. */
  host: number;
  /** Its `ref`; null = the host itself. */
  vm: string | null;
}

/** VMs of a host from the bottom of its rack up. */
const vmsOn = (scene: StageScene, host: number): StageVm[] =>
  scene.vms.filter((vm) => vm.host === host).sort((a, b) => a.slot - b.slot);

/**
 * Where a key leads: left and right from host to host, up and down through the VMs of one, below
 * the lowest to the host itself. undefined = the key leads nowhere.
 */
export function placeByKey(
  scene: StageScene,
  current: StagePlace | null,
  key: string,
): StagePlace | undefined {
  const last = scene.hosts.length - 1;
  const at = current ?? { host: 0, vm: null };
  const vms = vmsOn(scene, at.host);
  const rung = vms.findIndex((vm) => vm.ref === at.vm);
  const onHost = (host: number): StagePlace => ({
    host,
    vm: rung < 0 ? null : (vmsOn(scene, host)[rung]?.ref ?? vmsOn(scene, host).at(-1)?.ref ?? null),
  });
  switch (key) {
    case 'ArrowRight':
      return current === null ? at : onHost(Math.min(last, at.host + 1));
    case 'ArrowLeft':
      return onHost(Math.max(0, at.host - 1));
    case 'ArrowUp':
      return { host: at.host, vm: vms[Math.min(vms.length - 1, rung + 1)]?.ref ?? null };
    case 'ArrowDown':
      return { host: at.host, vm: rung <= 0 ? null : vms[rung - 1]!.ref };
    case 'Home':
      return { host: 0, vm: null };
    case 'End':
      return { host: last, vm: null };
    default:
      return undefined;
  }
}

/** What is at a place in words; empty where the VM is gone. */
export function placeWords(scene: StageScene, { host, vm }: StagePlace): string {
  if (vm === null) {
    const own = scene.hosts[host];
    return own === undefined ? '' : hostWords(own, scene.placed);
  }
  const found = scene.vms.find(({ ref }) => ref === vm);
  return found === undefined ? '' : vmWords(scene, found);
}
