// xgrammar as WebAssembly, as its makers ship it for browsers. Installed when a test first asks (on-demand/).

import { installed } from '../on-demand/install.mjs';

/** The package's folder. Throws where it is not there and cannot be had. */
export function findXgrammar() {
  return installed(import.meta.dirname);
}
