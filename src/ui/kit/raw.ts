/**
 * Attributes of a figure that is shown rounded: its copy is this number, with the unit in the head
 * of its column. null = not measured. On a cell they stand for all of its text, on a part of one
 * for that part.
 */
export const raw = (
  value: number | null | undefined,
  unit = '',
): { 'data-raw': number | ''; 'data-unit'?: string } => ({
  'data-raw': value ?? '',
  ...(unit === '' ? {} : { 'data-unit': unit }),
});
