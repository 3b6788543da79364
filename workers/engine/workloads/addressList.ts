import * as z from 'zod';

const address = '[A-Za-z0-9._-]{1,253}(?::[0-9]{1,5})?';

/** A parameter with addresses of several machines; '' = none. */
export const addressListParam = (most: number) =>
  z
    .string()
    .regex(
      new RegExp(`^(?:${address}(?:, ?${address}){0,${most - 1}})?$`),
      `up to ${most} addresses with commas between, as 10.0.0.5, 10.0.0.6:8080`,
    )
    .refine(
      (text) => addressesOf(text, 1).every((one) => Number(one.split(':')[1]) <= 65_535),
      'a port up to 65535',
    )
    .refine((text) => {
      const all = addressesOf(text, 0);
      return new Set(all).size === all.length;
    }, 'each address once')
    .default('');

/** Each address of the list with its port, or this one. */
export const addressesOf = (text: string, port: number): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => (one.includes(':') ? one : `${one}:${port}`));
