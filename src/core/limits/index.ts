export * from './headroom.ts';
export * from './judge.ts';
export * from './limitsOf.ts';
export * from './missed.ts';
export * from './trend.ts';
export * from './types.ts';
export * from './words.ts';
