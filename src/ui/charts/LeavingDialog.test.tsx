/** @jest-environment jsdom */
import '@testing-library/jest-dom';

import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { LeavingDialog } from './LeavingDialog.tsx';
import { type LeavingName, LeavingNamesContext } from './leavingNames.ts';
import { installChartDom, renderPage } from './testing/page.tsx';

installChartDom();
const texts = ['esx7.acme.example CPU'];

/** What the dialog writes of its text, once the names are replaced. */
async function written(load: (() => Promise<readonly LeavingName[]>) | null): Promise<string> {
  const user = userEvent.setup();
  let out = '';
  renderPage(
    <LeavingNamesContext value={load}>
      <LeavingDialog
        title="PNG"
        verb="Save PNG"
        texts={texts}
        onClose={() => undefined}
        onWrite={(text) => (out = text(texts[0]!))}
      />
    </LeavingNamesContext>,
  );
  await user.click(screen.getByRole('checkbox', { name: 'Replace names and addresses' }));
  await waitFor(() => {
    expect(
      screen.queryByRole('checkbox', { name: /looked/i }) ??
        screen.getByRole('button', { name: 'Save PNG' }),
    ).toBeEnabled();
  });
  const looked = screen.queryByRole('checkbox', { name: /looked/i });
  if (looked) await user.click(looked);
  await user.click(screen.getByRole('button', { name: 'Save PNG' }));
  return out;
}

test('a picture gives a host the pseudonym that the bundle of its run gives it', async () => {
  const names = [{ kind: 'host', from: 'esx7.acme.example', to: 'redacted-host-12' }];
  expect(await written(() => Promise.resolve(names))).toBe('redacted-host-12 CPU');
});

test('where the names cannot be read it is said, and no name leaves', async () => {
  expect(await written(() => Promise.reject(new Error('The engine is away.')))).toMatch(
    /^redacted-word-\d+ CPU$/,
  );
  expect(screen.getByRole('status')).toHaveTextContent('The engine is away.');
});

test('a chart that is of no run replaces what it does not know', async () => {
  expect(await written(null)).toMatch(/^redacted-word-\d+ CPU$/);
});
