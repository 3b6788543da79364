import { app } from 'electron';

import { placesOf } from './places.ts';

/** Where the parts of this application lie. */
export const { rootDir, nodePath, partsPath, engineEnv } = placesOf({
  packaged: app.isPackaged,
  resourcesPath: process.resourcesPath,
  bundleDir: __dirname,
  env: process.env,
  platform: process.platform,
});
