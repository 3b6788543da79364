export { Designer } from './Designer.tsx';
export { SettingsPanel } from './SettingsPanel.tsx';
export { useEdits, type Edits } from './useEdits.ts';
