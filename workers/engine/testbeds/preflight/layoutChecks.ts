import { checkLayout, layoutRules } from '../../../../src/core/layout/layoutRules.ts';
import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import { layoutView } from '../../../../src/core/testbed/layoutView.ts';
import { defineCheck } from './types.ts';
import { vcenterName } from './vcenterChecks.ts';

const toldElsewhere = new Set(
  layoutRules.filter(({ readByChecks }) => readByChecks).map(({ id }) => id),
);

/**
 * The designer's rules, held against the inventory as it is now: capacity, queues, one tile a LUN,
 * and where VMs can be.
 */
export const layoutSound = defineCheck({
  id: 'layout.rules',
  title: 'Layout: capacity, queues and places',
  needs: 'vcenter',
  async run(context) {
    const {
      inputs: { testbed, profile, plan },
      world,
      nameOf,
    } = context;
    const inventory = await world.inventory();
    const known = new Map((await world.reached()).map(({ id, facts }) => [id, facts]));
    const clients = world.clientIds.map((id) => ({
      id,
      name: nameOf(id),
      cpus: known.get(id)?.cpus ?? null,
    }));
    const source = `testbed, ${vcenterName(context)}`;
    const findings = checkLayout(layoutView(testbed, inventory, profile, clients), plan).filter(
      (finding) => !toldElsewhere.has(finding.id),
    );
    const rules = layoutRules.length - toldElsewhere.size;
    return [
      ...findings.map((finding): CheckFinding => ({
        id: finding.id,
        severity: finding.severity,
        title: `${finding.title}: ${finding.subject}`,
        subject: finding.subject,
        source: `${source}; rule: ${finding.source}`,
        evidence: finding.evidence,
        fix: finding.fix,
      })),
      ...(findings.some((finding) => finding.severity !== 'info')
        ? []
        : [
            {
              id: 'layout.rules',
              severity: 'ok' as const,
              title: 'Layout',
              subject: 'layout',
              source,
              evidence: `none of ${rules} rules of capacity and places is broken`,
            },
          ]),
    ];
  },
});
