// node gateway-pipe-process.js <upstream>: a bare proxy that pipes bytes, with node:http alone.

import { Agent, request } from 'node:http';
import { answerParent, listen } from './gateway-process.js';

const upstream = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });

answerParent(
  await listen((asked, response) => {
    const { hostname, port } = upstream;
    const headers = { ...asked.headers, host: upstream.host };
    const options = { hostname, port, path: asked.url, method: 'POST', headers, agent };
    const passed = request(options, (got) => {
      response.writeHead(got.statusCode ?? 502, { 'content-type': got.headers['content-type'] });
      got.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    asked.pipe(passed);
  }),
);
