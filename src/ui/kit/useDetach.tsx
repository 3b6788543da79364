import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';

import { toAppError } from '../../core/base/errors.ts';
import { useDesktop } from '../engine/services.ts';

/** Opens a route in a second window; where the browser blocks it, says so and what to do. */
export function useDetach(): (route: string) => void {
  const desktop = useDesktop();
  return useCallback(
    (route) => {
      desktop.detach(route).then(
        (result) => {
          if (result === 'blocked') tellBlocked(route);
        },
        (thrown: unknown) => {
          notifications.show({
            color: 'red',
            title: 'The second window could not be opened',
            message: toAppError(thrown).message,
          });
        },
      );
    },
    [desktop],
  );
}

function tellBlocked(route: string): void {
  const address = new URL(window.location.href);
  address.hash = route;
  notifications.show({
    id: 'detach.blocked',
    color: 'orange',
    autoClose: false,
    title: 'The browser blocked the second window',
    message: (
      <>
        {`Allow pop-up windows for ${address.host} in the address bar and detach again, or `}
        <Anchor
          size="sm"
          href={address.href}
          target="_blank"
          rel="noopener"
          onClick={() => {
            notifications.hide('detach.blocked');
          }}
        >
          open it in a tab
        </Anchor>
        .
      </>
    ),
  });
}
