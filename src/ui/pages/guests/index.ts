export { GuestPanel } from './GuestPanel.tsx';
