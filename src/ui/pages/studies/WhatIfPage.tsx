import { Button, Group, NativeSelect, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconArrowBackUp, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import { applyEdits } from '../../../core/lab/applyEdits.ts';
import {
  editLimits,
  editWords,
  standing,
  withEdit,
  withoutEdit,
} from '../../../core/lab/editWords.ts';
import type { LabEdit } from '../../../core/lab/labEdit.ts';
import { labPicture } from '../../../core/lab/labPicture.ts';
import type { AxisValue, StudySpec } from '../../../core/study/study.ts';
import { notCalibrated, whatIfOf } from '../../../core/study/whatIf.ts';
import type { Output } from '../../../wire/contract.ts';
import {
  useStudyLabQuery,
  useStudyOverviewQuery,
  useStudyWhatIfMutation,
} from '../../engine/api.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { DrsSelect } from '../../kit/DrsSelect.tsx';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import { parseList } from './studyForm.ts';
import { parsePart, TestbedPicture } from './TestbedPicture.tsx';
import { useStartWatched } from './useStartWatched.ts';
import styles from './whatIf.module.css';
import { PartFields } from './WhatIfFields.tsx';

type LabOf = Output<'study.lab'>;

/** The simulated lab of a study as a drawing whose parts are changed, and run beside the lab as it is. */
export function WhatIfPage() {
  const { id = '' } = useParams();
  const [base, setBase] = useState<AxisValue | undefined>(undefined);
  const study = useStudyOverviewQuery({ id });
  const lab = useStudyLabQuery({ id, ...(base === undefined ? {} : { base }) });
  const error = study.error ?? lab.error;
  if (error)
    return (
      <Failure
        title="The lab of the study cannot be shown"
        error={error as AppErrorShape}
        onRetry={() => {
          void study.refetch();
          void lab.refetch();
        }}
      />
    );
  if (study.currentData === undefined || lab.data === undefined)
    return <Pending label="lab" rows={8} />;
  return <Changes key={id} spec={study.currentData.spec} of={lab.data} onBase={setBase} />;
}

function Changes({
  spec,
  of,
  onBase,
}: {
  spec: StudySpec;
  of: LabOf;
  onBase: (base: AxisValue) => void;
}) {
  const [params] = useSearchParams();
  const [kept, setKept, dropKept] = useKeptEdits(spec);
  const [part, setPart] = useState(() => parsePart(params.get('part')));
  // Beside another curve the lab may be another one: what it has not cannot be changed.
  const edits = useMemo(() => standing(of.lab, kept), [of.lab, kept]);
  const lab = useMemo(() => applyEdits(of.lab, edits), [of.lab, edits]);
  const picture = useMemo(() => labPicture([lab]), [lab]);
  /** null = done; words = the lab cannot have it. */
  const apply = (edit: LabEdit): string | null => {
    try {
      setKept(withEdit(of.lab, edits, edit));
      return null;
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      return [message, hint].filter(Boolean).join(' ');
    }
  };
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{`What if: ${spec.name}`}</Title>
        <Text size="sm" c={dim} mt={4}>
          {`Press a host, an array or the links between them and change it. ${notCalibrated}`}
        </Text>
      </div>
      {of.bases.length > 1 && (
        <NativeSelect
          label="Changes of"
          description="The curve that the changed lab stands beside"
          w={320}
          value={String(of.bases.findIndex(({ value }) => value === of.base))}
          data={of.bases.map(({ label }, place) => ({ value: String(place), label }))}
          onChange={(event) => onBase(of.bases[Number(event.currentTarget.value)]!.value)}
        />
      )}
      <div className={styles.board}>
        <Paper p="md">
          <TestbedPicture
            testbed={picture}
            pressing={{ chosen: part, onPress: setPart, large: true }}
          />
        </Paper>
        <Stack gap="md">
          <Paper p="md" component="section" aria-label="Change">
            <PartFields
              part={part}
              lab={lab}
              picture={picture}
              disks={of.disks}
              apply={apply}
              onClose={() => setPart(null)}
            />
          </Paper>
          <Paper p="md" component="section" aria-label="Scheduler">
            <DrsSelect drs={lab.drs} apply={apply} />
          </Paper>
        </Stack>
      </div>
      <ChangeList
        words={editWords(of.lab, edits)}
        limits={editLimits(lab, edits)}
        onUndo={(index) => setKept(withoutEdit(of.lab, edits, index))}
        onReset={() => setKept([])}
      />
      <Run spec={spec} of={of} edits={edits} onMade={dropKept} />
    </Stack>
  );
}

/** Changes that were not run yet: they survive leaving the page until they are run or reset. */
function useKeptEdits(
  spec: StudySpec,
): [edits: LabEdit[], keep: (edits: LabEdit[]) => void, drop: () => void] {
  const dispatch = useAppDispatch();
  const form = `what if ${spec.id}`;
  const kept = useAppSelector((state) => state.drafts[form] as LabEdit[] | undefined);
  const given = useMemo(() => editsOf(spec), [spec]);
  return [
    kept ?? given,
    (edits) => {
      dispatch(drafted({ form, values: edits }));
    },
    () => {
      dispatch(draftDropped(form));
    },
  ];
}

/** A study of a changed lab is changed further. */
const editsOf = (spec: StudySpec): LabEdit[] =>
  Object.values(whatIfOf(spec)?.parameter.sets ?? {})[0]?.edits ?? [];

function ChangeList({
  words,
  limits,
  onUndo,
  onReset,
}: {
  words: readonly string[];
  limits: readonly string[];
  onUndo: (index: number) => void;
  onReset: () => void;
}) {
  return (
    <Stack gap={6} component="section" aria-label="Changes">
      <Group gap="md">
        <Title order={2}>{words.length === 0 ? 'No change yet' : 'Changes'}</Title>
        {words.length > 1 && (
          <Button size="compact-sm" variant="subtle" onClick={onReset}>
            Reset all
          </Button>
        )}
      </Group>
      <ul className={styles.changes}>
        {words.map((text, index) => (
          <li key={text}>
            <span>{text}</span>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconArrowBackUp size={13} aria-hidden />}
              aria-label={`Undo: ${text}`}
              onClick={() => onUndo(index)}
            >
              Undo
            </Button>
          </li>
        ))}
      </ul>
      {limits.map((text) => (
        <Text key={text} size="sm" c={dim}>
          {text}
        </Text>
      ))}
    </Stack>
  );
}

/** Which values of the first axis are run, and the button that runs them. */
function Run({
  spec,
  of,
  edits,
  onMade,
}: {
  spec: StudySpec;
  of: LabOf;
  edits: LabEdit[];
  onMade: () => void;
}) {
  const navigate = useNavigate();
  const [make, making] = useStudyWhatIfMutation();
  const { start, busy } = useStartWatched();
  const axis = spec.axes[0]!;
  const numbers = axis.values.every((value) => typeof value === 'number');
  const [text, setText] = useState(axis.values.join(', '));
  const values = numbers ? parseList(text) : axis.values;
  const error = numbers ? valuesFault(spec, of.tiles, values) : undefined;
  const run = async (): Promise<void> => {
    const made = await make({
      id: spec.id,
      ...(of.base === null ? {} : { base: of.base }),
      values: [...values],
      edits,
    });
    if (made.error) return;
    onMade();
    await start(made.data.id);
    void navigate(`/studies/${made.data.id}`);
  };
  return (
    <Group align="flex-end" gap="md">
      {numbers && (
        <TextInput
          w={360}
          label={`${axis.label} to run`}
          value={text}
          error={error}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={making.isLoading || busy}
        disabled={edits.length === 0 || error !== undefined}
        onClick={() => void run()}
      >
        Run as a variant
      </Button>
      <Button variant="default" component={Link} to={`/studies/${spec.id}`}>
        Back to the study
      </Button>
      <Text size="sm" c={dim} pb={7} maw={420}>
        {edits.length === 0
          ? 'Make a change first.'
          : error === undefined &&
            `${counted(values.length * spec.repeats, 'run')} of the changed lab. Runs of the lab ` +
              'as it is are taken from this study where it has them.'}
      </Text>
    </Group>
  );
}

function valuesFault(
  { axes }: StudySpec,
  tiles: number,
  values: readonly AxisValue[],
): string | undefined {
  const axis = axes[0]!;
  if (values.length === 0 || values.length > 200) return 'Give 1 to 200 numbers.';
  if (values.some((value) => typeof value !== 'number')) return 'Numbers, separated by commas.';
  if (new Set(values).size < values.length) return 'A number stands twice.';
  return axis.parameter.kind === 'tiles' &&
    values.some((v) => !Number.isInteger(v) || Number(v) < 1 || Number(v) > tiles)
    ? `Whole numbers from 1 to ${tiles}: the testbed has ${counted(tiles, 'tile')}.`
    : undefined;
}
