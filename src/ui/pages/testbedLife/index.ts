export { DifferenceTable } from './DifferenceTable.tsx';
export { ImportTestbed } from './ImportTestbed.tsx';
export { TestbedMenu } from './TestbedMenu.tsx';
export { VersionsDialog } from './VersionsDialog.tsx';
