export * from '../../shared/scale.ts';
