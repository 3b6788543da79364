import { placesOf } from './places.ts';

const at = {
  resourcesPath: '/usr/lib/tilebench/resources',
  bundleDir: '/home/me/tilebench/dist/electron',
  platform: 'linux' as const,
};

test('from the folder of the project: another Node and another place can be told', () => {
  expect(placesOf({ ...at, packaged: false, env: {} })).toMatchObject({
    rootDir: '/home/me/tilebench',
    nodePath: '/home/me/tilebench/node_modules/node/bin/node',
    partsPath: null,
  });
  expect(
    placesOf({ ...at, packaged: false, env: { TILEBENCH_NODE: '/n', TILEBENCH_ROOT_DIR: '/r' } }),
  ).toMatchObject({ rootDir: '/r', nodePath: '/n' });
});

test('a package runs its own Node on its own files, whatever the environment says', () => {
  const places = placesOf({
    ...at,
    packaged: true,
    env: {
      TILEBENCH_NODE: '/tmp/evil',
      TILEBENCH_ROOT_DIR: '/tmp/evil',
      NODE_OPTIONS: '--require /tmp/evil.js',
      NODE_PATH: '/tmp/evil',
      HOME: '/home/me',
    },
  });
  expect(places).toEqual({
    rootDir: '/usr/lib/tilebench/resources/console',
    nodePath: '/usr/lib/tilebench/resources/console/bin/node',
    partsPath: '/home/me/tilebench/dist/electron/parts.json',
    engineEnv: {
      TILEBENCH_NODE: '/tmp/evil',
      TILEBENCH_ROOT_DIR: '/tmp/evil',
      HOME: '/home/me',
    },
  });
});
