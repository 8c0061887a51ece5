import { expect, it } from 'vitest';
import type { ModelConfig } from './config.js';
import { parseConfig } from './parse-config.js';
import { formatProblems } from './problem.js';

const upstreams = 'upstreams: { a: "http://a/v1", b: { kind: completion, url: "http://b/v1" } }\n';

function modelsOf(text: string): readonly ModelConfig[] {
  const result = parseConfig(text);
  if (!result.ok) throw new Error(formatProblems(result.problems));
  return result.config.models;
}

function problemsOf(text: string): string[] {
  const result = parseConfig(text);
  return result.ok ? [] : result.problems.map(({ path, message, hint }) => [path, message, hint].join(' | '));
}

it('a list of upstreams has the options of the model, and own ones', () => {
  const model =
    '{ name: m, upstream: [a, { name: b, model: m-2, dialect: hermes }], dialect: glm-4.5, reasks: 1 }';
  expect(modelsOf(`${upstreams}models: [${model}]`)).toEqual([
    {
      name: 'm',
      aliases: [],
      upstream: 'a',
      bridge: { dialect: 'glm-4.5', reasks: 1 },
      pool: {
        route: 'order',
        endpoints: [
          { upstream: 'a', bridge: { dialect: 'glm-4.5', reasks: 1 } },
          { upstream: 'b', model: 'm-2', bridge: { dialect: 'hermes', reasks: 1 } },
        ],
      },
    },
  ]);
});

it('one upstream as a map has its own model and dialect, and makes no pool', () => {
  const [model] = modelsOf(
    `${upstreams}models: [{ name: m, upstream: { name: a, model: m-2, dialect: xnl } }]`,
  );
  expect(model).toEqual({ name: 'm', aliases: [], upstream: 'a', model: 'm-2', bridge: { dialect: 'xnl' } });
});

it('a list at the top level serves any name, from upstreams that are named by their hosts', () => {
  const result = parseConfig(
    'upstream: [http://a:8000/v1, { url: "http://b/v1", key: a-key, name: second }]',
  );
  expect(result).toMatchObject({ ok: true });
  if (!result.ok) return;
  expect([...result.config.upstreams.keys()]).toEqual(['a:8000', 'second']);
  expect(result.config.upstreams.get('second')?.key).toBe('a-key');
  expect(result.config.models).toMatchObject([
    { name: '*', pool: { route: 'order', endpoints: [{ upstream: 'a:8000' }, { upstream: 'second' }] } },
  ]);
});

it('the route of a model beats that of all', () => {
  const models =
    'models: [{ name: m, upstream: [a, b], dialect: hermes }, { name: n, upstream: [b, a], dialect: hermes, route: order }]';
  const routes = modelsOf(`${upstreams}route: error-rate\n${models}`).map(({ pool }) => pool?.route);
  expect(routes).toEqual(['error-rate', 'order']);
});

it.each([
  [
    'an upstream that is none',
    'upstream: [a, bb]',
    'models[0].upstream[1] | no upstream is called "bb" | Did you mean b? There are a, b.',
  ],
  [
    'one in a map that is none',
    'upstream: [a, { name: other }]',
    'models[0].upstream[1].name | no upstream is called "other" | There are a, b.',
  ],
  [
    'one that is named twice',
    'upstream: [a, a]',
    'models[0].upstream[1] | this upstream is named twice | Name each upstream once.',
  ],
  ['an empty list', 'upstream: []', 'models[0].upstream | expected at least one upstream | '],
  [
    'a map without a name',
    'upstream: [{ model: x }]',
    'models[0].upstream[0].name | expected an upstream, because there are several | There are a, b.',
  ],
  [
    'a member that is none',
    'upstream: [{ name: a, key: x }]',
    'models[0].upstream[0].key | there is no such option here | It is an option of an upstream.',
  ],
  [
    'a route that is none',
    'upstream: [a, b], dialect: hermes, route: random',
    'models[0].route | expected one of order, error-rate, found "random" | ',
  ],
])('refuses %s, and says what to do', (_, body, problem) => {
  expect(problemsOf(`${upstreams}models: [{ name: m, ${body} }]`)).toEqual([problem]);
});

it('refuses a dialect that cannot write the prompt of one of the upstreams', () => {
  const [problem] = problemsOf(
    `${upstreams}models: [{ name: m, upstream: [a, { name: b, dialect: alkaid }] }]`,
  );
  expect(problem).toMatch(/^models\[0\]\.upstream\[1\]\.dialect \| alkaid has no prompt of its own/);
});

it('refuses an empty list at the top level, and one with a fault', () => {
  expect(problemsOf('upstream: []')).toEqual(['upstream | expected at least one upstream | ']);
  expect(problemsOf('upstream: [http://a/v1, ftp://b]')[0]).toMatch(/^upstream\[1\] \| expected an address/);
  expect(problemsOf('upstream: [http://a/v1, http://a/v2]')).toEqual([
    'upstream[1] | there are two upstreams called "a" | Give it a name of its own: { name: …, url: … }',
  ]);
});
