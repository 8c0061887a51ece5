import { dialects } from '@dragoman/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { checkSource } from './check-source.js';
import { parseConfig } from './parse-config.js';
import type { ConfigInput } from './shape.js';
import { Source } from './source.js';

const seeded = { seed: 20, numRuns: 100 };

/** Names that YAML could take for something else. */
const name = fc
  .oneof(
    fc.constantFrom(
      'yes',
      'null',
      '1',
      '4.5',
      '1e3',
      '- a',
      'a: b',
      '#x',
      '"',
      "'",
      '*',
      '&a',
      '!x',
      '{',
      '~',
      '<<<',
      ' a ',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.constantFrom('constructor', 'toString', 'zai-org/GLM-4.5', '模型'),
  )
  .filter((text) => !text.includes('${') && text !== '__proto__' && text !== '<<' && text !== '*');

const key = fc
  .string({ minLength: 8, maxLength: 16 })
  .filter((text) => text.trim() === text && !text.includes('${'));
const duration = fc.oneof(
  fc.nat(1e6),
  fc.nat(1000).map((amount) => `${amount}s`),
);
const some = <T extends Record<string, fc.Arbitrary<unknown>>>(model: T) =>
  fc.record(model, { requiredKeys: [] });

const model = some({
  dialect: fc.constantFrom('auto', ...dialects.map((dialect) => dialect.name)),
  thinking: fc.boolean(),
  reasks: fc.nat(10),
  delivery: fc.constantFrom('stream', 'whole'),
  prompt: some({
    language: fc.constantFrom('en', 'zh'),
    template: fc.dictionary(name, fc.jsonValue(), { maxKeys: 2 }),
  }),
  policies: some({ coerceStrings: fc.boolean(), calls: fc.constantFrom('read', 'text') }),
  limits: some({ calls: fc.integer({ min: 1, max: 128 }) }),
});

const upstream = fc.oneof(
  fc.constant('http://localhost:11434/v1'),
  fc.record(
    {
      url: fc.webUrl({ validSchemes: ['http', 'https'] }),
      key,
      timeouts: some({ idle: duration }),
      media: fc.boolean(),
    },
    { requiredKeys: ['url'] },
  ),
);

const several = fc.uniqueArray(
  fc.record({ name, url: fc.webUrl({ validSchemes: ['http', 'https'] }) }, { requiredKeys: ['name', 'url'] }),
  { selector: (one) => one.name, minLength: 1, maxLength: 3 },
);

const config = fc.record(
  {
    upstream: fc.oneof(upstream, several),
    route: fc.constantFrom('order', 'error-rate'),
    port: fc.nat(65_535),
    models: fc.oneof(
      fc.dictionary(name, fc.oneof(fc.constant(null), model), { minKeys: 1, maxKeys: 4 }),
      fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
    ),
    keys: fc.uniqueArray(key, { maxLength: 3 }),
    limits: some({ bodyBytes: fc.constantFrom('32MB', 4096), choices: fc.integer({ min: 1, max: 8 }) }),
    heartbeat: duration,
    log: fc.constantFrom('debug', { form: 'json' }),
  },
  { requiredKeys: ['upstream'] },
);

/** Variables in what a template takes would be filled in, and words that touch prototypes are refused. */
function isPlain(value: unknown): boolean {
  const text = JSON.stringify(value);
  return !text.includes('${') && !text.includes('__proto__') && !text.includes('"<<"');
}

function checked(value: unknown) {
  const source = new Source('program');
  source.value = value;
  return checkSource(source, {});
}

it('a valid configuration is the same in YAML, in JSON, and from a program', () => {
  fc.assert(
    fc.property(config.filter(isPlain), (value) => {
      const fromProgram = checked(value as ConfigInput);
      const fromYaml = parseConfig(stringify(value), { form: 'yaml' });
      const fromJson = parseConfig(JSON.stringify(value), { form: 'json' });
      const indented = parseConfig(JSON.stringify(value, null, '\t'), { form: 'json' });
      expect(fromProgram).toMatchObject({ ok: true });
      expect(fromYaml).toEqual(fromProgram);
      expect(fromJson).toEqual(fromProgram);
      expect(indented).toEqual(fromProgram);
    }),
    seeded,
  );
});

it('whatever is written, the answer is a configuration or problems with lines', () => {
  const piece = fc.constantFrom(
    'port',
    ': ',
    '\n',
    '  ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '#',
    '&a',
    '*a',
    '!',
    '${',
    '}',
    ',',
    '|',
    '>',
    '?',
    '%',
    '\t',
    'models',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      for (const form of ['yaml', 'json'] as const) {
        const result = parseConfig(pieces.join(''), { form });
        if (result.ok) continue;
        expect(result.problems.length).toBeGreaterThan(0);
        for (const { line, column } of result.problems) expect(line && column).toBeGreaterThan(0);
      }
    }),
    { seed: 21, numRuns: 1000 },
  );
});
