/**
 * The name of a chart's file, without its ending: its title and what it wears, letters and digits
 * of it.
 */
export const fileNameOf = (title: string, mark: string | null): string =>
  `${title}${mark === null ? '' : ` ${mark}`}`.replace(/[^\p{L}\p{N}]+/gu, '-');
