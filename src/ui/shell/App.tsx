import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router';

import type { Services } from '../engine/bridge.ts';
import { RunServicesContext } from '../engine/services.ts';
import type { AppStore } from '../engine/store.ts';
import { HostNotice } from './HostNotice.tsx';
import { keepFocus } from './keptFocus.ts';
import { cssVariablesResolver, theme } from './look/theme.ts';
import { createRoutes } from './routes.tsx';

/** Providers around the routes; nothing else. */
export function App({ services, store }: { services: Services; store: AppStore }) {
  const [router] = useState(createRoutes);
  useEffect(
    () => () => {
      router.dispose();
    },
    [router],
  );
  useEffect(() => keepFocus(document), []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
    >
      <Provider store={store}>
        <RunServicesContext value={services}>
          <Notifications position="bottom-right" />
          <HostNotice />
          {/* At once: while a transition waits, the next click or key would go to the page before. */}
          <RouterProvider router={router} useTransitions={false} />
        </RunServicesContext>
      </Provider>
    </MantineProvider>
  );
}
