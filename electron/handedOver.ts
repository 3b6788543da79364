import { fileURLToPath } from 'node:url';

/** What a start was given to show: a bundle's path, or a page of the console. */
export interface HandedOver {
  bundle?: string;
  /** Route, such as `/runs/r1`. */
  page?: string;
}

const bundleName = /\.tilebench$/i;
/** A link only leads to something: it starts, changes and fetches nothing. */
const link = /^tilebench:(?:\/\/)?(runs|studies|plans|testbeds|profiles)\/([\w-]{1,80})\/?$/;

/** A link of the form `tilebench:runs/ID`, as a page; null = it leads nowhere. */
export function pageOfLink(text: string): string | null {
  const [, kind, id] = link.exec(text) ?? [];
  return kind === undefined || id === undefined ? null : `/${kind}/${id}`;
}

/** The path of a file's address as file managers hand it over; null = an address of no file here. */
function pathOfAddress(address: string): string | null {
  try {
    return fileURLToPath(address);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code?.startsWith('ERR_INVALID_')) return null;
    throw thrown;
  }
}

/** What is among the arguments of a start by double click, link or command line. */
export function handedOver(args: readonly string[]): HandedOver {
  for (const arg of args.slice(1)) {
    const page = pageOfLink(arg);
    if (page !== null) return { page };
    if (/^(-|tilebench:)/.test(arg) || !bundleName.test(arg)) continue;
    const bundle = arg.startsWith('file:') ? pathOfAddress(arg) : arg;
    if (bundle !== null) return { bundle };
  }
  return {};
}
