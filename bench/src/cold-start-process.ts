// node cold-start-process.js [library]: a bare HTTP server that reports its address on its standard output, with the
// library imported first or without.

import { listen } from './gateway-process.js';

if (process.argv[2] === 'library') await import('@dragoman/core');
const url = await listen((_, response) => response.end('{}'));
process.stdout.write(`${url}\n`);
