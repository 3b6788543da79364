import { Group, Paper, Text, Title } from '@mantine/core';

import { fills, grounds, heat, inks } from '../../src/ui/shell/look/roles.ts';

const Swatch = ({ name, ground, ink }: { name: string; ground: string; ink: string }) => (
  <div
    style={{
      background: ground,
      color: ink,
      border: '1px solid var(--tb-line)',
      padding: '6px 10px',
      minWidth: 118,
    }}
  >
    {name}
  </div>
);
const role = (name: string): string => `var(--tb-${name})`;

/** Grounds, words on them, fills and heat, by role; the scale of type. */
export const ColourLooks = () => (
  <Paper component="section" p="md">
    <Title order={2}>Colours and type</Title>
    {Object.keys(grounds).map((ground) => (
      <Group key={ground} gap={0} mt={6}>
        {Object.keys(inks).map((ink) => (
          <Swatch key={ink} name={ink} ground={role(ground)} ink={role(ink)} />
        ))}
      </Group>
    ))}
    <Group gap={0} mt={6}>
      {Object.keys(fills).map((fill) => (
        <Swatch key={fill} name={fill} ground={role(fill)} ink="#fff" />
      ))}
    </Group>
    <Group gap={0} mt={6}>
      {Object.keys(heat).map((name) => (
        <Swatch
          key={name}
          name={name}
          ground={role(`heat-${name}`)}
          ink={role(`heat-${name}-ink`)}
        />
      ))}
    </Group>
    {([1, 2, 3] as const).map((order) => (
      <Title key={order} order={order} mt="xs">
        {`Heading ${order}: throughput, latency, watts`}
      </Title>
    ))}
    {(['lg', 'md', 'sm', 'xs'] as const).map((size) => (
      <Text key={size} size={size}>
        {`${size}: 1,234.5 tps, 12.3 ms, 38 % left; Größe, Ёлка`}
      </Text>
    ))}
    <Text ff="monospace">SHA256:8ekrTIa/aZjLCu 0O1lI</Text>
  </Paper>
);
