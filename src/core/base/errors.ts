import * as z from 'zod';

import { field } from './field.ts';
import { sayCode, systemFailure } from './systemWords.ts';

/** The closed list of ways a call can fail. The UI and the exit codes switch on it. */
export const errorKinds = [
  'invalidInput',
  'notFound',
  'conflict',
  'unreachable',
  'authFailed',
  'untrusted',
  'timedOut',
  'aborted',
  'internal',
] as const;
export type ErrorKind = (typeof errorKinds)[number];

export const appErrorSchema = z.object({
  kind: z.enum(errorKinds),
  /** What failed and where. */
  message: field.freeText(),
  /** What to do about it. */
  hint: field.freeText().optional(),
  /** Machine-readable facts, e.g. both fingerprints of a changed host key. Never a secret. */
  details: field
    .record(field.word(), z.union([field.freeText(), field.figure(), z.boolean(), z.null()]))
    .optional(),
});
export type AppErrorShape = z.infer<typeof appErrorSchema>;

/** The one error that crosses a process boundary. Stacks stay in the engine's log. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly details: AppErrorShape['details'];
  constructor(shape: AppErrorShape, options?: { cause?: unknown }) {
    super(shape.message, options);
    this.name = 'AppError';
    this.kind = shape.kind;
    this.hint = shape.hint;
    this.details = shape.details;
  }
  toShape(): AppErrorShape {
    return {
      kind: this.kind,
      message: this.message,
      ...(this.hint ? { hint: this.hint } : {}),
      ...(this.details ? { details: this.details } : {}),
    };
  }
}

/** Shorthand: `throw fail('notFound', 'Run r1 does not exist.', 'Refresh the history.')`. */
export function fail(
  kind: ErrorKind,
  message: string,
  hint?: string,
  details?: AppErrorShape['details'],
): AppError {
  return new AppError({
    kind,
    message,
    ...(hint ? { hint } : {}),
    ...(details ? { details } : {}),
  });
}

/**
 * Errors of another realm (a worker, a DOMException) are no `instanceof Error` here, so their
 * fields are read.
 */
function textOf(thrown: unknown, field: 'name' | 'message'): string | null {
  if (typeof thrown !== 'object' || thrown === null || !(field in thrown)) return null;
  const text = (thrown as Record<string, unknown>)[field];
  return typeof text === 'string' && text !== '' ? text : null;
}

/**
 * Anything thrown, as an AppError. An unknown throw is `internal` and keeps its cause for the log.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const name = textOf(thrown, 'name');
  if (name === 'AbortError')
    return new AppError(
      { kind: 'aborted', message: 'The operation was cancelled.' },
      { cause: thrown },
    );
  if (name === 'TimeoutError')
    return new AppError(
      { kind: 'timedOut', message: 'The operation took longer than its time limit.' },
      { cause: thrown },
    );
  const said = textOf(thrown, 'message') ?? name ?? String(thrown);
  const failed = systemFailure(thrown);
  return new AppError(
    failed === null
      ? { kind: 'internal', message: said }
      : {
          kind: 'internal',
          message: `${failed.about ?? 'What was asked for'} ${sayCode(failed.code) ?? said}.`,
          details: { technical: said },
        },
    { cause: thrown },
  );
}
