// llama.cpp as node-llama-cpp ships it. Its package brings a binary for every platform, 670 MB in all, so it is
// installed on demand (on-demand/), with the one binary of this machine: before the first end-to-end test
// (install-programs.mjs), or when a test asks where that failed.

import { installed } from '../on-demand/install.mjs';

/** The package's folder. Throws where it is not there and cannot be had. */
export function findLlama() {
  const binary = `${{ linux: 'linux', darwin: 'mac', win32: 'win' }[process.platform]}-${process.arch}`;
  const platform = binary === 'mac-arm64' ? 'mac-arm64-metal' : binary;
  return installed(import.meta.dirname, [`@node-llama-cpp/${platform}`]);
}
