import { Outlet } from 'react-router';

import { FullScreenContext, useFullScreenOwner } from './fullScreen.ts';

/** What all pages of the presenter lie in: it alone owns full screen. */
export function PresenterScreen() {
  return (
    <FullScreenContext value={useFullScreenOwner()}>
      <Outlet />
    </FullScreenContext>
  );
}
