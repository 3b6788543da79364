import type { MessagePort } from 'node:worker_threads';

/** What the thread of the simulated workspace is started with. */
export interface DemoThreadData {
  dataDir: string;
  resourcesDir: string;
  version: string;
  host: 'electron' | 'browser' | 'cli';
}
export type ToDemo = { k: 'port'; port: MessagePort } | { k: 'stop' };
export type FromDemo = { k: 'ready' } | { k: 'failed'; message: string; hint?: string };
