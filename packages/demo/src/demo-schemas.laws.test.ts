import { Validator } from '@cfworker/json-schema';
import { acceptTools, type JsonObject } from '@dragoman/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askDemo, fullyTried, KEYS_ARE_TAGS, nameOf, type Setting, settings, user } from './demo.fixture.js';

const key = fc.constantFrom(
  'city',
  'path',
  'days',
  'query',
  'deep',
  'x-y',
  'user id',
  '名字',
  'constructor',
  'url',
  'command',
);

const leaf: fc.Arbitrary<JsonObject> = fc.oneof<fc.Arbitrary<JsonObject>[]>(
  fc.constant({ type: 'string' }),
  fc.constant({ type: 'string', description: 'Some words; about "it" (really)' }),
  fc.constant({ type: 'string', minLength: 3, maxLength: 8 }),
  fc.constant({ type: 'string', format: 'date' }),
  fc.constant({ type: 'string', format: 'email' }),
  fc.constant({ type: 'string', enum: ['a', 'b c', '7'] }),
  fc.constant({ enum: [1, 'x', null] }),
  fc.constant({ const: 'fixed' }),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: 'null' }),
  fc.constant({ type: ['string', 'null'] }),
  fc.constant({ anyOf: [{ type: 'null' }, { type: 'integer', minimum: 3 }] }),
  fc.constant({ $ref: '#/$defs/node' }),
  fc.integer({ min: -50, max: 50 }).map((minimum): JsonObject => ({ type: 'integer', minimum })),
  fc.integer({ min: -50, max: 50 }).map((maximum): JsonObject => ({ type: 'number', maximum })),
  fc.constant({ type: 'integer', multipleOf: 5, exclusiveMinimum: 10 }),
);

const { schema } = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .record({ items: tie('schema'), minItems: fc.integer({ min: 0, max: 2 }) })
      .map((list) => ({ type: 'array', ...list })),
    tie('object'),
  ),
  object: objectOf(tie('schema')),
}));

function objectOf(member: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const members = fc.uniqueArray(fc.tuple(key, member, fc.boolean()), {
    selector: ([name]) => name,
    maxLength: 5,
  });
  return members.map(
    (entries): JsonObject => ({
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, property]) => [name, property])),
      required: entries.flatMap(([name, , required]) => (required ? [name] : [])),
    }),
  );
}

const root = objectOf(schema).map(
  (object): JsonObject => ({
    ...object,
    $defs: {
      node: {
        type: 'object',
        properties: { id: { type: 'integer' }, next: { $ref: '#/$defs/node' } },
        required: ['id'],
      },
    },
  }),
);

const question = fc.constantFrom(
  'Use the_tool for Paris and Rome in 3 days',
  '请用 the_tool 查询 12 个 "文件"',
  'the_tool `ls -l` src/app.ts https://example.org/x me@example.org 2024-05-06 -7 4.5',
  'the_tool',
);

/** Whether all names that a call can have in it can be names of tags. */
function haveTagNames(parameters: JsonObject): boolean {
  return !JSON.stringify(parameters).includes('"user id"');
}

async function expectFit(setting: Setting, parameters: JsonObject, text: string): Promise<void> {
  const tools = acceptTools([{ name: 'the_tool', description: 'Does it.', parameters }]);
  const answer = await askDemo(setting, { messages: [user(text)], tools });
  const validator = new Validator(parameters as object, '2020-12', false);
  expect(answer.calls.length).toBeGreaterThan(0);
  for (const { input } of answer.calls) expect(validator.validate(input).errors).toEqual([]);
  expect(answer.report).toMatchObject({ issues: [], reasks: [] });
  const repairs = answer.report?.repairs.map((repair) => repair.code) ?? [];
  const isJson = KEYS_ARE_TAGS.includes(setting.dialect.name) && !haveTagNames(parameters);
  expect(repairs.filter((code) => !(isJson && code === 'json-body'))).toEqual([]);
}

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 0.2);
const SEED = 20_251;
/** So that every setting has one. */
const FEWEST = 12;
/** Drawn once: each setting takes a part of them, in turn. */
const drawn = fc.sample(fc.tuple(root, question), {
  seed: SEED,
  numRuns: Math.max(FEWEST, Math.ceil(300 * EFFORT)),
});

/** Of the field's dialects, and of the second form of the project's own, fewer. */
function drawnFor(setting: Setting, at: number): typeof drawn {
  const isFull = fullyTried.includes(setting.dialect) && Object.keys(setting.render).length === 0;
  const share = isFull ? 4 : 12;
  return drawn.filter((_, place) => place % share === at % share);
}

describe('calls of any tool', () => {
  const forms = settings.filter(({ render }) => render.language === undefined);
  it.each(forms.map((setting, at) => [nameOf(setting), setting, at] as const))(
    'fit its schema: %s',
    async (_, setting, at) => {
      const examples = drawnFor(setting, at);
      expect(examples.length).toBeGreaterThan(0);
      // What was drawn, and what fails shrunk.
      await fc.assert(
        fc.asyncProperty(root, question, (parameters, text) => expectFit(setting, parameters, text)),
        { seed: SEED, examples, numRuns: examples.length },
      );
    },
  );
});
