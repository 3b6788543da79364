import type * as z from 'zod';

import { strictly } from '../../core/base/strictly.ts';
import { type EventName, events, type MethodName, methods } from '../contract.ts';

/** The schema a call's input is parsed with: a key it does not know is refused. */
export const inputOf = (method: MethodName): z.ZodType =>
  strictly<z.ZodType>(methods[method].input);
/** What an output must fit, where outputs are checked. */
export const outputOf = (method: MethodName): z.ZodType =>
  strictly<z.ZodType>(methods[method].output);
/** What the payload of an event must fit, where events are checked. */
export const eventOf = (event: EventName): z.ZodType => strictly<z.ZodType>(events[event]);
