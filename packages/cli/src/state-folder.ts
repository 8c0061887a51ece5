import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where a program keeps what should outlive it, by the customs of the system: files of Dragoman's own. */
export function stateFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const { XDG_STATE_HOME: chosen = '', LOCALAPPDATA: local = '' } = env;
  if (isAbsolute(chosen)) return join(chosen, 'dragoman');
  if (platform === 'win32' && local !== '') return join(local, 'dragoman');
  return join(homedir(), '.local', 'state', 'dragoman');
}
