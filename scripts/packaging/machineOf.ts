import { closeSync, openSync, readSync } from 'node:fs';

import type { Arch } from './target.ts';

/** Machines by the number that stands in a program for Linux, at its byte 18 (ELF, e_machine). */
const machines: Readonly<Record<number, Arch>> = { 0x3e: 'x64', 0xb7: 'arm64' };
const elfMagic = '\x7fELF';

/** Which machine a program for Linux runs on; null = another, or it is no such program. */
export function machineOf(path: string): Arch | null {
  const head = Buffer.alloc(20);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, head) < head.length) return null;
  } finally {
    closeSync(file);
  }
  return head.toString('latin1', 0, 4) === elfMagic
    ? (machines[head.readUInt16LE(18)] ?? null)
    : null;
}
