// Starts the command. Runs when it is imported; `main.ts` waits for it, a bundle does not.

import { runCommand } from './run-command.js';
import { endQuietlyWithReader } from './terminal.js';

endQuietlyWithReader();
export const ended = runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
