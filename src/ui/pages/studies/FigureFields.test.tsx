import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { FigureShape, StudyAxis } from '../../../core/study/study.ts';
import { chartChoices, studyChart } from '../../../core/study/studyModel.ts';
import { FigureFields } from './FigureFields.tsx';
import { StudyFindings } from './StudyFindings.tsx';
import { demoStudy } from './testing/overviews.ts';

const twoAxes = () => {
  const study = demoStudy();
  const [tiles] = study.spec.axes;
  const drs = {
    ...tiles!,
    name: 'drs',
    label: 'DRS stars',
    unit: '',
    parameter: { kind: 'lab' as const, path: 'drs.stars' },
    values: [1, 5],
  };
  return { ...study, spec: { ...study.spec, axes: [tiles!, drs] } };
};

/** The fields over a study, and what they ask to be drawn. */
function shown(shape: FigureShape = {}, overview = twoAxes()) {
  const asked: FigureShape[] = [];
  const choices = chartChoices(overview, new Map());
  const choice = { ...choices[0]!, shape };
  render(
    <MantineProvider env="test">
      <FigureFields
        overview={overview}
        curve={{
          choices,
          choice,
          choose: () => undefined,
          normalised: true,
          normalise: () => undefined,
          reshape: (change) => asked.push(change),
          method: undefined,
          chooseMethod: () => undefined,
          curve: undefined,
          chooseCurve: () => undefined,
          chart: studyChart(overview, choice, true),
          columns: [],
        }}
      />
    </MantineProvider>,
  );
  return { asked, user: userEvent.setup() };
}

test('the other axis is put below the chart, and what was compared is dropped with it', async () => {
  const { asked, user } = shown();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Horizontal axis' }), 'drs');
  expect(asked).toEqual([{ over: 'drs', against: undefined }]);
});

test('each curve is compared with one of them, and no longer', async () => {
  const { asked, user } = shown();
  const field = screen.getByRole('combobox', { name: 'Compared with' });
  const ratio = screen.getAllByRole('option', { name: /^Ratio to / })[0]!;
  await user.selectOptions(field, ratio);
  await user.selectOptions(field, 'Each curve as it is');
  expect(asked).toEqual([{ against: { curve: 1, as: 'ratio' } }, { against: undefined }]);
});

test('a figure whose bars or time its author set, and a study of one axis, offer none of these', () => {
  shown({ overTime: true });
  expect(screen.queryByRole('combobox')).toBeNull();
  shown({}, demoStudy());
  expect(screen.queryByRole('combobox', { name: 'Horizontal axis' })).toBeNull();
});

const says = (against: StudyAxis | undefined): void => {
  const overview = demoStudy();
  render(
    <MantineProvider env="test">
      <StudyFindings
        overview={overview}
        measure={chartChoices(overview, new Map())[0]!.measure}
        against={against ?? overview.spec.axes[0]!}
        method={undefined}
        onMethod={() => undefined}
        curve={undefined}
        onCurve={() => undefined}
      />
    </MantineProvider>,
  );
};

test('a knee beside a chart of another axis says along which one it was found', () => {
  says(twoAxes().spec.axes[1]);
  expect(
    screen.getByText(/^Found along Tiles\. The chart is drawn against DRS stars,/),
  ).toBeVisible();
});

test('a knee beside a chart of its own axis says nothing of axes', () => {
  says(undefined);
  expect(screen.queryByText(/^Found along/)).toBeNull();
});
