import { createElement, type ReactNode, Suspense, use } from 'react';
import { createHashRouter, Navigate, type RouteObject, useLocation } from 'react-router';

import { HomePage } from '../pages/home/HomePage.tsx';
import { ConsoleModals } from './ConsoleModals.tsx';
import { LabPlace } from './LabPlace.tsx';
import { loadedPages, loadPages, type Pages } from './loadPages.ts';
import { PageNames } from './PageNames.tsx';
import { RouteError } from './RouteError.tsx';
import { Shell } from './Shell.tsx';

/** How a route comes by its page. */
type PageOf = (name: keyof Pages) => ReactNode;

/** Pages that are there already. */
export const pagesFrom =
  (pages: Pages): PageOf =>
  (name) =>
    createElement(pages[name]);

/**
 * Drawn at once where the part is there: a route that the router itself loads later would leave the
 * page before in place, and the next keys would go there.
 */
function Later({ name }: { name: keyof Pages }) {
  return createElement((loadedPages() ?? use(loadPages()))[name]);
}
const pagesLater: PageOf = (name) => (
  <Suspense fallback={null}>
    <Later name={name} />
  </Suspense>
);

/** The history is a part of the runs now; an address of before keeps its filter. */
function HistoryMoved() {
  const { search } = useLocation();
  return <Navigate to={{ pathname: '/runs', search }} replace />;
}

/** All addresses of the console. */
export const routes = (page: PageOf): RouteObject[] => [
  {
    element: (
      <ConsoleModals>
        <PageNames />
      </ConsoleModals>
    ),
    errorElement: <RouteError />,
    children: pages(page),
  },
];

const pages = (page: PageOf): RouteObject[] => [
  {
    path: '/',
    element: <Shell />,
    errorElement: <RouteError />,
    children: [
      { index: true, element: <HomePage /> },
      {
        element: <LabPlace />,
        children: [
          { path: 'connections', element: page('ConnectionsPage') },
          { path: 'testbeds', element: page('TestbedsPage') },
          { path: 'lab', element: page('LabPage') },
        ],
      },
      { path: 'testbeds/:id', element: page('TestbedPage') },
      { path: 'plans', element: page('PlansPage') },
      { path: 'plans/:id', element: page('PlanPage') },
      { path: 'runs', element: page('HistoryPage') },
      { path: 'runs/:id', element: page('RunPage') },
      { path: 'runs/:id/replay', element: page('ReplayPage') },
      { path: 'studies', element: page('StudiesPage') },
      { path: 'studies/new', element: page('StudyEditPage') },
      { path: 'studies/:id', element: page('StudyPage') },
      { path: 'studies/stories/:id', element: page('StoryEditPage') },
      { path: 'studies/:id/edit', element: page('StudyEditPage') },
      { path: 'studies/:id/what-if', element: page('WhatIfPage') },
      { path: 'history', element: <HistoryMoved /> },
      { path: 'compare', element: page('ComparePage') },
      { path: 'compare/studies', element: page('StudyComparePage') },
      { path: 'lab/new', element: page('CustomerLabPage') },
      { path: 'settings', element: page('SettingsPage') },
      { path: 'profiles', element: page('ProfilesPage') },
      { path: 'profiles/:id', element: page('ProfilePage') },
      { path: '*', element: <Navigate to="/" replace /> },
    ],
  },
  {
    // Windows for further screens.
    path: '/detached',
    errorElement: <RouteError />,
    children: [
      { path: 'run/:id', element: page('DetachedRun') },
      { path: 'run/:id/:panel', element: page('DetachedRun') },
      { path: 'replay/:id', element: page('DetachedReplay') },
      { path: 'notes', element: page('PresenterNotes') },
      { path: '*', element: <Navigate to="/" replace /> },
    ],
  },
  {
    // The whole screen, without the frame.
    path: '/present',
    element: page('PresenterScreen'),
    errorElement: <RouteError />,
    children: [
      { index: true, element: page('PresentIndex') },
      { path: 'run/:id', element: page('PresentRun') },
      { path: 'replay/:id', element: page('PresentReplay') },
      { path: 'study/:id', element: page('PresentStudy') },
      { path: 'story/:id', element: page('PresentStory') },
      { path: 'own/:id', element: page('PresentOwn') },
      { path: '*', element: <Navigate to="/present" replace /> },
    ],
  },
];

/** Hash routes: the same addresses from a file, from loopback and in Electron. */
export const createRoutes = (): ReturnType<typeof createHashRouter> =>
  createHashRouter(routes(pagesLater));
