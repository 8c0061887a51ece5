// The command `dragoman`: argv in, text out. Runs when it is imported.

import { runCommand } from './run-command.js';
import { endQuietlyWithReader } from './terminal.js';

endQuietlyWithReader();
process.exitCode = await runCommand(process.argv.slice(2));
