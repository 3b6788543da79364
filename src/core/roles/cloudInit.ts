import { prepareSteps, type RoleSettings } from './steps.ts';
import type { Family } from './systems.ts';
import type { Role } from './types.ts';

const folder = '/var/lib/tilebench';

/** Text as a block of YAML, each line as it is. */
const block = (text: string, indent: string): string =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line === '' ? '' : `${indent}${line}`))
    .join('\n');

/**
 * The role as user-data for cloud-init: the very steps that go over SSH, run once at the first
 * start, so that undo over SSH takes them back. No locale is set (the package for it may be
 * missing) and the machine knows its own name (sudo asks for it).
 */
export function cloudInit(role: Role, settings: RoleSettings, family: Family = 'debian'): string {
  const all = prepareSteps(role, settings, family).map(
    ({ script, title }) => `# ${title}\n(\n${script.replace(/\n$/, '')}\n) || exit 1`,
  );
  const script = `#!/bin/sh\n# ${role.title}, by Tilebench: each step may be run again.\n${all.join('\n\n')}\n`;
  const path = `${folder}/prepare-${role.id}.sh`;
  return `#cloud-config
# ${role.title}. ${role.about}
locale: false
manage_etc_hosts: true
package_update: false
write_files:
  - path: ${path}
    permissions: '0700'
    owner: root:root
    content: |
${block(script, '      ')}
runcmd:
  - [sh, ${path}]
`;
}
