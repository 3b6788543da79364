import { ModalsProvider } from '@mantine/modals';
import type { ReactNode } from 'react';

import { ImportModal } from '../pages/bundle/ImportModal.tsx';
import { ImportPlanModal } from '../pages/plans/ImportPlanModal.tsx';
import { ShortcutsModal } from './ShortcutsModal.tsx';

/**
 * Dialogs that a command opens from anywhere. Below the router: what they open leads to a page, and
 * one that fails is told there.
 */
export const ConsoleModals = ({ children }: { children: ReactNode }) => (
  <ModalsProvider
    modals={{ shortcuts: ShortcutsModal, importFile: ImportModal, importPlan: ImportPlanModal }}
  >
    {children}
  </ModalsProvider>
);
