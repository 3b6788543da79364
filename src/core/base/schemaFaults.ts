import type * as z from 'zod';

import type { FileFault } from './fileFault.ts';

type Issue = z.core.$ZodIssue;

/**
 * What a schema found, in words for a person. Of a value that may have several forms it says what
 * is wrong with the one that was meant, or what would tell which one is.
 */
export const schemaFaults = (error: z.ZodError): FileFault[] => error.issues.flatMap(faultsOf);

function faultsOf(issue: Issue): FileFault[] {
  if (issue.code !== 'invalid_union') return [{ path: issue.path, message: issue.message }];
  const forms = issue.errors;
  const within = ({ path, message }: FileFault): FileFault => ({
    path: [...issue.path, ...path],
    message,
  });
  if (forms.length === 0) return [{ path: issue.path, message: 'not one that is known' }];
  const words = forms.map((form) => form.find(isTellingWord));
  const meant = forms.filter((_, i) => words[i] === undefined);
  if (meant.length === 1) return meant[0]!.flatMap(faultsOf).map(within);
  const telling = words.filter((word) => word !== undefined);
  if (telling.length === forms.length)
    return [
      within({
        path: telling[0]!.path,
        message: `must be ${oneOf(telling.flatMap(({ values }) => values.map((one) => JSON.stringify(one))))}`,
      }),
    ];
  const first = meant.flatMap((form) => form.slice(0, 1));
  // No value at all, or none of any form: every form says the same.
  if (new Set(first.map(({ path, message }) => `${path.join('.')} ${message}`)).size === 1)
    return first.slice(0, 1).flatMap(faultsOf).map(within);
  const keys = first.map(({ path }) => path.join('.'));
  return [
    {
      path: issue.path,
      message: keys.every((key) => key !== '')
        ? `needs ${oneOf(keys)}`
        : 'has no form that is known',
    },
  ];
}

/** A member with a fixed word, `"method": "agent"` say, tells one form from another. */
const isTellingWord = (issue: Issue): issue is z.core.$ZodIssueInvalidValue =>
  issue.code === 'invalid_value' && issue.path.length === 1;

const oneOf = (all: readonly (string | undefined)[]): string =>
  [...new Set(all)].join(', ').replace(/, ([^,]*)$/, ' or $1');
