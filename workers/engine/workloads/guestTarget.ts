import * as z from 'zod';

/** Where a load goes, for drivers whose parameter is called `target`: an address, or that of a VM. */
export const targetParam = (what: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9._:%-]*$/, 'a host name or address')
    .max(253)
    .default('')
    .describe(`${what}; empty = the VM's guest address`);

/** Fills in the assigned VM where no machine is named; as `Driver.withTarget`. */
export const withGuest = <P extends { target: string }>(p: P, guestAddress: string | null): P =>
  p.target ? p : { ...p, target: guestAddress ?? '127.0.0.1' };

/** What a check says where neither parameters nor vCenter name a machine. */
export const noTarget = {
  ok: false,
  problem: 'no address is given, and vCenter knows no guest address of the assigned VM',
  blames: 'target',
  fix: 'Start VMware Tools in the guest, or give its address in the parameters.',
} as const;
