// A plain server of files, as any host of static pages is: it knows nothing of gateways.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The files stand under a path, as they do on a host that is shared. */
export async function serveFiles(folder: URL): Promise<{ url: string; close(): void }> {
  const server = createServer(({ url = '/' }, response) => {
    const path = url.replace(/^\/some\/where\//, '').split('?')[0] || 'index.html';
    try {
      const body = readFileSync(new URL(path, folder));
      response
        .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        .end(body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
