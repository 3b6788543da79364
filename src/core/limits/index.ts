export * from './headroom.ts';
export * from './judge.ts';
export * from './limitsOf.ts';
export * from './project.ts';
export * from './types.ts';
