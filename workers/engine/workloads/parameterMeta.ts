/**
 * What a parameter's schema says to a form beside its words, in zod's `meta`: the names of its
 * values, and the values of another parameter with which it counts at all.
 */
export interface ParameterMeta {
  description: string;
  labels?: Readonly<Record<string, string>>;
  when?: { member: string; is: readonly string[] };
}

/** Of a parameter with few values: each by a name that a form shows. */
export const choice = (
  description: string,
  labels: Readonly<Record<string, string>>,
): Pick<Required<ParameterMeta>, 'description' | 'labels'> => ({ description, labels });
