import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configFromFlags } from '../config/flags.js';
import type { GatewayConfig } from '../index.js';
import { createResponses } from '../responses/index.js';
import { readPageFiles } from '../server/page-files.js';
import { type App, createApp } from './app.js';
import type { PageFiles } from './page-routes.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-page-'));
const script = `console.log(${JSON.stringify('a script '.repeat(500))})`;
const canary = 'not for anybody';

beforeAll(() => {
  const page = join(folder, 'page');
  mkdirSync(join(page, 'assets', 'deeper'), { recursive: true });
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>Dragoman</title>');
  writeFileSync(join(page, 'icon.svg'), '<svg/>');
  writeFileSync(join(page, 'assets', 'index-AbCd1234.js'), script);
  writeFileSync(join(page, 'assets', 'index-AbCd1234.css'), 'a{}');
  for (const path of ['secret.txt', 'page/notes.txt', 'page/assets/.env', 'page/assets/deeper/inner.js'])
    writeFileSync(join(folder, path), canary);
  symlinkSync(join(folder, 'secret.txt'), join(page, 'assets', 'linked.js'));
  mkdirSync(join(page, 'site', 'docs', 'images'), { recursive: true });
  writeFileSync(join(page, 'site', 'index.html'), '<!doctype html><title>Read me</title>');
  writeFileSync(join(page, 'site', 'docs', 'index.html'), '<!doctype html><title>Documentation</title>');
  writeFileSync(join(page, 'site', 'docs', 'images', 'one.webp'), 'RIFF');
  writeFileSync(join(page, 'site', 'LICENSE'), 'The licence');
  writeFileSync(join(page, 'site', '.env'), canary);
  symlinkSync(join(folder, 'secret.txt'), join(page, 'site', 'linked.html'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const files = () => readPageFiles(pathToFileURL(`${join(folder, 'page')}/`));

function appWith(page: PageFiles | undefined, more: Partial<GatewayConfig> = {}): App {
  const read = configFromFlags({ demo: true, key: ['a-key-of-ours'] }, {});
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const quiet = () => undefined;
  return createApp(
    { ...read.config, ...more },
    {
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      watcher: [],
      limiter: { take: async () => ({ ok: true }) },
      responses: createResponses(undefined, 0),
      ...(page && { page }),
    },
  );
}

const ask = (app: App, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.fetch(
    new Request(`http://127.0.0.1:8787${path}`, { method, headers: { host: '127.0.0.1:8787', ...headers } }),
  );

describe('the page', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', '<!doctype html>'],
    ['/icon.svg', 'image/svg+xml', '<svg/>'],
    ['/assets/index-AbCd1234.js', 'text/javascript; charset=utf-8', 'console.log'],
    ['/assets/index-AbCd1234.css', 'text/css; charset=utf-8', 'a{}'],
    ['/site/index.html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['/site/', 'text/html; charset=utf-8', '<!doctype html>'],
    ['/site/docs/', 'text/html; charset=utf-8', '<!doctype html>'],
    ['/site/docs/index.html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['/site/docs/images/one.webp', 'image/webp', 'RIFF'],
    ['/site/LICENSE', 'text/plain; charset=utf-8', 'The licence'],
  ])('%s comes without a key, with its type', async (path, type, start) => {
    const response = await ask(appWith(files()), path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect((await response.text()).startsWith(start)).toBe(true);
  });

  it('says what a browser may do with it', async () => {
    const { headers } = await ask(appWith(files()), '/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
        "connect-src 'self'",
        "font-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ]),
    );
    expect(policy).not.toContain('eval');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('has every script under the same policy, since a worker goes by its own', async () => {
    const { headers } = await ask(appWith(files()), '/assets/index-AbCd1234.js');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('is asked for anew, what its name is made of content is not', async () => {
    const app = appWith(files());
    expect((await ask(app, '/')).headers.get('cache-control')).toBe('no-cache');
    const asset = await ask(app, '/assets/index-AbCd1234.js');
    expect(asset.headers.get('cache-control')).toContain('immutable');
  });

  it('is not sent again to who has it', async () => {
    const app = appWith(files());
    const etag = (await ask(app, '/')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const known of [etag, etag.slice(2), '*', `"other", ${etag}`]) {
      const again = await ask(app, '/', { 'if-none-match': known });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    expect((await ask(app, '/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
    ['GZIP', 'gzip', gunzipSync],
  ])('comes compressed where a browser says %s', async (accepted, coding, open) => {
    const response = await ask(appWith(files()), '/assets/index-AbCd1234.js', {
      'accept-encoding': accepted,
    });
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(response.headers.get('vary')).toBe('accept-encoding');
    const body = new Uint8Array(await response.arrayBuffer());
    expect(Number(response.headers.get('content-length'))).toBe(body.length);
    expect(body.length).toBeLessThan(script.length / 5);
    expect(open(body).toString()).toBe(script);
  });

  it('comes as it is where nothing else is taken', async () => {
    const response = await ask(appWith(files()), '/assets/index-AbCd1234.js', {
      'accept-encoding': 'br;q=0',
    });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe(script);
  });

  it('answers HEAD without a body', async () => {
    const response = await ask(appWith(files()), '/', {}, 'HEAD');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('a folder of the documentation', () => {
  it.each(['/site', '/site/docs'])('%s leads to its first page', async (path) => {
    const response = await ask(appWith(files()), path);
    expect([response.status, response.headers.get('location')]).toEqual([308, `${path}/`]);
  });
});

describe('nothing else', () => {
  it.each([
    '/assets/',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/.env',
    '/assets/deeper/inner.js',
    '/assets/linked.js',
    '/assets/index-AbCd1234.js/',
    '/notes.txt',
    '/index.html',
    '/secret.txt',
    '/assets/constructor',
    '/site/.env',
    '/site/linked.html',
    '/site/../../secret.txt',
    '/site/..%2f..%2fsecret.txt',
    '/site/nowhere.html',
  ])('is at %s', async (path) => {
    const response = await ask(appWith(files()), path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain(canary);
  });

  it('comes without a key', async () => {
    expect((await ask(appWith(files()), '/v1/models')).status).toBe(401);
  });

  it('is left of a document that is gone since the start', async () => {
    const path = join(folder, 'page', 'site', 'gone.html');
    writeFileSync(path, 'soon gone');
    const app = appWith(files());
    rmSync(path);
    expect((await ask(app, '/site/gone.html')).status).toBe(404);
  });

  it('is written to', async () => {
    expect((await ask(appWith(files()), '/', {}, 'POST')).status).toBe(404);
  });

  it('answers a foreign host', async () => {
    expect((await ask(appWith(files()), '/', { host: 'evil.example' })).status).toBe(403);
  });
});

describe('a gateway without a page', () => {
  it('says how to build it', async () => {
    const response = await ask(appWith(undefined), '/');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('npm run build');
  });

  it('says where the documentation is', async () => {
    const response = await ask(appWith(undefined), '/site/docs/index.html');
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('docs/')]);
  });

  it('has none to read', () => {
    expect(readPageFiles(pathToFileURL(`${folder}/nowhere/`))).toBeUndefined();
  });

  it('serves none where the configuration says so, from the next request on', async () => {
    const app = appWith(files(), { page: false });
    const response = await ask(app, '/');
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('npm run build');
    expect((await ask(app, '/assets/index-AbCd1234.js')).status).toBe(404);
    expect((await ask(app, '/site/index.html')).status).toBe(404);
  });
});
