export { ProvisionPanel } from './ProvisionPanel.tsx';
export { TemplateFields } from './TemplateFields.tsx';
