export * from '../../../shared/xyModel.ts';
