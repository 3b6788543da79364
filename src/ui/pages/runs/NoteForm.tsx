import { Button, Group, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

interface Props {
  onAdd: (text: string) => Promise<void>;
  /** Changes each time a command asks for the field; null = none did. */ focusKey?: string | null;
  /** Moment of the note as shown on the axis; null = now. */ at?: string | null;
}

/**
 * A note on the time axis: typed in place, Enter adds it. What was typed stays when adding fails.
 */
export function NoteForm({ onAdd, focusKey = null, at = null }: Props) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusKey !== null) input.current?.focus();
  }, [focusKey]);
  const add = async (): Promise<void> => {
    const trimmed = text.trim();
    if (trimmed === '') {
      setError('Empty note.');
      return;
    }
    setBusy(true);
    try {
      await onAdd(trimmed);
      setText('');
      setError(null);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : 'The note could not be stored.');
    } finally {
      setBusy(false);
    }
  };
  const label = at === null ? 'Note at this moment' : `Note at ${at}`;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Group gap={6} wrap="nowrap" align="flex-start">
        <TextInput
          ref={input}
          size="xs"
          w={260}
          maxLength={500}
          aria-label={label}
          placeholder={label}
          value={text}
          error={error}
          onChange={(e) => {
            setText(e.currentTarget.value);
            setError(null);
          }}
        />
        <Button size="xs" variant="default" type="submit" loading={busy}>
          Add note
        </Button>
      </Group>
    </form>
  );
}
