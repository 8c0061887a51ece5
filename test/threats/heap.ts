// The size of the heap after garbage collection.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

export function heldBytes(): number {
  gc();
  return process.memoryUsage().heapUsed;
}
