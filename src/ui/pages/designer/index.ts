export { Designer } from './Designer.tsx';
export { SettingsPanel } from './SettingsPanel.tsx';
export { type Edits, useEdits } from './useEdits.ts';
