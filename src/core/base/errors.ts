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

/** A failure as it crosses a process boundary; `errorSchema.ts` has its bounds. */
export interface AppErrorShape {
  kind: ErrorKind;
  /** What failed and where. */
  message: string;
  /** What to do about it. */
  hint?: string | undefined;
  /** Machine-readable facts, e.g. both fingerprints of a changed host key. Never a secret. */
  details?: Record<string, string | number | boolean | null> | undefined;
}

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

const isFact = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);
const isText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

/**
 * What another process says of a failure, or null where that is none. By hand, and not by its
 * schema: a window must be able to say why the engine does not answer before it has read schemas.
 */
export function readErrorShape(value: unknown): AppErrorShape | null {
  if (typeof value !== 'object' || value === null) return null;
  const { kind, message, hint, details } = value as Record<string, unknown>;
  if (!errorKinds.some((one) => one === kind)) return null;
  if (typeof message !== 'string' || !isText(hint)) return null;
  if (details === undefined) return { kind: kind as ErrorKind, message, hint };
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return null;
  if (!Object.values(details).every(isFact)) return null;
  return { kind: kind as ErrorKind, message, hint, details: details as AppErrorShape['details'] };
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
