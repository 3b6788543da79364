import { type ContextModalProps, ModalsProvider } from '@mantine/modals';
import { lazy, type ReactNode, Suspense } from 'react';

import { ImportModal } from '../pages/bundle/ImportModal.tsx';
import type { ImportPlanProps } from '../pages/plans/ImportPlanModal.tsx';
import { loadPages } from './loadPages.ts';
import { ShortcutsModal } from './ShortcutsModal.tsx';

/** With the pages: no first window imports anything. */
const LaterImportPlan = lazy(async () => ({ default: (await loadPages()).ImportPlanModal }));
const ImportPlan = (props: ContextModalProps<ImportPlanProps>) => (
  <Suspense fallback={null}>
    <LaterImportPlan {...props} />
  </Suspense>
);

/**
 * Dialogs that a command opens from anywhere. Below the router: what they open leads to a page, and
 * one that fails is told there.
 */
export const ConsoleModals = ({ children }: { children: ReactNode }) => (
  <ModalsProvider
    modals={{ shortcuts: ShortcutsModal, importFile: ImportModal, importPlan: ImportPlan }}
  >
    {children}
  </ModalsProvider>
);
