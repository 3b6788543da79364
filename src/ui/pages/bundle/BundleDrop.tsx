import { useEffect, useState } from 'react';

import { binaryOf } from '../../../wire/desktop.ts';
import { useDesktop } from '../../engine/services.ts';
import styles from './bundle.module.css';
import { useTakeFile } from './useOpenBundle.tsx';

const holdsFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true;

/** Files that are dropped anywhere on the window, or handed to the application from outside. */
export function BundleDrop() {
  const desktop = useDesktop();
  const take = useTakeFile();
  const [over, setOver] = useState(false);
  useEffect(() => desktop.onOpenFile((file) => void take(file)), [desktop, take]);
  useEffect(() => {
    const drag = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      for (const file of event.dataTransfer?.files ?? []) void take(binaryOf(file));
    };
    window.addEventListener('dragover', drag);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', drag);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [take]);
  return over ? (
    <div className={styles.over} role="status">
      Drop a bundle, or results of another tool, to open it
    </div>
  ) : null;
}
