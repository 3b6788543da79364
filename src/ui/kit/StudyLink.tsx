import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

import type { RunSummary } from '../../core/run/run.ts';
import { useStudyListQuery } from '../engine/api.ts';

/** The study a run belongs to, by name; its id while the list is not there. */
export function StudyLink({ study }: { study: NonNullable<RunSummary['study']> }) {
  const { data } = useStudyListQuery({});
  return (
    <Anchor component={Link} to={`/studies/${study.id}`} size="sm" inherit title={study.key}>
      {data?.find((s) => s.id === study.id)?.name ?? study.id}
    </Anchor>
  );
}
