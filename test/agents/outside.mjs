// The outside world as a run sees it: a proxy that lets nobody through and remembers who was asked for.

import { createServer } from 'node:http';

export async function startOutside() {
  const asked = new Set();
  const server = createServer((request, response) => {
    asked.add(hostOf(request.url));
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket) => {
    asked.add(request.url ?? '');
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${server.address().port}`;
  const here = '127.0.0.1,localhost,::1';
  return {
    env: {
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      http_proxy: url,
      https_proxy: url,
      NO_PROXY: here,
      no_proxy: here,
    },
    /** Hosts since the last time. */
    take() {
      const hosts = [...asked].sort();
      asked.clear();
      return hosts;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function hostOf(url) {
  return URL.canParse(url ?? '') ? new URL(url).host : String(url);
}
