export * from '../../shared/groupBy.ts';
