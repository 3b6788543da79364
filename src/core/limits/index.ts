export * from './headroom.ts';
export * from './judge.ts';
export * from './limitsOf.ts';
export * from './trend.ts';
export * from './types.ts';
