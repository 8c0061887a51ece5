import { expect, test } from 'vitest';
import { hermes } from '../dialects/index.js';
import type { Dialect } from '../engine/dialect.js';
import { constrain } from '../families/constrain.js';
import { prepareTools, UsageError } from '../model/index.js';
import type { ConstrainOptions } from './constrain.js';
import { all, argumentsValue, text } from './spelling.js';

const given = ['f', 'g'].map((name) => ({ name, parameters: { type: 'object', properties: { x: {} } } }));

/** A dialect that counts how often its rules are asked for. */
function counting(fails = false): { dialect: Dialect; made: () => number } {
  let made = 0;
  const calls = ([tool]: Parameters<typeof argumentsValue>[0][]) => {
    made++;
    if (fails || !tool) throw new UsageError('no-grammar', 'there is none');
    return all(text(tool.name), argumentsValue(tool));
  };
  return { dialect: { ...hermes, constrain: { triggers: ['f'], calls } }, made: () => made };
}

const gbnf: ConstrainOptions = { format: 'gbnf' };

test('the grammar of the same tools is made once, whatever list holds them', () => {
  const { dialect, made } = counting();
  const tools = prepareTools(given);
  const first = constrain(dialect, tools, 'required', gbnf);
  expect(constrain(dialect, [...tools], 'required', { ...gbnf, parallel: true })).toBe(first);
  expect(made()).toBe(1);
});

test('other tools, choices, options and dialects have grammars of their own', () => {
  const tools = prepareTools(given);
  const first = constrain(hermes, tools, 'required', gbnf);
  const others = [
    constrain(hermes, prepareTools(given), 'required', gbnf),
    constrain(hermes, tools.slice(0, 1), 'required', gbnf),
    constrain(hermes, tools, 'auto', gbnf),
    constrain(hermes, tools, 'required', { ...gbnf, parallel: false }),
    constrain(hermes, tools, 'required', { ...gbnf, reasoning: 'yes' }),
    constrain(counting().dialect, tools, 'required', gbnf),
  ];
  for (const other of others) expect(other).not.toBe(first);
  expect(others[0]).toEqual(first);
});

test('no caller can change the grammar of another', () => {
  const { grammar, limits } = constrain(hermes, prepareTools(given), 'required', {
    format: 'structural-tag',
  });
  expect(grammar).toBeTypeOf('object');
  expect(() => Object.assign(grammar as object, { type: 'other' })).toThrow(TypeError);
  expect(() => (limits as unknown[]).push({})).toThrow(TypeError);
});

test('a refusal is kept, too', () => {
  const { dialect, made } = counting(true);
  const tools = prepareTools(given);
  for (let n = 0; n < 3; n++)
    expect(() => constrain(dialect, tools, 'required', gbnf)).toThrow('there is none');
  expect(made()).toBe(1);
});

test('few grammars of the same tools are kept, and those of one tool not at all', () => {
  const { dialect, made } = counting();
  const tools = prepareTools(given);
  const ask = (n: number) => constrain(dialect, tools, 'required', { ...gbnf, specialTokens: [`<${n}>`] });
  for (let n = 0; n < 5; n++) ask(n);
  ask(4);
  expect(made()).toBe(5);
  ask(0);
  expect(made()).toBe(6);
  for (let n = 0; n < 2; n++) constrain(dialect, tools, { name: 'f' }, gbnf);
  expect(made()).toBe(8);
});
