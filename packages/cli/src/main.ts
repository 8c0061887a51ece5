// The command `dragoman`: argv in, text out. Runs when it is imported.

import { ended } from './start.js';

await ended;
