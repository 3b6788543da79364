export * from '../../shared/measureWords.ts';
