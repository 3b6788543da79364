export * from '../../shared/palette.ts';
