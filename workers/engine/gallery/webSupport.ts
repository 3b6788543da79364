/**
 * A page of a support site with its download, as SPECweb2005 Support asks for them: big static files, no encryption. Shared by E09 and E10.
 *
 * From the posts: 30,000 users make a little over 13 Gb/s (seed 001 line 152), received packets have 86 bytes in the mean (line 205).
 * The choice of the labs: 5 s of thought, so 267 KB sent a page; an acknowledgement for two frames; segments of 12 KB through the adapter
 * (the device cuts them up). `cpuMsPerOp` is the guest's own work: with it the servers of E09 are 80 % busy.
 */
export const webSupport = {
  kind: 'web-support',
  role: 'web',
  unit: 'pages/s',
  users: 7_500,
  thinkMs: 5_000,
  cpuMsPerOp: 1.53,
  scv: 1,
  net: { packetsInPerOp: 95, packetsOutPerOp: 22, bytesInPerOp: 95 * 86, bytesOutPerOp: 267_000 },
  /** A page later than this counts as a session out of QoS. */
  timeoutMs: 3_000,
} as const;
