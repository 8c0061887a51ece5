import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stateFolder } from './state-folder.js';

it.each([
  [{}, 'linux', join(homedir(), '.local', 'state', 'dragoman')],
  [{ XDG_STATE_HOME: '/state' }, 'linux', '/state/dragoman'],
  [{ XDG_STATE_HOME: 'not absolute' }, 'linux', join(homedir(), '.local', 'state', 'dragoman')],
  [{ LOCALAPPDATA: '/local' }, 'darwin', join(homedir(), '.local', 'state', 'dragoman')],
  [{ LOCALAPPDATA: '/local' }, 'win32', '/local/dragoman'],
] as const)('with %o on %s, state is kept in %s', (env, platform, folder) => {
  expect(stateFolder(env, platform)).toBe(folder);
});
