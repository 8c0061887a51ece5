import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { parseConfig } from '../config/parse-config.js';
import { createUpstreamPools } from './undici-fetch.js';

it('a pool that is renewed lets running answers end, and forgets its idle connections', async () => {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    response.write('begun ');
    if (request.url === '/v1/held') held.push(response);
    else response.end('ended');
  });
  let open = 0;
  server.on('connection', (socket) => {
    open++;
    socket.on('close', () => open--);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const result = parseConfig(JSON.stringify({ upstream: url }));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const [upstream] = result.config.upstreams.values();
  if (!upstream) throw new Error('there is no upstream');
  const pools = createUpstreamPools();
  onTestFinished(() => pools.close());
  const get = async (path: string) => {
    const response = await pools.transport(upstream).fetch?.(url + path, { method: 'GET' });
    return response?.body?.getReader();
  };
  type Reader = Awaited<ReturnType<typeof get>>;
  const rest = async (reader: Reader) => {
    let text = '';
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
      text += Buffer.from(piece.value ?? []).toString();
    return text;
  };
  const running = await get('/held');
  const others = await Promise.all([get('/a'), get('/b'), get('/c')]);
  expect(await Promise.all(others.map(rest))).toEqual(Array(3).fill('begun ended'));
  expect(open).toBe(4);
  pools.renew();
  await expect.poll(() => open).toBe(1);
  expect(await rest(await get('/d'))).toBe('begun ended');
  held[0]?.end('ended late');
  expect(await rest(running)).toBe('begun ended late');
  await expect.poll(() => open).toBe(1);
});
