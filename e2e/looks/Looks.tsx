import { Stack, Title } from '@mantine/core';

import { ChartLooks } from './ChartLooks.tsx';
import { ColourLooks } from './ColourLooks.tsx';
import { ControlLooks } from './ControlLooks.tsx';
import { StateLooks } from './StateLooks.tsx';

/**
 * Every component and its states on one page, in the theme of the system. Not in the shipped
 * build: its pictures are held against those of before.
 */
export const Looks = () => (
  <Stack component="main" p="lg" gap="lg" w={1240}>
    <Title order={1}>Components</Title>
    <ColourLooks />
    <StateLooks />
    <ControlLooks />
    <ChartLooks />
  </Stack>
);
