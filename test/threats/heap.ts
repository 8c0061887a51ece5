// What is held by the heap when everything that can go is gone.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

export function heldBytes(): number {
  gc();
  return process.memoryUsage().heapUsed;
}
