import type { LabParts } from '../parts.ts';

/** A small library with a processor, a server and an array of each kind that tests ask for. */
export const testParts: LabParts = {
  generations: [
    { name: 'Woodcrest', workPerGhz: 0.3333, hyperThreadGain: 1 },
    { name: 'Clovertown', workPerGhz: 0.273, hyperThreadGain: 1 },
    { name: 'Harpertown', workPerGhz: 0.29, hyperThreadGain: 1 },
    { name: 'Tigerton', workPerGhz: 0.273, hyperThreadGain: 1 },
    { name: 'K8', workPerGhz: 0.273, hyperThreadGain: 1 },
    { name: 'Barcelona', workPerGhz: 0.365, hyperThreadGain: 1 },
    { name: 'Nehalem', workPerGhz: 0.45, hyperThreadGain: 1.25 },
  ],
  processors: [{ name: 'Xeon X5570', generation: 'Nehalem', cores: 4, ghz: 2.93 }],
  servers: [
    {
      name: 'ProLiant DL380 G6',
      sockets: 2,
      memoryGb: 96,
      uplinks: 4,
      uplinkGbps: 1,
      idleW: 160,
      busyW: 340,
    },
  ],
  arrays: ['CX3-80'],
  disks: ['FC 15k', 'SSD'],
  adapters: ['FC 4 Gb/s'],
  hypervisors: ['ESX 3.5', 'ESX 4.1'],
};
