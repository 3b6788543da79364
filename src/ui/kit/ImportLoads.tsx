import { Code, ScrollArea, Stack, Text } from '@mantine/core';

import { counted } from '../../core/base/counted.ts';
import { visibleLines, visibleText } from '../../core/base/visibleText.ts';
import type { ImportLoad } from '../../core/planImport/schema.ts';
import { dim } from './tones.ts';

const maxClients = 5;
const clientsOf = ({ clients }: ImportLoad): string =>
  clients.slice(0, maxClients).map(visibleText).join(', ') +
  (clients.length > maxClients ? ` and ${clients.length - maxClients} more` : '');

/**
 * What runs on client machines: shell commands whole, of the other drivers what the file says of
 * them.
 */
export function ImportLoads({ loads }: { loads: readonly ImportLoad[] }) {
  return (
    <Stack gap={6} component="section" aria-label="Runs on client machines">
      <Text fw={600} size="sm">{`Runs on client machines (${counted(loads.length, 'load')})`}</Text>
      <ScrollArea.Autosize
        mah={260}
        viewportProps={{ tabIndex: 0, 'aria-label': 'Runs on client machines, scrollable' }}
      >
        <Stack gap={8}>
          {loads.map((load) => (
            <div key={`${load.driver} ${load.text}`}>
              <Text size="sm">
                {load.isCommand ? 'Shell command' : visibleText(load.driver)}
                <Text span size="xs" c={dim}>
                  {` · ${counted(load.workloads, 'workload')} on ${clientsOf(load)}`}
                </Text>
              </Text>
              {load.text !== '' &&
                (load.isCommand ? (
                  <Code block>{visibleLines(load.text).join('\n')}</Code>
                ) : (
                  <Text size="xs" c={dim} style={{ overflowWrap: 'anywhere' }}>
                    {visibleText(load.text)}
                  </Text>
                ))}
            </div>
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}
