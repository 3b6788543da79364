import { act, fireEvent, render, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';

import { usePageActions, useShownActions } from './pageActions.ts';

const draws: number[] = [];
function Frame() {
  useEffect(() => {
    draws.push(draws.length);
  });
  const actions = useShownActions() ?? [];
  return actions.map(({ id, title, run }) => (
    <button key={id} onClick={run}>
      {title}
    </button>
  ));
}
const done: string[] = [];
function Page({ title }: { title: string }) {
  const [count, setCount] = useState(0);
  usePageActions([{ id: 'do', title, run: () => done.push(`${title} ${count}`) }]);
  return <button onClick={() => setCount(count + 1)}>count</button>;
}

test('the frame shows what the last page can do, as it was drawn last, and nothing after it', () => {
  const { rerender } = render(
    <>
      <Frame />
      <Page title="Save" />
    </>,
  );
  const before = draws.length;
  fireEvent.click(screen.getByRole('button', { name: 'count' }));
  expect(draws).toHaveLength(before);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(done).toEqual(['Save 1']);
  act(() =>
    rerender(
      <>
        <Frame />
        <Page title="Launch" />
      </>,
    ),
  );
  expect(screen.getByRole('button', { name: 'Launch' })).toBeVisible();
  rerender(<Frame />);
  expect(screen.queryByRole('button')).toBeNull();
});
