/**
 * Every page but the first, and what the first needs only when asked: one part of the program,
 * loaded behind the first window.
 */
export { ComparePage } from '../pages/compare/ComparePage.tsx';
export { StudyComparePage } from '../pages/compare/StudyComparePage.tsx';
export { ConnectionsPage } from '../pages/connections/ConnectionsPage.tsx';
export { DetachedReplay } from '../pages/detached/DetachedReplay.tsx';
export { DetachedRun } from '../pages/detached/DetachedRun.tsx';
export { HistoryPage } from '../pages/history/HistoryPage.tsx';
export { CustomerLabPage } from '../pages/lab/CustomerLabPage.tsx';
export { LabPage } from '../pages/lab/LabPage.tsx';
export { ImportPlanModal } from '../pages/plans/ImportPlanModal.tsx';
export { PlanPage } from '../pages/plans/PlanPage.tsx';
export { PlansPage } from '../pages/plans/PlansPage.tsx';
export { PresenterNotes } from '../pages/presenter/PresenterNotes.tsx';
export { PresenterScreen } from '../pages/presenter/PresenterScreen.tsx';
export { PresentIndex } from '../pages/presenter/PresentIndex.tsx';
export { PresentOwn } from '../pages/presenter/PresentOwn.tsx';
export { PresentReplay, PresentRun } from '../pages/presenter/PresentRun.tsx';
export { PresentStory } from '../pages/presenter/PresentStory.tsx';
export { PresentStudy } from '../pages/presenter/PresentStudy.tsx';
export { StoryEditPage } from '../pages/presenter/StoryEditPage.tsx';
export { ProfilePage } from '../pages/profiles/ProfilePage.tsx';
export { ProfilesPage } from '../pages/profiles/ProfilesPage.tsx';
export { ReplayPage } from '../pages/replay/ReplayPage.tsx';
export { RunPage } from '../pages/runs/RunPage.tsx';
export { SettingsPage } from '../pages/settings/SettingsPage.tsx';
export { StudiesPage } from '../pages/studies/StudiesPage.tsx';
export { StudyEditPage } from '../pages/studies/StudyEditPage.tsx';
export { StudyPage } from '../pages/studies/StudyPage.tsx';
export { WhatIfPage } from '../pages/studies/WhatIfPage.tsx';
export { TestbedPage } from '../pages/testbeds/TestbedPage.tsx';
export { TestbedsPage } from '../pages/testbeds/TestbedsPage.tsx';
