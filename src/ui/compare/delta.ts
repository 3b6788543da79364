export * from '../../shared/compareText.ts';
