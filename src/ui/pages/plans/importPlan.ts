import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import { toAppError } from '../../../core/base/errors.ts';
import type { ImportDecisions } from '../../../core/planImport/decide.ts';
import type { ImportPreview, ImportSource } from '../../../core/planImport/schema.ts';
import { usePlanImportMutation, usePlanPreviewImportMutation } from '../../engine/api.ts';
import { useDesktop } from '../../engine/services.ts';
import type { ImportPlanProps } from './ImportPlanModal.tsx';

/**
 * Stores a file that was agreed to and goes to its plan; false where it was refused, which the
 * store has told.
 */
function useTakePlan(): (
  source: ImportSource,
  preview: ImportPreview,
  decisions: ImportDecisions,
) => Promise<boolean> {
  const navigate = useNavigate();
  const [importPlan] = usePlanImportMutation();
  return useCallback(
    async (source, preview, decisions) => {
      const taken = await importPlan({
        ...source,
        trust: preview.digest,
        decisions: { ...decisions },
      });
      if (taken.error) return false;
      const { plan } = taken.data;
      notifications.show({
        color: 'green',
        message: `Plan ${plan.name} imported with its testbed and connections.`,
      });
      void navigate(`/plans/${plan.id}`);
      return true;
    },
    [importPlan, navigate],
  );
}

/** Asks for a plan file, checks it with line and column, and offers it. */
export function useImportPlan(): () => Promise<void> {
  const desktop = useDesktop();
  const offer = useOfferPlan();
  return useCallback(async () => {
    const file = await desktop.openFile(['json', 'jsonc']);
    if (!file) return;
    let source: ImportSource;
    try {
      // Read with the first file: the first window needs none of it.
      const { readPlanSource } = await import('./planSource.ts');
      source = readPlanSource(file.name, file.text);
    } catch (thrown) {
      const error = toAppError(thrown);
      notifications.show({
        color: 'red',
        title: error.message,
        message: error.hint ?? '',
        autoClose: 12_000,
      });
      return;
    }
    await offer(file.name, source, false);
  }, [desktop, offer]);
}

/**
 * Shows what a plan file reaches, runs and replaces before any of it is stored. Nothing is asked
 * where it was agreed to before, or `isOwn`, and nothing stored is in its way.
 */
export function useOfferPlan(): (
  name: string,
  source: ImportSource,
  isOwn: boolean,
) => Promise<void> {
  const [previewImport] = usePlanPreviewImportMutation();
  const take = useTakePlan();
  return useCallback(
    async (name, source, isOwn) => {
      const shown = await previewImport(source);
      if (shown.error) return;
      if ((isOwn || shown.data.trusted) && shown.data.clashes.length === 0) {
        await take(source, shown.data, {});
        return;
      }
      modals.openContextModal({
        modal: 'importPlan',
        title: `Import ${name}`,
        size: 'min(1080px, 94vw)',
        closeOnClickOutside: false,
        innerProps: {
          preview: shown.data,
          take: (decisions) => take(source, shown.data, decisions),
        } satisfies ImportPlanProps,
      });
    },
    [previewImport, take],
  );
}
