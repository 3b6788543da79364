import { createHashRouter, Navigate, type RouteObject } from 'react-router';
import { ComparePage } from '../compare/ComparePage.tsx';
import { StudyComparePage } from '../compare/StudyComparePage.tsx';
import { ConnectionsPage } from '../connections/ConnectionsPage.tsx';
import { DetachedReplay } from '../detached/DetachedReplay.tsx';
import { DetachedRun } from '../detached/DetachedRun.tsx';
import { HistoryPage } from '../history/HistoryPage.tsx';
import { HomePage } from '../home/HomePage.tsx';
import { LabPage } from '../lab/LabPage.tsx';
import { PlanPage } from '../plans/PlanPage.tsx';
import { PlansPage } from '../plans/PlansPage.tsx';
import { PresentIndex } from '../presenter/PresentIndex.tsx';
import { PresentReplay, PresentRun } from '../presenter/PresentRun.tsx';
import { PresentStory } from '../presenter/PresentStory.tsx';
import { PresentStudy } from '../presenter/PresentStudy.tsx';
import { ReplayPage } from '../replay/ReplayPage.tsx';
import { RunPage } from '../runs/RunPage.tsx';
import { RunsPage } from '../runs/RunsPage.tsx';
import { ProfilePage } from '../profiles/ProfilePage.tsx';
import { ProfilesPage } from '../profiles/ProfilesPage.tsx';
import { SettingsPage } from '../settings/SettingsPage.tsx';
import { StudiesPage } from '../studies/StudiesPage.tsx';
import { StudyEditPage } from '../studies/StudyEditPage.tsx';
import { StudyPage } from '../studies/StudyPage.tsx';
import { TestbedPage } from '../testbeds/TestbedPage.tsx';
import { TestbedsPage } from '../testbeds/TestbedsPage.tsx';
import { RouteError } from './RouteError.tsx';
import { Shell } from './Shell.tsx';

export const routes: RouteObject[] = [{
  path: '/', element: <Shell />, errorElement: <RouteError />,
  children: [
    { index: true, element: <HomePage /> },
    { path: 'connections', element: <ConnectionsPage /> },
    { path: 'testbeds', element: <TestbedsPage /> },
    { path: 'testbeds/:id', element: <TestbedPage /> },
    { path: 'plans', element: <PlansPage /> },
    { path: 'plans/:id', element: <PlanPage /> },
    { path: 'runs', element: <RunsPage /> },
    { path: 'runs/:id', element: <RunPage /> },
    { path: 'runs/:id/replay', element: <ReplayPage /> },
    { path: 'studies', element: <StudiesPage /> },
    { path: 'studies/new', element: <StudyEditPage /> },
    { path: 'studies/:id', element: <StudyPage /> },
    { path: 'studies/:id/edit', element: <StudyEditPage /> },
    { path: 'history', element: <HistoryPage /> },
    { path: 'compare', element: <ComparePage /> },
    { path: 'compare/studies', element: <StudyComparePage /> },
    { path: 'lab', element: <LabPage /> },
    { path: 'settings', element: <SettingsPage /> },
    { path: 'profiles', element: <ProfilesPage /> },
    { path: 'profiles/:id', element: <ProfilePage /> },
    { path: '*', element: <Navigate to="/" replace /> },
  ],
}, {
  // Windows for further screens.
  path: '/detached', errorElement: <RouteError />,
  children: [
    { path: 'run/:id', element: <DetachedRun /> },
    { path: 'run/:id/:panel', element: <DetachedRun /> },
    { path: 'replay/:id', element: <DetachedReplay /> },
    { path: '*', element: <Navigate to="/" replace /> },
  ],
}, {
  // The whole screen, without the frame.
  path: '/present', errorElement: <RouteError />,
  children: [
    { index: true, element: <PresentIndex /> },
    { path: 'run/:id', element: <PresentRun /> },
    { path: 'replay/:id', element: <PresentReplay /> },
    { path: 'study/:id', element: <PresentStudy /> },
    { path: 'story/:id', element: <PresentStory /> },
    { path: '*', element: <Navigate to="/present" replace /> },
  ],
}];

/** Hash routes: the same addresses from a file, from loopback and in Electron. */
export const createRoutes = (): ReturnType<typeof createHashRouter> => createHashRouter(routes);
