import { createHashRouter, Navigate, type RouteObject } from 'react-router';
import { HomePage } from '../home/HomePage.tsx';
import type * as pageModule from './pages.ts';
import { RouteError } from './RouteError.tsx';
import { Shell } from './Shell.tsx';

type Pages = typeof pageModule;
/** How a route comes by its page. */
type PageOf = (name: keyof Pages) => Pick<RouteObject, 'Component' | 'lazy'>;

/** Pages that are there already. */
export const pagesFrom = (pages: Pages): PageOf => (name) => ({ Component: pages[name] });

/** The part with the pages; read once. */
export const loadPages = (): Promise<Pages> => import('./pages.ts');
const pagesLater: PageOf = (name) => ({ lazy: async () => ({ Component: (await loadPages())[name] }) });

/** All addresses of the console. */
export const routes = (page: PageOf): RouteObject[] => [{
  path: '/', element: <Shell />, errorElement: <RouteError />, hydrateFallbackElement: <></>,
  children: [
    { index: true, element: <HomePage /> },
    { path: 'connections', ...page('ConnectionsPage') },
    { path: 'testbeds', ...page('TestbedsPage') },
    { path: 'testbeds/:id', ...page('TestbedPage') },
    { path: 'plans', ...page('PlansPage') },
    { path: 'plans/:id', ...page('PlanPage') },
    { path: 'runs', ...page('RunsPage') },
    { path: 'runs/:id', ...page('RunPage') },
    { path: 'runs/:id/replay', ...page('ReplayPage') },
    { path: 'studies', ...page('StudiesPage') },
    { path: 'studies/new', ...page('StudyEditPage') },
    { path: 'studies/:id', ...page('StudyPage') },
    { path: 'studies/:id/edit', ...page('StudyEditPage') },
    { path: 'history', ...page('HistoryPage') },
    { path: 'compare', ...page('ComparePage') },
    { path: 'compare/studies', ...page('StudyComparePage') },
    { path: 'lab', ...page('LabPage') },
    { path: 'settings', ...page('SettingsPage') },
    { path: 'profiles', ...page('ProfilesPage') },
    { path: 'profiles/:id', ...page('ProfilePage') },
    { path: '*', element: <Navigate to="/" replace /> },
  ],
}, {
  // Windows for further screens.
  path: '/detached', errorElement: <RouteError />, hydrateFallbackElement: <></>,
  children: [
    { path: 'run/:id', ...page('DetachedRun') },
    { path: 'run/:id/:panel', ...page('DetachedRun') },
    { path: 'replay/:id', ...page('DetachedReplay') },
    { path: '*', element: <Navigate to="/" replace /> },
  ],
}, {
  // The whole screen, without the frame.
  path: '/present', errorElement: <RouteError />, hydrateFallbackElement: <></>,
  children: [
    { index: true, ...page('PresentIndex') },
    { path: 'run/:id', ...page('PresentRun') },
    { path: 'replay/:id', ...page('PresentReplay') },
    { path: 'study/:id', ...page('PresentStudy') },
    { path: 'story/:id', ...page('PresentStory') },
    { path: '*', element: <Navigate to="/present" replace /> },
  ],
}];

/** Hash routes: the same addresses from a file, from loopback and in Electron. */
export const createRoutes = (): ReturnType<typeof createHashRouter> => createHashRouter(routes(pagesLater));
