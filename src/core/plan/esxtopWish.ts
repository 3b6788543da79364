import * as z from 'zod';

export const esxtopParts = ['vms', 'devices', 'ports'] as const;
export type EsxtopPartId = (typeof esxtopParts)[number];

/** esxtop beside a run, on each ESXi host that the testbed has a login to. It loads these hosts. */
export const esxtopWish = z.object({
  /** From row to row. */
  everyS: z.number().int().min(2).max(60).default(2),
  /** CPU of the VMs under load; their LUNs; ports of uplinks and of these VMs. */
  parts: z
    .array(z.enum(esxtopParts))
    .min(1)
    .max(esxtopParts.length)
    .default([...esxtopParts]),
});
export type EsxtopWish = z.infer<typeof esxtopWish>;
