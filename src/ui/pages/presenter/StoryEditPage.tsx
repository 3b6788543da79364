import {
  ActionIcon,
  Button,
  Card,
  Group,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';

import { type OwnStep, type OwnStory, storyLimits } from '../../../core/history/story.ts';
import { isEnd } from '../../../core/run/states.ts';
import { editStoryPath, ownStoryPath } from '../../addresses/presentTarget.ts';
import { useRunListQuery, useStudyListQuery } from '../../engine/api.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import { ExportStory } from './ExportStory.tsx';
import { useOwnStories, useStoryCommands } from './ownStories.ts';

const emptyStory = (): OwnStory => ({
  id: `story-${crypto.randomUUID()}`,
  name: '',
  steps: [],
});

/** A story of one's own runs and studies: which, in what order, what the room reads, what is said. */
export function StoryEditPage() {
  const { id = 'new' } = useParams();
  const { stories, loading, error } = useOwnStories();
  const story = stories.find((one) => one.id === id);
  if (error !== null) return <Failure title="The stories cannot be read" error={error} />;
  if (loading) return <Pending label="story" rows={4} />;
  if (id !== 'new' && story === undefined)
    return (
      <Nothing
        text="There is no such story here. It was deleted, or it is in the other lab."
        action={
          <Button component={Link} to={editStoryPath('new')} size="xs">
            New story
          </Button>
        }
      />
    );
  return <StoryForm key={id} stored={story ?? null} full={stories.length >= storyLimits.stories} />;
}

function StoryForm({ stored, full }: { stored: OwnStory | null; full: boolean }) {
  const navigate = useNavigate();
  const { save, remove } = useStoryCommands();
  const [story, setStory] = useState<OwnStory>(() => stored ?? emptyStory());
  const setSteps = (steps: readonly OwnStep[]): void => setStory({ ...story, steps: [...steps] });
  const lacks =
    stored === null && full
      ? `There are ${storyLimits.stories} stories already. Delete one first.`
      : story.name.trim() === ''
        ? 'Before it can be saved: give it a title.'
        : story.steps.length === 0
          ? 'Before it can be saved: add a run or a study.'
          : null;
  // A refusal is shown as a notice, and what was typed stays.
  const keep = (then: string): void => {
    save({ ...story, name: story.name.trim() }).then(
      () => void navigate(then),
      () => undefined,
    );
  };
  return (
    <Stack gap="md" maw={900}>
      <Group justify="space-between">
        <Title order={1}>{stored === null ? 'New story' : 'Edit story'}</Title>
        <Group gap={8}>
          {stored !== null && <ExportStory story={stored} />}
          {stored !== null && (
            <Button
              variant="default"
              onClick={() => {
                remove(story.id).then(
                  () => void navigate('/present'),
                  () => undefined,
                );
              }}
            >
              Delete story
            </Button>
          )}
          <Button
            variant="default"
            disabled={lacks !== null}
            onClick={() => keep(editStoryPath(story.id))}
          >
            Save story
          </Button>
          <Button disabled={lacks !== null} onClick={() => keep(ownStoryPath(story.id))}>
            Save and present
          </Button>
        </Group>
      </Group>
      <Text size="sm" c={dim}>
        Stored runs and studies are shown as they stand: nothing is computed in the room. S opens
        the notes on a second screen.
      </Text>
      {lacks !== null && (
        <Text size="sm" role="status">
          {lacks}
        </Text>
      )}
      <TextInput
        label="Title"
        required
        maxLength={storyLimits.name}
        value={story.name}
        onChange={(event) => setStory({ ...story, name: event.currentTarget.value })}
      />
      {story.steps.map((step, i) => (
        <StepCard
          key={i}
          step={step}
          place={i}
          count={story.steps.length}
          onChange={(changed) => setSteps(story.steps.map((one, k) => (k === i ? changed : one)))}
          onMove={(by) => setSteps(moved(story.steps, i, i + by))}
          onRemove={() => setSteps(story.steps.filter((_, k) => k !== i))}
        />
      ))}
      {story.steps.length < storyLimits.steps && (
        <AddStep onAdd={(step) => setSteps([...story.steps, step])} />
      )}
    </Stack>
  );
}

/** The list with the one at `from` at the place `to`. */
function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, i) => i !== from);
  return [...rest.slice(0, to), list[from]!, ...rest.slice(to)];
}

/** Name of what a step shows; null = it is not there any more. */
function useNameOf({ kind, of }: OwnStep): string | null {
  const { data: runs = [] } = useRunListQuery({});
  const { data: studies = [] } = useStudyListQuery({});
  return (kind === 'run' ? runs : studies).find(({ id }) => id === of)?.name ?? null;
}

function StepCard({
  step,
  place,
  count,
  onChange,
  onMove,
  onRemove,
}: {
  step: OwnStep;
  place: number;
  count: number;
  onChange: (step: OwnStep) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}) {
  const name = useNameOf(step);
  const called = `step ${place + 1}`;
  return (
    <Card component="section" aria-label={`Step ${place + 1}`}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2}>
            {`${place + 1}. ${name ?? `This ${step.kind} does not exist any more`}`}
          </Title>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              aria-label={`Move ${called} up`}
              disabled={place === 0}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              aria-label={`Move ${called} down`}
              disabled={place === count - 1}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" aria-label={`Remove ${called}`} onClick={onRemove}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
        <TextInput
          label="Headline"
          description="What the room reads; empty: the name"
          maxLength={storyLimits.headline}
          value={step.headline}
          onChange={(event) => onChange({ ...step, headline: event.currentTarget.value })}
        />
        <Textarea
          label="Speaker notes"
          description="On the second screen only"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={storyLimits.notes}
          value={step.notes}
          onChange={(event) => onChange({ ...step, notes: event.currentTarget.value })}
        />
      </Stack>
    </Card>
  );
}

function AddStep({ onAdd }: { onAdd: (step: OwnStep) => void }) {
  const { data: runs = [] } = useRunListQuery({});
  const { data: studies = [] } = useStudyListQuery({});
  const ended = runs.filter(({ state, startedAtMs }) => isEnd(state) && startedAtMs !== null);
  return (
    <Select
      label="Add a run or a study"
      placeholder="Choose"
      searchable
      limit={100}
      nothingFoundMessage="No ended run and no study has this name"
      value={null}
      data={[
        {
          group: 'Studies',
          items: studies.map(({ id, name }) => ({ value: `study ${id}`, label: name })),
        },
        {
          group: 'Runs',
          items: ended.map(({ id, name }) => ({ value: `run ${id}`, label: name })),
        },
      ]}
      onChange={(chosen) => {
        if (chosen === null) return;
        const [kind, ...of] = chosen.split(' ');
        onAdd({
          kind: kind === 'run' ? 'run' : 'study',
          of: of.join(' '),
          headline: '',
          notes: '',
        });
      }}
    />
  );
}
