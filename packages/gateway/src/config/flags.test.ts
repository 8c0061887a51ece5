import { describe, expect, it } from 'vitest';
import type { GatewayConfig } from './config.js';
import { configFromFlags, type Flags } from './flags.js';
import { parseConfig } from './parse-config.js';

function configOf(flags: Flags, env = {}): GatewayConfig {
  const result = configFromFlags(flags, env);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
}

const upstreamOf = (flags: Flags, env = {}) => [...configOf(flags, env).upstreams.values()][0];
const url = 'http://localhost:11434/v1';

describe('a start without a file', () => {
  it('takes an upstream, a dialect and a port', () => {
    const config = configOf({ upstream: url, dialect: 'auto', port: '8787' });
    const written = parseConfig(`upstream: ${url}\ndialect: auto\nport: 8787`);
    expect(config).toEqual(written.ok && written.config);
  });

  it('serves the demo if nothing is said', () => {
    expect(upstreamOf({})?.kind).toBe('demo');
    expect(upstreamOf({ demo: true }, { OPENAI_BASE_URL: url })?.kind).toBe('demo');
  });

  it('takes models, keys and the rest', () => {
    const flags = {
      upstream: url,
      upstreamKey: 'none',
      kind: 'native',
      model: ['a', 'b'],
      key: 'key-of-mine',
      inspect: '5',
    };
    const config = configOf({ ...flags, log: 'debug', store: 'memory:', host: '0.0.0.0' });
    expect(config.models.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(config).toMatchObject({
      keys: [{ key: 'key-of-mine' }],
      inspect: 5,
      log: { level: 'debug' },
      host: '0.0.0.0',
    });
    expect(config.upstreams.get('default')).toMatchObject({ key: 'none', kind: 'native' });
  });

  it('takes an engine and members of the body', () => {
    const body = '{"skip_special_tokens": false, "stream_options": null}';
    expect(upstreamOf({ upstream: url, engine: 'vllm', body })).toMatchObject({
      engine: 'vllm',
      body: { skip_special_tokens: false, stream_options: null },
    });
    expect(upstreamOf({ upstream: url })).toMatchObject({ engine: 'auto', body: {} });
    const shell = { upstream: url, body: `{"stop": ["\${HOME}"]}` };
    expect(upstreamOf(shell, { HOME: '/root' })).toMatchObject({ body: { stop: [`\${HOME}`] } });
    const wrong = configFromFlags({ upstream: url, engine: 'vlm', body: '{no' }, {});
    const problems = wrong.ok ? [] : wrong.problems;
    expect(problems.map(({ path, message }) => `${path}: ${message}`).toSorted()).toEqual([
      expect.stringMatching(/^--body: expected a JSON object, found no JSON: line 1, column 2: expected .+$/),
      expect.stringMatching(/^--engine: expected one of vllm, .*, found "vlm"$/),
    ]);
  });

  it('takes a number of workers, or auto', () => {
    expect(configOf({ demo: true }).workers).toBe(1);
    expect(configOf({ demo: true, workers: '4' }).workers).toBe(4);
    expect(configOf({ demo: true, workers: 'auto' }).workers).toBe('auto');
    for (const workers of ['0', '1.5', 'all', '257', '-1', '']) {
      const result = configFromFlags({ demo: true, workers }, {});
      expect(result).toMatchObject({
        ok: false,
        problems: [
          { path: '--workers', message: expect.stringMatching(/^expected a whole number .* or auto/) },
        ],
      });
    }
  });

  it('says where a body is no JSON, how to write one, and nothing of its text', () => {
    const problemOf = (body: string) => {
      const result = configFromFlags({ upstream: url, body }, {});
      return result.ok ? undefined : result.problems[0];
    };
    for (const body of ['', '{"key": sk-secret}', '{"a": 1} sk-secret', '{"a": "sk-secret'])
      expect(problemOf(body)).toMatchObject({
        file: 'command line',
        path: '--body',
        message: expect.stringMatching(
          /^expected a JSON object, found no JSON: line 1, column \d+: (?!.*secret)/,
        ),
        hint: expect.stringContaining(`--body '{"skip_special_tokens": false}'`),
      });
    expect(problemOf('[1]')?.message).toBe('expected a JSON object, found other JSON');
    const alone = configFromFlags({ body: '{no' }, {});
    expect(alone.ok ? [] : alone.problems).toMatchObject([{ path: '--body' }]);
  });

  it('takes what the shell gives as it is', () => {
    expect(upstreamOf({ upstream: url, upstreamKey: `\${NONE}$\${X}` })?.key).toBe(`\${NONE}$\${X}`);
  });

  it('names the flag that is wrong', () => {
    const flags = { upstream: 'localhost', kind: 'chatt', port: 'x', host: '0.0.0.0', dialect: 'gml-4.5' };
    const result = configFromFlags(flags, {});
    const problems = result.ok ? [] : result.problems;
    expect(problems.map(({ file, path }) => `${file} ${path}`).toSorted()).toEqual([
      'command line --dialect',
      'command line --host',
      'command line --kind',
      'command line --port',
      'command line --upstream',
    ]);
    expect(problems.every(({ line }) => line === undefined)).toBe(true);
  });

  it('refuses a demo with an address', () => {
    expect(configFromFlags({ demo: true, upstream: url }).ok).toBe(false);
  });
});

describe('flags over a file', () => {
  it('win', () => {
    const flags = { port: '9000', host: 'localhost', key: ['key-of-the-flag'], log: 'error' };
    const result = parseConfig('port: 8000\nhost: 0.0.0.0\nkeys: [key-of-the-file]\nlog: debug', { flags });
    expect(result).toMatchObject({
      ok: true,
      config: { port: 9000, host: 'localhost', keys: [{ key: 'key-of-the-flag' }], log: { level: 'error' } },
    });
  });

  it('are named where they are wrong', () => {
    const result = parseConfig('port: 8000\nhosts: ["a:1"]', { flags: { host: '0.0.0.0' } });
    expect(result.ok ? [] : result.problems).toMatchObject([
      { file: 'command line', path: '--host' },
      { file: 'dragoman.config.yaml', path: 'hosts[0]', line: 2 },
    ]);
  });
});

describe('the environment', () => {
  const openai = { OPENAI_BASE_URL: 'http://a:1/v1', OPENAI_API_KEY: 'openai-key' };
  const anthropic = {
    ANTHROPIC_BASE_URL: 'http://b:2',
    ANTHROPIC_API_KEY: 'anthropic-key',
    ANTHROPIC_AUTH_TOKEN: 'token',
  };

  it('names the upstream where nothing else does', () => {
    expect(upstreamOf({}, openai)).toMatchObject({
      name: 'openai',
      url: 'http://a:1/v1',
      key: 'openai-key',
      kind: 'chat',
    });
    const file = parseConfig('port: 1', { env: openai });
    expect(file.ok && file.config.upstreams.get('openai')?.url).toBe('http://a:1/v1');
  });

  it("has Anthropic's words, too", () => {
    expect(upstreamOf({}, anthropic)).toMatchObject({
      name: 'anthropic',
      url: 'http://b:2/v1',
      api: 'anthropic-messages',
      kind: 'native',
      key: 'anthropic-key',
      headers: { authorization: 'Bearer token' },
    });
    expect(upstreamOf({}, { ANTHROPIC_BASE_URL: 'http://b:2/v1/' })?.url).toBe('http://b:2/v1');
  });

  it('says what it does not use', () => {
    const both = configFromFlags({}, { ...anthropic, ...openai });
    expect(both.ok && [...both.config.upstreams.keys()]).toEqual(['openai']);
    expect(both.ok && both.notes).toEqual(['ANTHROPIC_BASE_URL is not used: OPENAI_BASE_URL is set.']);
  });

  it('that points here is not followed', () => {
    const result = configFromFlags({}, { ANTHROPIC_BASE_URL: 'http://localhost:8787' });
    expect(result.ok && result.config.upstreams.get('demo')?.kind).toBe('demo');
    expect(result.ok && result.notes).toEqual([
      "ANTHROPIC_BASE_URL is this gateway's own address, and is not used.",
    ]);
  });

  it('with a key alone is no upstream', () => {
    expect(upstreamOf({}, { OPENAI_API_KEY: 'openai-key', ANTHROPIC_API_KEY: 'anthropic-key' })?.kind).toBe(
      'demo',
    );
  });

  it('gives its keys only to the address they belong to', () => {
    const env = { OPENAI_API_KEY: 'openai-key', ANTHROPIC_API_KEY: 'anthropic-key' };
    expect(upstreamOf({ upstream: 'https://api.openai.com/v1' }, env)?.key).toBe('openai-key');
    expect(upstreamOf({ upstream: 'https://api.anthropic.com/v1' }, env)?.key).toBe('anthropic-key');
    expect(upstreamOf({ upstream: 'https://api.openai.com.example/v1' }, env)?.key).toBeUndefined();
    expect(upstreamOf({ upstream: 'http://api.openai.com/v1' }, env)?.key).toBeUndefined();
    expect(upstreamOf({ upstream: 'http://a:1/v2' }, openai)?.key).toBe('openai-key');
    expect(upstreamOf({ upstream: 'https://api.openai.com/v1' }, openai)?.key).toBeUndefined();
    expect(upstreamOf({ upstream: 'https://api.openai.com/v1', upstreamKey: 'mine' }, env)?.key).toBe('mine');
  });

  it('that is wrong is named', () => {
    const result = configFromFlags({}, { OPENAI_BASE_URL: 'a:sk-canary' });
    expect(result.ok ? [] : result.problems).toMatchObject([
      { file: 'environment', path: 'OPENAI_BASE_URL' },
    ]);
    expect(JSON.stringify(result)).not.toContain('canary');
  });

  it.each([
    ['OPENAI_BASE_URL', 'OPENAI_API_KEY'],
    ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY'],
    ['ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN'],
  ])('at %s whose %s no log could hide is refused, by its name', (address, variable) => {
    const env = { [address]: 'http://a:1/v1', [variable]: 'xyz' };
    for (const flags of [{}, { upstream: 'http://a:1/v1' }]) {
      const result = configFromFlags(flags, env);
      expect(result.ok ? [] : result.problems).toMatchObject([
        { file: 'environment', path: variable, message: 'expected a key of at least 4 characters' },
      ]);
      expect(configFromFlags(flags, { ...env, [variable]: 'none' }).ok).toBe(true);
      // Meant for another address, it is not used, and may be what it likes.
      expect(configFromFlags({ upstream: 'http://b:1/v1' }, env).ok).toBe(true);
    }
  });

  it('that is empty is not set', () => {
    expect(upstreamOf({}, { OPENAI_BASE_URL: ' ' })?.kind).toBe('demo');
  });
});

it('a single key without a file may read everything, which is said; of several none may', () => {
  const one = configFromFlags({ demo: true, key: 'first-key' });
  expect(one.ok && one.config.keys).toEqual([{ key: 'first-key', admin: true }]);
  expect(one.ok && one.notes.join()).toContain('The key may also read the inspector and the metrics');
  const two = configFromFlags({ demo: true, key: ['first-key', 'other-key'] });
  expect(two.ok && two.config.keys).toEqual([{ key: 'first-key' }, { key: 'other-key' }]);
});
