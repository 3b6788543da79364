import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { copyFile, setModes } from './files.ts';

const desktopFiles = join(import.meta.dirname, 'linux');

/**
 * Lays out what a package for Linux installs, as it lies below its prefix (`bin`, `lib`, `share`).
 * `application` is moved there. Texts are named by the file they become.
 */
export function layLinux(
  root: string,
  application: string,
  prefix: string,
  texts: Readonly<Record<string, string | Buffer>>,
): void {
  const share = join(prefix, 'share');
  mkdirSync(join(prefix, 'lib'), { recursive: true });
  renameSync(application, join(prefix, 'lib', 'tilebench'));
  for (const program of ['tilebench', 'tilebench-console']) {
    copyFile(join(desktopFiles, program), join(prefix, 'bin', program));
    chmodSync(join(prefix, 'bin', program), 0o755);
  }
  copyFile(join(desktopFiles, 'tilebench.desktop'), join(share, 'applications/tilebench.desktop'));
  copyFile(join(desktopFiles, 'tilebench.xml'), join(share, 'mime/packages/tilebench.xml'));
  copyFile(join(desktopFiles, 'tilebench.service'), join(share, 'doc/tilebench/tilebench.service'));
  const icons = join(share, 'icons/hicolor');
  copyFile(join(root, 'resources/mark.svg'), join(icons, 'scalable/apps/tilebench.svg'));
  copyFile(join(root, 'resources/icon.png'), join(icons, '256x256/apps/tilebench.png'));
  copyFile(join(root, 'resources/tray.png'), join(icons, '32x32/apps/tilebench.png'));
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(join(prefix, path, '..'), { recursive: true });
    writeFileSync(join(prefix, path), text);
  }
  setModes(prefix, ['lib/tilebench/chrome-sandbox']);
}
