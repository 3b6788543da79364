export * from '../../shared/studyModel.ts';
