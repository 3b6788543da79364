import { notifications } from '@mantine/notifications';

interface Undoable {
  run: () => Promise<void>;
  noticeId: string;
}
/** The last changes that can be taken back, the newest at the end. */
let steps: Undoable[] = [];
const kept = 20;

/** Keeps the way back from a change, shown with its notice. */
export function pushUndo(noticeId: string, run: () => Promise<void>): void {
  steps = [...steps, { noticeId, run }].slice(-kept);
}

/** Takes back one change: the one of a notice, or the last. false where there is none. */
export async function undo(noticeId?: string): Promise<boolean> {
  const step =
    noticeId === undefined ? steps.at(-1) : steps.find((one) => one.noticeId === noticeId);
  if (step === undefined) return false;
  steps = steps.filter((one) => one !== step);
  notifications.hide(step.noticeId);
  await step.run();
  return true;
}
/** Another workspace or a test begins without a past. */
export const forgetUndo = (): void => {
  steps = [];
};
