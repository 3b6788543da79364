import { Button, Stack } from '@mantine/core';

import { Dialog } from '../kit/Dialog.tsx';
import { DialogFoot } from '../kit/DialogFoot.tsx';
import { useLeaving } from './useLeaving.tsx';

interface Props {
  title: string;
  /** What the button says: `Save PNG`. */
  verb: string;
  /** All that would leave; the same array while nothing changed. */
  texts: readonly string[];
  onClose: () => void;
  /** `text` gives each text as it leaves. */
  onWrite: (text: (text: string) => string) => void;
}

/** Asks how the texts of a chart leave before a file is made of it. */
export function LeavingDialog({ title, verb, texts, onClose, onWrite }: Props) {
  const { text, ready, controls } = useLeaving(texts);
  return (
    <Dialog onClose={onClose} title={title} size="xl">
      <Stack gap="sm">
        {controls}
        <DialogFoot>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button
            disabled={!ready}
            onClick={() => {
              onWrite(text);
              onClose();
            }}
          >
            {verb}
          </Button>
        </DialogFoot>
      </Stack>
    </Dialog>
  );
}
