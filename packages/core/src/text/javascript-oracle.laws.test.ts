// The reader against acorn: whatever it takes without a repair is JavaScript, and means the same there.

import { isDeepStrictEqual } from 'node:util';
import { type Expression, type Literal, type Node, type Property, parse } from 'acorn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJavaScriptCall } from './javascript-call.js';

/** A literal as tokens, so that white space, comments and damage can come between them, and its value. */
interface Written {
  tokens: string[];
  value: unknown;
}

const escapes: ((char: string) => string)[] = [
  (char) =>
    /[\\'"`$\n\r]/.test(char)
      ? JSON.stringify(char)
          .slice(1, -1)
          .replace(/^(?=['`$])/, '\\')
      : char,
  (char) => [...char].map((point) => `\\u{${point.codePointAt(0)?.toString(16)}}`).join(''),
  (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
];

const string = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('"', "'", '`'), fc.nat(2))
  .map(([value, quote, style]): Written => {
    const write = (text: string) =>
      `${quote}${[...text].map((char) => escapes[style]?.(char)).join('')}${quote}`;
    return { tokens: [write(value)], value };
  });

const integer = fc
  .tuple(fc.maxSafeNat(), fc.constantFrom(10, 16, 8, 2), fc.constantFrom('', '-', '+'), fc.boolean())
  .map(([nat, radix, sign, separated]): Written => {
    const digits = nat.toString(radix).replace(separated ? /(?<=.)(?=(?:....)+$)/g : /(?!)/g, '_');
    const prefix = { 10: '', 16: '0x', 8: '0o', 2: '0b' }[radix] ?? '';
    return { tokens: [...(sign ? [sign] : []), prefix + digits], value: sign === '-' ? -nat : nat };
  });

const float = fc
  .tuple(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), fc.constantFrom('', '-'))
  .map(([value, sign]): Written => {
    const text = String(value).replace(/^0(?=\.)/, '');
    return { tokens: [...(sign ? [sign] : []), text], value: sign ? -value : value };
  });

const word = fc
  .constantFrom('true', 'false', 'null')
  .map((text): Written => ({ tokens: [text], value: JSON.parse(text) }));

const keyName = fc.constantFrom('a', 'b1', '$x', '_', 'if', 'get', 'async', '__proto__', 'constructor', '键');

const { value: literal } = fc.letrec<{ value: Written; array: Written; object: Written; key: Written }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word,
      integer,
      float,
      string,
      tie('array'),
      tie('object'),
    ),
    array: fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), fc.boolean(), fc.boolean())
      .map(([items, comma, wrapped]): Written => {
        const tokens = bracket(
          '[',
          items.map((item) => item.tokens),
          ']',
          comma,
        );
        return { tokens: wrapped ? ['(', ...tokens, ')'] : tokens, value: items.map((item) => item.value) };
      }),
    object: fc
      .tuple(fc.array(fc.tuple(tie('key'), tie('value')), { maxLength: 4 }), fc.boolean())
      .map(([all, comma]): Written => {
        // JavaScript itself refuses a second __proto__.
        const entries = all.filter(
          ([key], at) => key.value !== '__proto__' || all.findIndex(([k]) => k.value === key.value) === at,
        );
        const properties = entries.map(([key, item]) => [...key.tokens, ':', ...item.tokens]);
        const value = Object.fromEntries(entries.map(([key, item]) => [key.value, item.value]));
        return { tokens: bracket('{', properties, '}', comma), value };
      }),
    key: fc.oneof(
      keyName.map((name): Written => ({ tokens: [name], value: name })),
      keyName.map((name): Written => ({ tokens: ['[', JSON.stringify(name), ']'], value: name })),
      fc.nat().map((nat): Written => ({ tokens: [String(nat)], value: String(nat) })),
      fc
        .string({ unit: 'grapheme', maxLength: 5 })
        .map((text): Written => ({ tokens: [JSON.stringify(text)], value: text })),
    ),
  }),
);

function bracket(open: string, items: string[][], close: string, comma: boolean): string[] {
  const inner = items.flatMap((item, index) => (index > 0 ? [',', ...item] : item));
  return [open, ...inner, ...(comma && items.length > 0 ? [','] : []), close];
}

const trivia = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\u00a0',
  '\u2028',
  ' /* ]}"\' */ ',
  '/*\n*/',
  ' // )`\n',
);
const layout = fc.array(trivia, { minLength: 1, maxLength: 20 });
const laidOut = (tokens: string[], spaces: string[]) =>
  tokens.map((token, at) => token + (spaces[at % spaces.length] ?? '')).join('');

const heads = [
  ['f'],
  ['await ', 'a', '.', 'b'],
  ['Tools', '[', '"get-weather"', ']'],
  ['$', '.', 'if', '.', 'c'],
];
const head = fc.constantFrom(...heads);
const tail = fc.constantFrom([], [';'], [';', ';']);

const call = fc
  .tuple(head, fc.array(literal, { maxLength: 3 }), fc.boolean(), tail)
  .map(([name, args, comma, end]) => ({
    tokens: [
      ...name,
      ...bracket(
        '(',
        args.map((arg) => arg.tokens),
        ')',
        comma,
      ),
      ...end,
    ],
    values: args.map((arg) => arg.value),
  }));

const damage = fc.constantFrom(
  '\n',
  '\u2028',
  'get ',
  'new ',
  'await ',
  'async ',
  ...String.raw`
    { } [ ] ( ) , : ; . ... + - * / = => ? ?. ! ' " \ ${'`'} ${'$'}{ x _ # @ <!-- --> // /* */ /x/g in undefined NaN True null
    1 0 010 1n -0n .5 5. 1e 0x 1_0 "a" 'b' ${'`'}c${'`'} ${'`$'}{x}${'`'} \u0061 "\x4 "\033" a: __proto__:1, function(){}
  `
    .trim()
    .split(/\s+/),
);
const wounds = fc.array(fc.tuple(fc.nat(), fc.nat(2), damage), { maxLength: 3 });

function wounded(tokens: string[], cuts: [number, number, string][]): string[] {
  const result = [...tokens];
  for (const [at, gone, token] of cuts) result.splice(at % (result.length + 1), gone, token);
  return result;
}

/** What acorn's tree of one call means, each argument as a value. Throws at anything that is not static. */
function argumentsOf(source: string): unknown[] {
  const options = { ecmaVersion: 'latest', sourceType: 'script', allowAwaitOutsideFunction: true } as const;
  const [statement, ...others] = parse(source, options).body;
  if (others.some(({ type }) => type !== 'EmptyStatement')) throw new Error('a second statement');
  if (statement?.type !== 'ExpressionStatement') throw new Error('no expression');
  const { expression } = statement;
  const inner = expression.type === 'AwaitExpression' ? expression.argument : expression;
  if (inner.type !== 'CallExpression') throw new Error('no call');
  return inner.arguments.map((argument) => evaluate(argument));
}

function evaluate(node: Node | null): unknown {
  const expression = node as Expression;
  switch (expression?.type) {
    case 'Literal':
      return literalOf(expression);
    case 'TemplateLiteral':
      if (expression.expressions.length > 0) throw new Error('a template to run');
      return expression.quasis[0]?.value.cooked;
    case 'UnaryExpression':
      return signed(expression.operator, evaluate(expression.argument));
    case 'BinaryExpression':
      return joined(expression.operator, evaluate(expression.left), evaluate(expression.right));
    case 'ArrayExpression':
      return expression.elements.map((element) => evaluate(element));
    case 'ObjectExpression':
      return Object.fromEntries(expression.properties.map((property) => entryOf(property as Property)));
    default:
      throw new Error(`not static: ${expression?.type}`);
  }
}

function literalOf(node: Literal): unknown {
  if (node.regex) throw new Error('a regex');
  return typeof node.value === 'bigint' ? Number(node.value) : node.value;
}

function signed(operator: string, value: unknown): number {
  if (typeof value !== 'number' || !'+-'.includes(operator)) throw new Error('no number');
  return operator === '-' ? -value : value;
}

function joined(operator: string, left: unknown, right: unknown): string {
  if (operator !== '+' || typeof left !== 'string' || typeof right !== 'string')
    throw new Error('no strings');
  return left + right;
}

function entryOf(node: Property): [string, unknown] {
  if (node.type !== 'Property' || node.kind !== 'init' || node.method || node.shorthand)
    throw new Error('no entry');
  const { key } = node;
  if (key.type === 'Identifier' && !node.computed) return [key.name, evaluate(node.value)];
  if (key.type !== 'Literal' && key.type !== 'TemplateLiteral') throw new Error('a computed key');
  return [String(evaluate(key)), evaluate(node.value)];
}

/** `-0n` is 0 in JavaScript, and the tree above makes it -0: the sign of a zero is held by other tests. */
const withoutNegativeZero = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner) => (inner === 0 ? 0 : inner));

describe('a call of literals, in many spellings', () => {
  it('is read as the values that were written', () => {
    const property = fc.property(call, layout, ({ tokens, values }, spaces) => {
      const result = readJavaScriptCall(laidOut(tokens, spaces));
      if (!result.ok) throw new Error(`${result.message} at ${result.at}`);
      expect(result.repairs).toEqual([]);
      expect(
        isDeepStrictEqual(
          result.args.map((arg) => JSON.parse(arg)),
          values,
        ),
      ).toBe(true);
    });
    fc.assert(property, { numRuns: 3000 });
  });
});

describe('a soup of tokens', () => {
  it('that is read without a repair is a call to acorn too, with the same values', () => {
    let read = 0;
    const property = fc.property(call, wounds, layout, ({ tokens }, cuts, spaces) => {
      const source = laidOut(wounded(tokens, cuts as [number, number, string][]), spaces);
      const result = readJavaScriptCall(source);
      if (!result.ok || result.repairs.length > 0) return;
      if (result.duplicates.some(({ key }) => key === '__proto__')) return;
      read += 1;
      const ours = result.args.map((arg) => JSON.parse(arg));
      expect(withoutNegativeZero(ours)).toEqual(withoutNegativeZero(argumentsOf(source)));
    });
    fc.assert(property, { numRuns: 5000 });
    expect(read).toBeGreaterThan(500);
  });
});
