export * from '../../shared/shownUnit.ts';
