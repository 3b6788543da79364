export * from '../../shared/studyCurves.ts';
