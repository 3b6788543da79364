import * as z from 'zod';

import { field } from '../../core/base/field.ts';

export const none = z.object({});
export const byId = z.object({ id: field.id('thing') });
export const bytes = field.bytes();
