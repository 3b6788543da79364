import { Code, List, Stack, Text } from '@mantine/core';

import { prepareSteps } from '../../../core/roles/steps.ts';
import type { Role } from '../../../core/roles/types.ts';
import { roleWork } from '../../../core/roles/words.ts';
import { Fold } from '../../kit/Fold.tsx';

/** Of each role in use: what it is for, its files word for word, and its steps. */
export function RoleFolds({ roles }: { roles: readonly Role[] }) {
  return (
    <Stack gap={8}>
      {roles.map((role) => (
        <Fold key={role.id} title={role.title} said={roleWork(role.id)}>
          <Stack gap={8}>
            <Text size="sm">{role.about}</Text>
            {role.packages.length > 0 && (
              <Text size="sm">{`On Red Hat, Rocky and Alma 8 and 9 (not yet run on such a machine): ${roleWork(role.id, 'redhat')}.`}</Text>
            )}
            <Text size="sm">
              {`Steps: ${prepareSteps(role, { mirror: '' })
                .map(({ title }) => title.toLowerCase())
                .join(', ')}. Each looks first, and does nothing where nothing is to be done.`}
            </Text>
            {role.files.length > 0 && (
              <List size="sm" spacing={8} listStyleType="none">
                {role.files.map(({ path, text, how }) => (
                  <List.Item key={path}>
                    <Text size="sm" className="mono">
                      {path}
                      <Text span inherit ff="text">
                        {how === 'block' ? ' (put before what stands there)' : ''}
                      </Text>
                    </Text>
                    <Code block style={{ fontVariantLigatures: 'none' }}>
                      {text === '' ? '(empty)' : text}
                    </Code>
                  </List.Item>
                ))}
              </List>
            )}
          </Stack>
        </Fold>
      ))}
    </Stack>
  );
}
