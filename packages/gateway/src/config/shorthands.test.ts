import { dialects } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import type { GatewayConfig } from './config.js';
import { parseConfig } from './parse-config.js';

function configOf(text: string, env = {}): GatewayConfig {
  const result = parseConfig(text, { env });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
}

const url = 'http://localhost:11434/v1';

describe('short forms mean the same as long ones', () => {
  it.each([
    [
      'one upstream as an address',
      `upstream: ${url}`,
      `upstream: { url: "${url}/", kind: chat, api: openai-chat }`,
    ],
    ['upstreams as addresses', `upstreams: { a: ${url} }`, `upstreams: { a: { url: "${url}" } }`],
    ['upstreams as a list', `upstreams: [{ name: a, url: ${url} }]`, `upstreams: { a: ${url} }`],
    ['a demo', 'upstream: demo', 'upstream: { kind: demo }'],
    ['the tiny model', 'upstreams: { t: tiny }', 'upstreams: { t: { kind: tiny } }'],
    [
      'models as names',
      'upstream: demo\nmodels: [a, b]',
      'upstream: demo\nmodels: [{ name: a }, { name: b }]',
    ],
    ['models as a map', 'models: { a: , b: { reasks: 1 } }', 'models: [a, { name: b, reasks: 1 }]'],
    ['a map with other names', 'models: { x: { name: a } }', 'models: [a]'],
    ['one alias', 'models: [{ name: a, alias: b }]', 'models: [{ name: a, aliases: [b] }]'],
    [
      'an upstream that goes without saying',
      'upstreams: { l: demo }\nmodels: [a]',
      'upstreams: { l: demo }\nmodels: [{ name: a, upstream: l }]',
    ],
    [
      'one upstream in a list',
      'upstreams: { l: demo }\nmodels: [{ name: a, upstream: [l] }]',
      'upstreams: { l: demo }\nmodels: [{ name: a, upstream: l }]',
    ],
    [
      'upstreams for all models',
      'upstream: [{ name: a, url: "http://a/v1" }, { name: b, url: "http://b/v1" }]\nmodels: [m]',
      'upstreams: { a: "http://a/v1", b: "http://b/v1" }\nmodels: [{ name: m, upstream: [a, { name: b }] }]',
    ],
    [
      'a route for all models',
      'upstream: ["http://a/v1", "http://b/v1"]\nroute: error-rate\nmodels: [m]',
      'upstream: ["http://a/v1", "http://b/v1"]\nmodels: [{ name: m, route: error-rate }]',
    ],
    [
      'a dialect for all',
      'dialect: glm-4.5\nmodels: [a, { name: b, dialect: xnl }]',
      'models: [{ name: a, dialect: glm-4.5 }, { name: b, dialect: xnl }]',
    ],
    ['dialect auto', 'models: [a]', 'models: [{ name: a, dialect: auto }]'],
    ['watch for one', 'models: [{ name: a, watch: hermes }]', 'models: [{ name: a, watch: [hermes] }]'],
    [
      'timeouts for all',
      `upstream: ${url}\ntimeouts: { idle: 1s }`,
      `upstream: { url: "${url}", timeouts: { idle: 1000 } }`,
    ],
    ['keys as a list', 'keys: [first-key, other-key]', 'keys: [{ key: first-key }, { key: other-key }]'],
    [
      'keys as a map',
      'keys: { a: first-key, b: { key: other-key, requestsPerMinute: 9 } }',
      'keys: [{ name: a, key: first-key }, { name: b, key: other-key, requestsPerMinute: 9 }]',
    ],
    ['a store', 'store: memory', 'store: { url: "memory:", keep: 30d }'],
    ['a level', 'log: warn', 'log: { level: warn, form: text }'],
    ['traces', 'traces: http://a:4318', 'traces: { endpoint: "http://a:4318" }'],
    ['one origin', 'origins: https://a.b', 'origins: [https://a.b]'],
    ['brackets', 'host: "[::1]"', 'host: "::1"'],
    ['nothing', '', '{}'],
    ['only comments', '# nothing\n', 'upstream: { name: demo, kind: demo }'],
  ])('%s', (_, short, long) => {
    expect(configOf(short)).toEqual(configOf(long));
  });
});

it('a single upstream takes any model', () => {
  expect(configOf(`upstream: ${url}`).models).toEqual([
    { name: '*', aliases: [], upstream: 'default', bridge: { dialect: 'auto' } },
  ]);
});

it('the demo offers a model a dialect', () => {
  const { models } = configOf('');
  const names = dialects.map(({ name }) => name);
  expect(models.map(({ name }) => name)).toEqual(['demo', ...names.map((name) => `demo/${name}`)]);
  expect(models.map(({ bridge }) => bridge.dialect)).toEqual(['auto', ...names]);
});

it('the tiny model offers a model a dialect, too', () => {
  const { models } = configOf('upstream: tiny');
  const names = dialects.map(({ name }) => name);
  expect(models.map(({ name }) => name)).toEqual(['tiny', ...names.map((name) => `tiny/${name}`)]);
  expect(models.map(({ bridge }) => bridge.dialect)).toEqual(['hermes', ...names]);
});

it('the kind of an upstream decides what it speaks and takes', () => {
  const upstreams = [
    ...configOf(`
upstreams:
  a: { url: http://a/v1, kind: completion }
  b: { url: http://a/v1, kind: native }
  c: { url: http://a/v1, api: anthropic-messages }
  d: { url: http://a/v1, api: openai-completions }
models: [{ name: glm-4.5, upstream: a }]
`).upstreams.values(),
  ];
  expect(upstreams.map(({ kind, api, media }) => `${kind} ${api} ${media}`)).toEqual([
    'completion openai-completions false',
    'native openai-chat true',
    'native anthropic-messages true',
    'completion openai-completions false',
  ]);
});

it('everything a model can be told reaches the bridge', () => {
  const text = `
upstream: demo
models:
  - name: a
    model: b
    thinking: false
    inReasoning: true
    echoes: refuse
    history: exact
    roles: strict
    prompt: { language: zh, short: true, template: { reasoning_effort: high } }
    policies: { callsInReasoning: never }
    limits: { calls: 3 }
`;
  expect(configOf(text).models[0]).toEqual({
    name: 'a',
    aliases: [],
    upstream: 'default',
    model: 'b',
    bridge: {
      dialect: 'auto',
      inReasoning: true,
      echoes: 'refuse',
      history: 'exact',
      roles: 'strict',
      render: { thinking: false, language: 'zh', short: true, template: { reasoning_effort: 'high' } },
      policies: { callsInReasoning: 'never' },
      limits: { calls: 3 },
    },
  });
});

it('an upstream has a connection for each request that is let in, so that none waits in silence', () => {
  const connectionsOf = (text: string) => configOf(text).upstreams.get('default')?.connections;
  expect(connectionsOf(`upstream: ${url}`)).toBe(configOf('').limits.requests);
  expect(connectionsOf(`upstream: ${url}\nlimits: { requests: 9 }`)).toBe(9);
  expect(connectionsOf(`upstream: { url: "${url}", connections: 2 }\nlimits: { requests: 9 }`)).toBe(2);
  expect(connectionsOf(`upstream: ${url}\nlimits: { requests: 1000000 }`)).toBe(65_535);
});

it('a key may see everything if it is told so, also the only one', () => {
  const adminsOf = (text: string) => configOf(text).keys.flatMap(({ name, admin }) => (admin ? [name] : []));
  expect(adminsOf('keys: [first-key]')).toEqual([]);
  expect(adminsOf('keys: { a: { key: first-key, admin: true } }')).toEqual(['a']);
  expect(adminsOf('keys: { a: { key: first-key, admin: false } }')).toEqual([]);
  expect(adminsOf('keys: [first-key, other-key]')).toEqual([]);
  expect(adminsOf('keys: { a: first-key, b: { key: other-key, admin: true } }')).toEqual(['b']);
});

it('an inspector that everybody can read, or nobody, is said', () => {
  const notesOf = (text: string) => {
    const result = parseConfig(`inspect: 5\n${text}`);
    return result.ok ? result.notes.filter((note) => /read/.test(note)) : result.problems;
  };
  expect(notesOf('')).toEqual([]);
  expect(notesOf('keys: [{ key: first-key, admin: true }]')).toEqual([]);
  expect(notesOf('keys: [first-key, other-key]')).toEqual([
    'Nobody can read the inspector: none of the keys has admin: true.',
  ]);
  expect(notesOf('host: 0.0.0.0\ninsecure: true')).toEqual([
    'Everybody who can reach 0.0.0.0 can read what was asked: inspect is on.',
  ]);
});

it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('%s needs no keys', (host) => {
  expect(configOf(`host: "${host}"`).host).toBe(host);
});

it.each(['0.0.0.0', '::', '192.168.1.2', 'example.com', '127.example.com'])(
  '%s needs keys, or insecure (G8)',
  (host) => {
    expect(parseConfig(`host: "${host}"`).ok).toBe(false);
    expect(configOf(`host: "${host}"\nkeys: [key-of-mine]`).host).toBe(host);
    const open = parseConfig(`host: "${host}"\ninsecure: true`);
    expect(open.ok && open.notes).toEqual([
      `Everybody who can reach ${host} can use this gateway: it has no keys.`,
    ]);
  },
);

it('takes history at the top for all models that name none', () => {
  const text = 'upstream: http://localhost:11434/v1\nhistory: exact\n';
  expect(configOf(text).models[0]?.bridge.history).toBe('exact');
  const named = `${text}models: [{ name: a, history: mend }, b]\n`;
  expect(configOf(named).models.map(({ bridge }) => bridge.history)).toEqual(['mend', 'exact']);
});

it('takes roles at the top for all models that name none', () => {
  const text = 'upstream: http://localhost:11434/v1\nroles: as-is\n';
  expect(configOf(text).models[0]?.bridge.roles).toBe('as-is');
  const named = `${text}models: [{ name: a, roles: no-system }, b]\n`;
  expect(configOf(named).models.map(({ bridge }) => bridge.roles)).toEqual(['no-system', 'as-is']);
});
