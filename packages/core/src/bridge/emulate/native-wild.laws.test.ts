// What models really wrote, as the arguments of a native call: the gate gives the calls that the dialect's parser gives.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findDialect } from '../../dialects/index.js';
import { createParser } from '../../engine/parser.js';
import type { CallEnd, ParseEvent } from '../../model/index.js';
import { NativeCall } from './native-call.js';

const folder = fileURLToPath(new URL('../../../corpus/wild/', import.meta.url));

/** Dialects whose arguments look like an object, with strings between tags of their own. */
const NO_JSON = new Set(['functiongemma', 'gemma4']);

interface WrittenCall {
  file: string;
  name: string;
  /** The source of its arguments. */
  source: string;
  read: CallEnd;
  options: object;
}

/** The calls of a text with the source of their arguments, in dialects that write arguments as one JSON value. */
function callsIn(
  file: string,
  wild: { dialect: string; text: string; tools?: unknown; policies?: object },
): WrittenCall[] {
  const dialect = findDialect(wild.dialect);
  if (dialect.traits.values !== 'json' || !dialect.traits.streams || NO_JSON.has(dialect.name)) return [];
  const options = { tools: wild.tools, policies: { ...wild.policies, coerceStrings: true } };
  const parser = createParser(dialect, options);
  const calls: WrittenCall[] = [];
  let from: number | undefined;
  let to = 0;
  for (const event of [...parser.feed(wild.text), ...parser.finish()]) {
    if (event.type === 'call-start') from = undefined;
    if (event.type === 'call-delta' && event.range[1] > event.range[0]) {
      from ??= event.range[0];
      to = event.range[1];
    }
    if (event.type !== 'call-end' || from === undefined) continue;
    calls.push({ file, name: event.name, source: wild.text.slice(from, to), read: event, options });
  }
  return calls;
}

function readNative({ name, source, options }: WrittenCall, size: number): ParseEvent[] {
  const call = new NativeCall(name, 'c1', options);
  const events = call.feed('');
  for (let at = 0; at < source.length; at += size) events.push(...call.feed(source.slice(at, at + size)));
  return [...events, ...call.finish()];
}

const written = readdirSync(folder).flatMap((dialect) =>
  readdirSync(folder + dialect).flatMap((name) => {
    const file = `${dialect}/${name}`;
    return callsIn(file, { dialect, ...JSON.parse(readFileSync(folder + file, 'utf8')) });
  }),
);

/** Arguments that end without their brackets: as native arguments they are a call that broke off. */
const lacksBracket = ({ read }: WrittenCall) =>
  read.repairs?.some(({ code }) => code === 'missing-bracket') ?? false;

it('gives the same input, in any cutting, and passes on JSON of it', () => {
  const compared = written.filter((call) => call.source.trim().startsWith('{') && !lacksBracket(call));
  for (const call of compared) {
    for (const size of [1, 7, 1e6]) {
      const events = readNative(call, size);
      const end = events.find((event) => event.type === 'call-end');
      expect([call.file, end?.type === 'call-end' && end.input]).toEqual([call.file, call.read.input]);
      const passed = events.map((event) => (event.type === 'call-delta' ? event.text : '')).join('');
      expect([call.file, JSON.parse(passed)]).toEqual([call.file, call.read.input]);
    }
  }
  expect(compared.length).toBeGreaterThan(300);
});

it('gives back valid JSON byte for byte', () => {
  const valid = written.filter(({ source }) => isValid(source));
  for (const call of valid) {
    const text = readNative(call, 3)
      .map((event) => (event.type === 'call-delta' ? event.text : ''))
      .join('');
    const coerced = call.read.repairs?.some(({ code }) => code.startsWith('string-as-')) ?? false;
    if (!coerced) expect([call.file, text]).toEqual([call.file, call.source]);
  }
  expect(valid.length).toBeGreaterThan(200);
});

it('completes no arguments that lack their brackets', () => {
  for (const call of written.filter(lacksBracket)) {
    if (isValid(call.source)) continue;
    const types = readNative(call, 5).map(({ type }) => type);
    expect([call.file, types.includes('call-error'), types.includes('call-end')]).toEqual([
      call.file,
      true,
      false,
    ]);
  }
});

function isValid(text: string): boolean {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
