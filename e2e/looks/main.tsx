import '@mantine/core/styles.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import '../../src/ui/shell/look/global.css';

import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';

import { type RunServices, RunServicesContext } from '../../src/ui/engine/services.ts';
import { cssVariablesResolver, theme } from '../../src/ui/shell/look/theme.ts';
import { Looks } from './Looks.tsx';

/** What is drawn here asks nothing of an engine: whoever does is refused, and seen. */
const nothing = new Proxy(
  {},
  {
    get: (_target, name) => {
      throw new Error(`A component of this page asked for ${String(name)}.`);
    },
  },
);
const services = {
  client: nothing,
  desktop: nothing,
  workspace: { kind: 'real', open: () => undefined },
} as unknown as RunServices;

createRoot(document.getElementById('root')!).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    defaultColorScheme="auto"
  >
    <RunServicesContext value={services}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element: <Looks /> }])} />
    </RunServicesContext>
  </MantineProvider>,
);
