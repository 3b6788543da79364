import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './main/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './main/App.tsx';
import { createServices } from './main/bridge.ts';
import { createAppStore } from './main/store.ts';

const services = createServices(window);
createRoot(document.getElementById('root')!).render(<App services={services} store={createAppStore(services)} />);
