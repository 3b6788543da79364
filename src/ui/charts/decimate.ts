export * from '../../shared/decimate.ts';
