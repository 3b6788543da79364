import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';

import type { RunSummary } from '../../core/run/run.ts';
import { useStudyListQuery } from '../engine/api.ts';

/**
 * The study a run belongs to, by name. A run that came in a file, or whose study was removed, leads
 * nowhere: that is said, and is no link.
 */
export function StudyLink({
  study,
  name,
}: {
  study: Pick<NonNullable<RunSummary['study']>, 'id'> & { key?: string };
  /** Where it is known besides. */
  name?: string;
}) {
  const { data } = useStudyListQuery({});
  const found = data?.find((s) => s.id === study.id);
  if (data !== undefined && found === undefined)
    return (
      <Text
        span
        inherit
        title="Its study is not stored here: the run came in a file, or the study was removed."
      >
        {name ?? 'a study that is not here'}
      </Text>
    );
  return (
    <Anchor
      component={Link}
      to={`/studies/${study.id}`}
      size="sm"
      inherit
      // It stands in sentences, where colour alone tells no link.
      underline="always"
      title={study.key}
    >
      {found?.name ?? name ?? 'a study'}
    </Anchor>
  );
}
