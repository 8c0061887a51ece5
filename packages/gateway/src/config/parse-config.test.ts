// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a configuration.

import { describe, expect, it } from 'vitest';
import { parseConfig } from './parse-config.js';
import { formatProblems, type Problem } from './problem.js';

const env = { HOLDS: 'sk-canary-held', EMPTY: '', SHORT: 'abc' };
const CANARY = /canary/;

function problemsOf(text: string): readonly Problem[] {
  const result = parseConfig(text, { env });
  return result.ok ? [] : result.problems;
}

/** One line a problem: where, what field, what is wrong, what to do. */
function summary(text: string): string[] {
  return problemsOf(text).map(
    ({ line, column, path, message, hint }) =>
      `${line}:${column} ${path}: ${message}${hint === undefined ? '' : ` | ${hint}`}`,
  );
}

const start = 'upstreams:\n  local: http://localhost:11434/v1\n  far: https://example.com/v1\n';

describe('each problem names its line, its field, what was expected and what to do', () => {
  it.each([
    ['an unknown option', 'prot: 1', '1:1 prot: there is no such option here | Did you mean port?'],
    [
      'the word of another program',
      'upstream:\n  base_url: http://a/v1',
      '2:3 upstream.base_url: there is no such option here | Did you mean url?',
    ],
    [
      'a word like no other',
      'log: { zzzzzzzz: 1 }',
      '1:8 log.zzzzzzzz: there is no such option here | There are level, form.',
    ],
    [
      'a number out of range',
      'port: 65536',
      '1:7 port: expected a whole number from 0 to 65535, found the number 65536',
    ],
    ['a word for a number', 'port: many', '1:7 port: expected a whole number from 0 to 65535, found "many"'],
    ['no yes and no no', 'report: maybe', '1:9 report: expected true or false, found "maybe"'],
    [
      'a number for a name',
      'models: [4.5]',
      '1:10 models[0]: expected a name or a map, found the number 4.5',
    ],
    [
      'a number for a text',
      'models:\n  - name: 4.5',
      '2:11 models[0].name: expected a name, found the number 4.5 | Put it in quotes.',
    ],
    [
      'a choice that is none',
      'models:\n  - name: a\n    delivery: streem',
      '3:15 models[0].delivery: expected one of stream, whole, found "streem" | Did you mean stream?',
    ],
    [
      'a time that is none',
      'heartbeat: 5 minutes',
      '1:12 heartbeat: expected milliseconds, or a time like 500ms, 30s, 2m, 1h, at most 24d, found "5 minutes"',
    ],
    [
      'a time no timer can wait',
      'heartbeat: 25d',
      '1:12 heartbeat: expected milliseconds, or a time like 500ms, 30s, 2m, 1h, at most 24d, found "25d"',
    ],
    [
      'a size that is none',
      'limits: { bodyBytes: big }',
      '1:22 limits.bodyBytes: expected a number of bytes from 1024 to 1073741824, or a size like 64KB, 32MB, found "big"',
    ],
    ['a list for a map', 'limits: []', '1:9 limits: expected a map of members, found a list'],
    ['a list for the whole', '- a', '1:1 : expected a map of members, found a list'],
    [
      'a level that is none',
      'log: loud',
      '1:6 log: expected one of debug, info, warn, error, silent, found "loud"',
    ],
    [
      'a dialect that is none',
      'models:\n  - name: a\n    dialect: gml-4.5',
      /^3:14 models\[0\]\.dialect: no dialect is called "gml-4\.5" \| Did you mean glm-4\.5\? There are auto, alkaid, xnl, .*hermes, .*inkling/,
    ],
    [
      'an upstream that is none',
      `${start}models:\n  - { name: a, upstream: locall }`,
      '5:26 models[0].upstream: no upstream is called "locall" | Did you mean local? There are local, far.',
    ],
    [
      'an upstream that is not said',
      `${start}models: [a]`,
      '4:10 models[0].upstream: expected an upstream, because there are several | There are local, far.',
    ],
    [
      'models that are not said',
      start,
      '1:1 upstreams: expected models, because there are several upstreams | Say for each model which: local, far.',
    ],
    ['two models of a name', 'models: [a, b, a]', '1:16 models[2]: "a": there is another model of this name'],
    [
      'an alias that is taken',
      'models:\n  - { name: a, alias: x }\n  - { name: b, alias: [y, x] }',
      '3:27 models[1].alias[1]: "x": this is already an alias of a',
    ],
    [
      'a model without a name',
      'models: [{}]',
      '1:10 models[0].name: expected a name | Add name: …, what clients call the model.',
    ],
    [
      'an upstream without an address',
      'upstream: {}',
      '1:1 upstream.url: expected the address of the upstream as url | For example http://localhost:11434/v1',
    ],
    [
      'an address that is none',
      'upstream: localhost',
      '1:11 upstream: expected an address | For example http://localhost:11434/v1',
    ],
    [
      'an address of another kind',
      'upstream: ftp://a/v1',
      '1:11 upstream: expected an address that begins with http:// or https:// | For example http://localhost:11434/v1',
    ],
    [
      'a whole route as address',
      'upstream: http://a/v1/chat/completions',
      '1:11 upstream: expected the address up to the version | Leave out /chat/completions.',
    ],
    [
      'an address with a query',
      'upstream: http://a/v1?x',
      '1:11 upstream: expected an address without ? and #',
    ],
    [
      "the gateway's own address",
      'upstream: http://localhost:8787/v1',
      "1:11 upstream: this is the gateway's own address | Requests would circle.",
    ],
    [
      'a demo with an address',
      'upstream: { kind: demo, url: http://a/v1 }',
      '1:30 upstream.url: the demo has no address | Take it out.',
    ],
    [
      'a tiny model of a dialect that is not there',
      'upstream: tiny\nmodels: [{ name: a, model: tiny/hermez }]',
      '2:28 models[0].model: no tiny model is called "tiny/hermez" | Did you mean tiny/hermes? It is tiny, or tiny/ and the name of a dialect.',
    ],
    [
      'a name that looks like one of a tiny model',
      'upstream: tiny\nmodels: [tiny/zzzzzzzz]',
      '2:10 models[0]: no tiny model is called "tiny/zzzzzzzz" | It is tiny, or tiny/ and the name of a dialect.',
    ],
    [
      'a tiny model with an address',
      'upstream: { kind: tiny, url: http://a/v1 }',
      '1:30 upstream.url: the tiny model has no address | Take it out.',
    ],
    [
      'kind and api that do not fit',
      'upstream: { url: http://a/v1, kind: completion, api: openai-chat }',
      '1:54 upstream.api: kind completion and api openai-chat do not fit | Take api out.',
    ],
    [
      'a completion that is sent no prompt',
      'upstream: { url: http://a/v1, kind: completion }\nmodels: [{ name: a, dialect: xnl }]',
      /^2:30 models\[0\]\.dialect: xnl has no prompt of its own/,
    ],
    [
      'a completion whose dialect nothing tells',
      'upstream: { url: http://a/v1, kind: completion }\nmodels: [nameless]',
      /^2:10 models\[0\]\.dialect: expected a dialect, because the name of the model tells none/,
    ],
    [
      'both words for upstreams',
      'upstream: demo\nupstreams: { a: demo }',
      /^1:1 upstream: expected upstream or upstreams, found both/,
    ],
    [
      'a key that is passed and given',
      'upstream:\n  url: http://a/v1\n  key: none\n  passKey: true',
      '4:12 upstream.passKey: expected key or passKey, found both',
    ],
    [
      'keys that would be passed on',
      'upstream: { url: http://a/v1, passKey: true }\nkeys: [key-of-mine]',
      /^1:40 upstream\.passKey: passKey would send the gateway's own keys/,
    ],
    [
      'a header that cannot be',
      'upstream: { url: http://a/v1, headers: { "a b": c } }',
      '1:42 upstream.headers["a b"]: no header can have this name',
    ],
    [
      'a member of the body that is made for each request',
      'upstream: { url: http://a/v1, body: { model: c } }',
      '1:39 upstream.body.model: this member cannot be set | Set model at a model.',
    ],
    [
      'a number of choices in the body',
      'upstream: { url: http://a/v1, body: { n: 2 } }',
      '1:39 upstream.body.n: this member cannot be set | Clients ask for several choices themselves.',
    ],
    [
      'a header of the connection',
      'upstream: { url: http://a/v1, headers: { Host: c } }',
      '1:42 upstream.headers.Host: this header cannot be set',
    ],
    [
      'a header of two lines',
      'upstream: { url: http://a/v1, headers: { a: "b\\nc" } }',
      '1:45 upstream.headers.a: expected one line of visible characters',
    ],
    [
      'an empty key',
      'keys:\n  - name: a\n    key: ""',
      '3:10 keys[0].key: expected a key that is not empty, found an empty text',
    ],
    ['no key', 'keys:\n  - name: a', '2:5 keys[0].key: expected the key that clients send as key'],
    ['a key twice', 'keys: [key-of-mine, key-of-mine]', '1:21 keys[1]: this key was given before'],
    ['a key that no header carries', 'keys: [ключ]', /^1:8 keys\[0\]: expected a key of visible characters/],
    [
      'a key that can be guessed',
      'keys:\n  alice: { key: a-short }',
      '2:17 keys.alice.key: expected a key of at least 8 characters | Shorter ones can be guessed; openssl rand -hex 16 makes a good one.',
    ],
    [
      'a key that can be guessed, from the environment',
      'keys: [key-of-mine, "${SHORT}"]',
      /^1:21 keys\[1\]: expected a key of at least 8 characters/,
    ],
    [
      'a key of an upstream that no log could hide',
      'upstream:\n  url: http://a/v1\n  key: ${SHORT}',
      '3:8 upstream.key: expected a key of at least 4 characters | A shorter one cannot be kept out of logs. If any word does: none.',
    ],
    [
      'a key for a model that is none',
      'models: [glm]\nkeys: [{ key: key-of-mine, models: [gml] }]',
      '2:37 keys[0].models[0]: no model is called "gml" | Did you mean glm?',
    ],
    [
      'an open address without keys (G8)',
      'port: 80\nhost: 0.0.0.0',
      '2:7 host: others can reach this address, and there are no keys | Add keys, or say insecure (--insecure) if everybody may use it.',
    ],
    [
      'a host that is none',
      'host: "localhost:80"',
      '1:7 host: expected an address or a host name | The port is an option of its own.',
    ],
    [
      'any origin',
      'origins: ["*"]',
      '1:11 origins[0]: expected an origin like https://example.com | Any page of the web could use the gateway: name those that may.',
    ],
    [
      'an origin with a path',
      'origins: https://a.b/c',
      '1:10 origins: expected an origin like https://example.com',
    ],
    [
      'a host name with a port',
      'hosts: ["a:1"]',
      '1:9 hosts[0]: expected a host name, without scheme, port and *',
    ],
    [
      'a store that is none',
      'store: mysql://a',
      '1:8 store: expected memory:, redis://…, rediss://…, postgres://… or none',
    ],
    [
      'traces that go nowhere',
      'traces: here',
      '1:9 traces: expected an address that begins with http:// or https://',
    ],
    [
      'a variable that is not set',
      'host: ${NONE}',
      '1:7 host: the variable NONE is not set | Set it, or write ${NONE:-default}.',
    ],
    [
      'half a variable',
      'host: ${NONE',
      '1:7 host: expected ${NAME} or ${NAME:-default} | Write $${ for a $ and a brace that are meant as they are.',
    ],
    ['a member twice', 'port: 1\nport: 2', '2:1 port: this is said twice | Keep one of the two.'],
    ['tabs', '\tport: 1', '1:1 : lines are indented with tabs | YAML wants spaces.'],
    [
      'a member with a value and members below it',
      'upstream: http://a/v1\n  kind: native',
      /1:11 : expected name and colon in one line \| Is a colon missing\? Or has a member both a value and members below it\?/,
    ],
    [
      'an option of an upstream at the top level',
      'upstream: http://a/v1\nengine: vllm',
      '2:1 engine: there is no such option here | It is an option of an upstream.',
    ],
    [
      'an option of models at an upstream',
      'upstream: { url: "http://a/v1", roles: strict }',
      '1:33 upstream.roles: there is no such option here | It is an option of the top level and of a model.',
    ],
    [
      'an option of a prompt at a model',
      'upstream: http://a/v1\nmodels: [{ name: m, language: zh }]',
      '2:21 models[0].language: there is no such option here | It is an option of a model’s prompt.',
    ],
    [
      'a wrong value within a list of upstreams',
      'upstream: [http://a/v1, { url: http://b/v1, engine: vlm }]',
      /^1:53 upstream\[1\]\.engine: expected one of vllm, .+, found "vlm" \| Did you mean vllm\?$/,
    ],
    [
      'an unknown option within a list of upstreams',
      'upstream: [http://a/v1, { url: http://b/v1, motor: 1 }]',
      /^1:45 upstream\[1\]\.motor: there is no such option here \| There are name, kind, .+\.$/,
    ],
    [
      'a number in the place of a secret',
      'upstream: http://a/v1\nsealKey: 1234567890123456',
      '2:10 sealKey: expected a secret, found a number | Put it in quotes.',
    ],
    ['two colons', 'host: a: b', '1:7 : there are two colons in one line | Put the text in quotes.'],
    [
      'two documents',
      'port: 1\n---\nport: 2',
      '2:1 : expected one document, found several | Take out the line ---.',
    ],
  ])('%s', (_, text, expected) => {
    const found = summary(text);
    expect(found).toHaveLength(1);
    if (typeof expected === 'string') expect(found[0]).toBe(expected);
    else expect(found[0]).toMatch(expected);
  });
});

describe('problems', () => {
  it('are told all at once, in the order of the text', () => {
    const text = `port: x
upstreams:
  a: { url: http://a/v1, api_key: k }
  b: 5
models:
  - { name: m, upstream: a, reasks: -1 }
  - 7
  - { name: m, upstream: a }
keys: [{ kye: x }]
limit: {}
`;
    expect(problemsOf(text).map(({ line, path }) => `${line} ${path}`)).toEqual([
      '1 port',
      '3 upstreams.a.api_key',
      '4 upstreams.b',
      '6 models[0].reasks',
      '7 models[1]',
      '8 models[2].name',
      '9 keys[0].kye',
      '10 limit',
    ]);
  });

  it('do not blame a model for an upstream that was refused', () => {
    expect(summary('upstreams: { a: 5, b: demo }\nmodels: [{ name: m, upstream: a }]')).toHaveLength(1);
  });

  it('are printed with the line and a caret', () => {
    const text = 'upstream: demo\nmodels:\n  - name: a\n    delivery: streem # soon\n';
    const result = parseConfig(text, { path: 'here/dragoman.config.yaml' });
    expect(result.ok ? '' : formatProblems(result.problems)).toBe(
      [
        'here/dragoman.config.yaml:4:15  models[0].delivery: expected one of stream, whole, found "streem"',
        '    Did you mean stream?',
        '',
        '    4 |     delivery: streem # ••••',
        '      |               ^^^^^^',
      ].join('\n'),
    );
  });

  it('show the part of a long line that matters', () => {
    const [problem] = problemsOf(`hosts: [${'a.example, '.repeat(100)}"b:1"]`);
    expect(problem?.column).toBe(1109);
    expect(problem?.excerpt?.text.slice(problem.excerpt.from, problem.excerpt.from + 5)).toBe('"b:1"');
  });

  it('of JSON have their places, too', () => {
    const result = parseConfig('{\n\t"port": 1,\n\t"models": [{ "nam": "x" }]\n}', { form: 'json' });
    expect(result.ok ? [] : result.problems).toMatchObject([{ line: 3, column: 15, path: 'models[0].nam' }]);
  });

  it.each([
    ['{ "port": 1, }', 1, 14],
    ['{ port: 1 }', 1, 3],
    ['{ "port": 1 } # no', 1, 15],
    ["{ 'port': 1 }", 1, 3],
    ['', 1, 1],
  ])('hold JSON to JSON: %s', (text, line, column) => {
    const result = parseConfig(text, { form: 'json' });
    expect(result.ok ? [] : result.problems).toMatchObject([{ line, column }]);
  });
});

describe('a secret', () => {
  it.each([
    'upstream: { url: http://a/v1, key: sk-canary, prot: 1 }',
    'upstream: { url: http://a/v1, kye: sk-canary }',
    'upstream: { url: "http://me:canary@a/v1" }',
    'upstream: http://me:canary@a/v1',
    'upstream: http://a/v1?key=canary',
    'upstream: { url: canary }',
    'upstream: canary?',
    'upstreams: { url: canary@, host: 5 }',
    'upstream: { url: http://a/v1, headers: { x-key: canary, host: canary } }',
    'upstream: { url: http://a/v1, headers: { x-key: [canary] } }',
    'upstream: { url: http://a/v1, body: { x: canary, model: canary } }',
    'upstream: { url: http://a/v1, body: canary }',
    'upstream: { url: http://a/v1, key: [canary] }',
    'upstream: { url: http://a/v1, key: "canary\\n" }',
    'keys: [sk-canary, sk-canary]',
    'keys: { name: sk-canary, model: sk-canary }',
    'keys: [{ key: sk-canary, rpm: 1 }]',
    'keys: [{ name: a, key: { a: sk-canary } }]',
    'keys: sk-canary',
    'store: mysql://a:canary@b',
    'store: { url: "canary:" }',
    'store: { url: "redis://a:canary@b", keep: 1 }',
    'traces: canary',
    'token: sk-canary',
    'secrets: { name: canary, models: [canary] }',
    'upstream: { url: http://a/v1, auth: { name: canary } }',
    'upstream: { url: http://a/v1, timeouts: { key: canary } }',
    'port: x # sk-canary',
    'port: "${HOLDS}"',
    'host: "${HOLDS}@"',
    'upstream: ${HOLDS}',
    'keys: ["${HOLDS}", "${HOLDS}"]',
    'models: [{ name: a, dialect: "${HOLDS}" }]',
    'models: [{ name: a, upstream: "${HOLDS}" }]',
    'upstream: { url: http://a/v1, key: "${NONE:-sk-canary}${NONE}" }',
    'keys: [sk-canary: x: y',
    'key: sk-canary: [',
    'key: "sk-canary',
    'key: "sk-canary\\q"',
    'key: &canary !canary sk-canary',
    'key: *canary',
    '{ "key": "sk-canary"',
    'models: { ? [canary] : 1 }',
  ])('is in no problem: %s', (text) => {
    for (const form of ['yaml', 'json'] as const) {
      const result = parseConfig(text, { env, form });
      expect(result.ok).toBe(false);
      if (result.ok) continue;
      expect(formatProblems(result.problems)).not.toMatch(CANARY);
      expect(JSON.stringify(result.problems)).not.toMatch(CANARY);
    }
  });
});
