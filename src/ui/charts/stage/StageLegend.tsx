import type { StageScene } from '../../../core/chart/stage/scene.ts';
import styles from './stage.module.css';
import { roleColor } from './stageTheme.ts';

/** Workloads with letter, colour and count of VMs, and what else a block or a figure may look like. */
export function StageLegend({ scene: { roles, vms, hosts, placed } }: { scene: StageScene }) {
  if (!placed)
    return (
      <p className={styles.readout}>
        Where VMs run is not known: no answer of vCenter, or none recorded.
      </p>
    );
  const counts = roles.map((_, role) => vms.filter((vm) => vm.role === role).length);
  const has = (state: string): boolean => vms.some((vm) => vm.state === state);
  const away = vms.filter((vm) => vm.host === null).length;
  const stale = hosts.some(({ cpuPct, watts }) => cpuPct.staleMs > 0 || watts.staleMs > 0);
  return (
    <ul className={styles.legend} aria-label="VMs by workload">
      {roles.map(({ id, name, letter, ordinal }, role) =>
        counts[role] === 0 ? null : (
          <li key={id}>
            <span className={styles.chip} style={{ background: roleColor(ordinal) }}>
              {letter}
            </span>
            {name} <b>{counts[role]}</b>
          </li>
        ),
      )}
      {has('idle') && <li>pale: no load</li>}
      {has('lost') && <li>grey ×: lost</li>}
      {away > 0 && <li>{`${away} on no known host`}</li>}
      {stale && <li>(in brackets): old figure</li>}
    </ul>
  );
}
