import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'src/ui',
  base: './',
  plugins: [react()],
  // Chromium 108 is the oldest renderer the end-to-end tests drive.
  build: {
    outDir: '../../dist/ui',
    emptyOutDir: true,
    target: 'chrome108',
    cssTarget: 'chrome108',
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2_000,
  },
});
