// Clients without a known key: wrong keys and open GETs are limited by address, and lock nobody else out.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cloneFiles } from '../clone-files.js';
import { close, listen } from '../scripted/text-model.js';
import { imagesOf } from './named-images.js';
import { rawRequest } from './running-gateway.js';
import { openStage } from './stage.js';

const { model, start } = await openStage();
const keys = [{ key: 'a-key-of-alice', admin: true as const }];
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('wrong keys', () => {
  it('get 429 with a retry-after beyond the limit, and a known key still passes', async () => {
    const gateway = await start({ config: { keys }, limits: { wrongKeysPerMinute: 3 } });
    const wrong = { headers: { authorization: 'Bearer a-wrong-key' } };
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await gateway.ask('chat', {}, wrong)).status);
    const models = { headers: { 'x-api-key': 'another-wrong-key' } };
    const last = await rawRequest(`${gateway.url}/v1/models`, models);
    expect([...statuses, last.status]).toEqual([401, 401, 401, 429]);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    model.script('Hello.');
    expect((await gateway.ask('chat')).status).toBe(200);
  });
});

describe('open GETs', () => {
  it('get 429 beyond the limit; health checks and known keys do not', async () => {
    const gateway = await start({ config: { keys }, limits: { openGetsPerMinute: 3 } });
    const get = async (path: string, headers = {}) =>
      (await rawRequest(gateway.url + path, { headers })).status;
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push(await get('/readyz'));
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await get('/nothing')).toBe(429);
    expect(await get('/healthz')).toBe(200);
    expect(await get('/metrics', { authorization: 'Bearer a-key-of-alice' })).toBe(200);
  });

  it.each(['HEAD', 'DELETE', 'PUT', 'OPTIONS', 'POST'])('count with %s, too', async (method) => {
    const gateway = await start({ config: { keys }, limits: { openGetsPerMinute: 3 } });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++)
      statuses.push((await rawRequest(`${gateway.url}/nothing`, { method })).status);
    expect(statuses.slice(0, 3)).not.toContain(429);
    expect(statuses[3]).toBe(429);
  });

  it('are not limited where there are no keys', async () => {
    const gateway = await start({ limits: { openGetsPerMinute: 1 } });
    for (let n = 0; n < 3; n++) expect((await rawRequest(`${gateway.url}/readyz`)).status).toBe(200);
  });
});

describe('requests of a known key that are not for a model', () => {
  const limited = { key: 'a-key-of-bob', admin: true as const, requestsPerMinute: 3 };

  it.each(['/v1/models', '/v1/responses/resp_none', '/metrics', '/nothing'])(
    'are limited as those to models, and counted by themselves: %s',
    async (path) => {
      const gateway = await start({ config: { keys: [limited, ...keys] } });
      const get = (key: string, at = path) =>
        rawRequest(gateway.url + at, { headers: { authorization: `Bearer ${key}` } });
      for (let n = 0; n < 3; n++) expect((await get(limited.key)).status).not.toBe(429);
      const refused = await get(limited.key);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.text).toContain('3 requests a minute that are not for a model');
      expect((await get('a-key-of-alice')).status).not.toBe(429);
      expect((await get(limited.key, '/healthz')).status).toBe(200);
      model.script('Hello.', 'Hello.', 'Hello.');
      for (let n = 0; n < 3; n++) expect((await gateway.ask('chat')).status).toBe(200);
      expect((await gateway.ask('chat')).status).toBe(429);
    },
  );
});

/** The command of the Dockerfile's HEALTHCHECK, and the ports that it asks, in order. */
const healthCheck = {
  words: JSON.parse(/^HEALTHCHECK .*\\\n\s+CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '') as string[],
  get ports() {
    return [...this.words.join(' ').matchAll(/check\((\d+)\)/g)].map(([, port = '']) => port);
  },
  /** With other ports. Gives the exit code. */
  async run(others: readonly number[]): Promise<number> {
    const [, ...argv] = this.words.map((word) =>
      this.ports.reduce((text, port, at) => text.replace(`check(${port})`, `check(${others[at]})`), word),
    );
    const [code] = await once(spawn(process.execPath, argv), 'close');
    return code;
  },
};

/** A port on which every request gets this status until the test ends; without a status nobody listens there. */
async function portThatAnswers(status: number | undefined): Promise<number> {
  const server = createServer((_, response) => void response.writeHead(status ?? 0).end());
  const port = await listen(server);
  if (status === undefined) await close(server);
  else onTestFinished(() => close(server));
  return port;
}

describe('files for deployment', () => {
  // A tag can be moved to another image, a digest cannot.
  const isPinned = (image: string) => /^[\w./-]+:\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/.test(image);
  /** Built from this repository. */
  const OWN = 'dragoman';

  it('name exact versions of images, by digest, in whatever file', () => {
    const images = cloneFiles().flatMap((path) => imagesOf(path, read(path)));
    expect(images.filter((image) => image !== OWN && !isPinned(image))).toEqual([]);
    const names = images.map((image) => image.replace(/:.*/, ''));
    expect(names.sort()).toEqual([OWN, 'nginx', 'node', 'node', 'redis']);
  });

  it.each([
    ['docker/Dockerfile', 'FROM node:22', 'node:22'],
    ['Dockerfile.edge', 'ARG BASE=node:22.1.0\nFROM --platform=linux/arm64 $BASE AS a', 'node:22.1.0'],
    ['Dockerfile', 'FROM $BASE\nRUN true', '$BASE'],
    ['more/compose.yml', '  db:\n    image: "postgres:17"', 'postgres:17'],
    ['compose.yaml', `    image: $${'{REDIS:-redis:7}'} # a cache`, 'redis:7'],
    ['.github/workflows/a.yml', '      postgres:\n        image: postgres', 'postgres'],
    ['docs/a.md', '```yaml\n- image: vllm/vllm-openai:latest\n```', 'vllm/vllm-openai:latest'],
  ])('would be found in %s without one: %j', (path, text, image) => {
    expect(imagesOf(path, text)).toEqual([image]);
    expect(isPinned(image)).toBe(false);
  });

  it('check the health of the container on its healthPort', () => {
    const healthPort = /^healthPort: ([1-9]\d*)$/m.exec(read('deploy/dragoman.config.yaml'))?.[1];
    expect(healthCheck.ports).toEqual([healthPort, '8787']);
    expect(read('Dockerfile')).toContain('COPY deploy/dragoman.config.yaml /etc/dragoman/');
  });

  it.each([
    ['the healthPort answers', [200, 503], 0],
    ['the healthPort says that the gateway stops or is stuck', [503, 200], 1],
    ['there is no healthPort, and the gateway answers', [undefined, 200], 0],
    ['there is no healthPort, and the gateway stops', [undefined, 503], 1],
    ['nothing listens', [undefined, undefined], 1],
  ])('and %s', async (_, statuses, code) => {
    const ports = await Promise.all(statuses.map(portThatAnswers));
    expect(await healthCheck.run(ports)).toBe(code);
  });

  it('give Redis a password, and the unit no capabilities and few system calls', () => {
    const compose = read('compose.yaml');
    // From the environment into the configuration, which a list of processes does not show.
    expect(compose).toMatch(/requirepass \$\$REDISCLI_AUTH/);
    expect(compose).not.toMatch(/redis-server .*PASSWORD/);
    // All three kinds of containers.
    for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true'])
      expect(compose.split(line)).toHaveLength(4);
    const unit = read('deploy/dragoman.service').split('\n');
    const lines = ['CapabilityBoundingSet=', 'NoNewPrivileges=yes', 'ProtectSystem=strict'];
    const calls = ['SystemCallFilter=@system-service', 'SystemCallFilter=~@privileged @resources'];
    expect(unit).toEqual(expect.arrayContaining([...lines, ...calls]));
  });
});
