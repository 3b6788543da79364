import { Accordion, Badge, Group, Text } from '@mantine/core';
import type { CheckReport } from '../../shared/plan.ts';
import { counted } from '../runs/runWords.ts';

const words = { block: { word: '✗ Blocks', color: 'red.9' }, warn: { word: '! Warning', color: 'orange.9' }, info: { word: 'i Note', color: 'blue.9' }, ok: { word: '✓ Ok', color: 'green.9' } } as const;

/** What the check saw, worst first; evidence and fix unfold in place. */
export function CheckFindings({ report }: { report: CheckReport }) {
  const count = (severity: keyof typeof words): number => report.findings.filter((f) => f.severity === severity).length;
  return (
    <section aria-label="Check">
      <Text size="sm" fw={600} mb={8} role="status">{`${report.ready ? 'Ready to launch' : 'Not ready'}: ${count('block')} blocking, ${counted(count('warn'), 'warning')}, ${counted(count('info'), 'note')}, ${count('ok')} ok. Checked ${new Date(report.atMs).toLocaleTimeString()}.`}</Text>
      <Accordion multiple variant="contained" defaultValue={report.findings.flatMap((f, i) => (f.severity === 'block' ? [String(i)] : []))} transitionDuration={0}>
        {report.findings.map((finding, index) => (
          <Accordion.Item key={index} value={String(index)}>
            <Accordion.Control><Group gap="sm" wrap="nowrap"><Badge w={92} color={words[finding.severity].color} variant="filled" tt="none" style={{ flexShrink: 0 }}>{words[finding.severity].word}</Badge><Text size="sm" lineClamp={1}>{finding.title}</Text><Text size="sm" c="dimmed" lineClamp={1} style={{ flex: 1 }}>{finding.evidence}</Text></Group></Accordion.Control>
            <Accordion.Panel><Text size="sm">{finding.evidence}</Text>{finding.fix && <Text size="sm" mt={4}><b>What to do: </b>{finding.fix}</Text>}<Text size="xs" c="dimmed" mt={4} className="mono">{finding.id}</Text></Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </section>
  );
}
