/** The lists of the Lab, each with an address of its own. */
export const labParts = [
  { path: '/connections', name: 'Connections' },
  { path: '/testbeds', name: 'Testbeds' },
  { path: '/lab', name: 'Demo lab' },
] as const;
