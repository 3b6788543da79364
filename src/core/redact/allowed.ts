import { metricNames } from '../metric/metric.ts';
import { fieldTerms } from './fieldTerms.ts';
import { ourWords } from './ourWords.ts';

const words: ReadonlySet<string> = new Set(
  [...`${ourWords} ${fieldTerms}`.split(/\s+/), ...metricNames].map((word) => word.toLowerCase()),
);

const units =
  '(?:[kmgt]?i?b(?:ps|its?|ytes?)?|[kmgt]b?/s|[mkgt]?bit|ms|us|ns|s|sec|min|h|d|m|k|g|t|hz|[kmg]hz|v|a|k?w|wh|x|rpm|iops|st|nd|rd|th)';
/**
 * Tokens that say a figure, a time or a version; a row of more digits than a figure has may be a
 * number of somebody.
 */
const figures: readonly RegExp[] = [
  new RegExp(`^[+-]?\\d{1,15}(?:[.,]\\d{1,9}){0,4}(?:e[+-]?\\d{1,3})?(?:%|${units})?$`),
  /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?$/,
  /^\d{4}-\d{2}-\d{2}(?:t\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?z?)?$/,
  /^\d{1,4}-\d{1,4}$/,
  /^v\d{1,3}(?:\.\d{1,5}){0,3}$/,
  /^0x[0-9a-f]{1,4}$/,
];
/** Devices and numbered things of every machine, and references of vCenter, which name nobody. */
const shapes: readonly RegExp[] = [
  /^(?:vmnic|vmhba|vmk|eth|cpu|sd[a-z]|nvme\dn|vswitch|scsi|ide|sata|dm-|loop)\d{0,3}$/,
  /^(?:ens|enp\ds|eno)\d{1,4}$/,
  /^(?:p\d{2}|t\d{1,3}|raid\d{1,2}|x86|x64|ipv[46]|sha256|sha1|vmx-\d{1,2}|gen\d{1,2}|e\d{2})$/,
  /^(?:vm|host|datastore|network|resgroup|group-[a-z]|dvportgroup|dvs|task|folder|datacenter)-\d{1,9}$|^domain-[cs]\d{1,9}$/,
];
/** Model numbers, releases and platform keys; only where a maker speaks. */
const products: readonly RegExp[] = [
  /^[A-Z]{1,4}\d{1,5}[A-Z]{0,3}$/,
  /^[A-Z][A-Za-z]{1,3}\d{2,5}$/,
  /^[EWLX]\d-\d{4}[A-Z]?$/,
  /^[a-z]{3,12}\d{0,4}[a-z]{0,4}(?:_64)?Guest$/,
  /^(?:intel|amd)-[a-z]{3,16}$/,
  /^\d{1,3}(?:\.\d{1,8}){1,5}(?:[-+~_][a-z0-9.]{1,12})?$/,
  /^(?:\d{1,3}-)?(?:amd64|generic|el\d|fc\d{2}|deb\d{1,2})$/,
];

/**
 * Says whether a token names nobody. `product`: a maker's words, where model numbers are expected.
 */
export type Allowed = (token: string, product?: boolean) => boolean;

/**
 * The allow-list: words of this app and of the field, figures and units, and `keep`: what a person
 * looked at and let leave.
 */
export function createAllowed(keep: readonly string[] = []): Allowed {
  const kept = new Set(keep.map((word) => word.toLowerCase()));
  const isWord = (lower: string): boolean => words.has(lower) || kept.has(lower);
  const judge = (token: string, product: boolean): boolean => {
    const lower = token.toLowerCase();
    if (lower.length === 1 || isWord(lower)) return true;
    if (/^.+['’]s?$/.test(lower) && isWord(lower.replace(/['’]s?$/, ''))) return true;
    if (figures.some((one) => one.test(lower)) || shapes.some((one) => one.test(lower)))
      return true;
    const counted = /^\d{1,6}(?:\.\d{1,3})?-([a-z]+)$/.exec(lower)?.[1];
    if (counted !== undefined && isWord(counted)) return true;
    if (isMeasure(lower, isWord)) return true;
    if (!product) return false;
    if (products.some((one) => one.test(token))) return true;
    const parts = token.split(/[._-]+/).filter((part) => part !== '');
    return (
      parts.length > 1 &&
      parts.every((part) => /^\d{1,8}$/.test(part) || isWord(part.toLowerCase()))
    );
  };
  // A log says the same few hundred tokens again and again.
  const judged = new Map<string, boolean>();
  return (token, product = false) => {
    const key = product ? `${token} ` : token;
    const before = judged.get(key);
    if (before !== undefined) return before;
    const answer = judge(token, product);
    if (judged.size < remembered) judged.set(key, answer);
    return answer;
  };
}
const remembered = 50_000;

/** Ids that this app composes: `t0.database`, `infra.vmotion`, `latencyP95Ms.mail.mean`. */
function isMeasure(lower: string, isWord: (word: string) => boolean): boolean {
  const [first = '', ...rest] = lower.split('.');
  return (
    rest.length > 0 &&
    (/^t\d{1,3}$/.test(first) || first === 'infra' || first === 'score' || measures.has(first)) &&
    rest.every((part) => part.split('-').every((atom) => isWord(atom) || /^\d{1,3}$/.test(atom)))
  );
}
const measures: ReadonlySet<string> = new Set([
  ...metricNames.map((name) => name.toLowerCase()),
  'netgbps',
]);
