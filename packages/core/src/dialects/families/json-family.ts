// JSON in markers, as data: what a declaration of this family reads and writes.
//
//   <tool_call> {"name": …, "arguments": {…}} </tool_call>      shape: object
//   <tool_calls> [{…}, {…}] </tool_calls>                       shape: list

import type { JsonCalls, Spellings } from '../../codec/declaration.js';
import type { Render, Writer } from '../../codec/dialect.js';
import { callField } from '../../codec/message-text.js';
import { all, any, type HowMany, type Rule, text } from '../../codec/spelling.js';
import type { Tool, ToolCall } from '../../model/index.js';
import { argumentsText } from './call-arguments.js';
import type { Family } from './family.js';
import { jsonInMarkers } from './json-in-markers.js';

const NAMES = ['name', 'tool_name', 'function_name', 'tool', 'function'];
const ARGUMENTS = ['arguments', 'parameters', 'input', 'params', 'args'];
const IDS = ['id', 'tool_call_id', 'call_id'];

export const jsonFamily: Family<JsonCalls> = {
  traits: ({ keys }) => ({ ids: keys !== 'name-is-key' && !!keys.id, values: 'json', streams: true }),
  markers: ({ open, close }) => [...listOf(open), ...listOf(close)],
  grammar: (calls) => ({
    openers: listOf(calls.open).flatMap((open) =>
      jsonInMarkers({
        open,
        close: listOf(calls.close)[0] ?? '',
        list: calls.shape === 'list',
        keys: keysOf(calls),
      }),
    ),
    drop: listOf(calls.close).map((marker) => ({ marker, repair: 'stray-closer' })),
  }),
  writeCalls: (calls) => (out, given, context) => writeCalls(out, given, context.afterText, calls),
  spelling: (calls) => ({
    triggers: listOf(calls.open).slice(0, 1),
    calls: (tools, howMany) => callsRule(calls, tools, howMany),
  }),
};

function keysOf({ keys }: JsonCalls) {
  const given = keys === 'name-is-key' ? { name: 'name', arguments: 'arguments' } : keys;
  const id = 'id' in given ? given.id : undefined;
  return {
    name: unique(given.name, NAMES),
    arguments: unique(given.arguments, ARGUMENTS),
    ...(id !== undefined && { id: unique(id, IDS) }),
  };
}

function unique(own: Spellings, others: readonly string[]): string[] {
  return [...new Set([...listOf(own), ...others])];
}

export function listOf(spellings: Spellings | undefined): readonly string[] {
  return spellings === undefined ? [] : typeof spellings === 'string' ? [spellings] : spellings;
}

// --- writing -------------------------------------------------------------------------------------------

function writeCalls(out: Writer, given: readonly ToolCall[], afterText: boolean, calls: JsonCalls): void {
  const { shape, between = '\n' } = calls;
  const [open, close] = frameOf(calls);
  if (given.length === 0) return;
  if (afterText) out.ours('\n');
  const [before, middle, behind] =
    shape === 'list'
      ? [`${open}[`, ', ', `]${close}`]
      : shape === 'objects'
        ? [open, between, close]
        : [open, `${close}${between}${open}`, close];
  for (const [at, call] of given.entries()) writeCall(out.ours(at === 0 ? before : middle), call, calls);
  out.ours(behind);
}

function frameOf({ open, close, inside = ['', ''] }: JsonCalls): [string, string] {
  return [`${listOf(open)[0] ?? ''}${inside[0]}`, `${inside[1]}${listOf(close)[0] ?? ''}`];
}

function writeCall(out: Writer, call: ToolCall, { keys }: JsonCalls): void {
  const field = callField(call);
  if (keys === 'name-is-key') {
    out.ours('{').json(call.name, field).ours(': ').jsonText(argumentsText(call), field).ours('}');
    return;
  }
  out.ours(`{"${listOf(keys.name)[0]}": `).json(call.name, field);
  if (keys.id) out.ours(`, "${listOf(keys.id)[0]}": `).json(call.id, field);
  out
    .ours(`, "${listOf(keys.arguments)[0]}": `)
    .jsonText(argumentsText(call), field)
    .ours('}');
}

// --- the rules of a grammar ----------------------------------------------------------------------------

function callsRule(calls: JsonCalls, tools: readonly Tool[], { from, to }: HowMany): Rule {
  const { shape, between = '\n' } = calls;
  const [open, close] = frameOf(calls);
  const one = any(...tools.map((tool) => callRule(tool, calls)));
  const many = (of: Rule, middle: string): Rule => ({
    type: 'many',
    of,
    from: Math.max(1, from),
    ...(to !== undefined && { to }),
    between: text(middle),
  });
  if (shape === 'list') return all(text(`${open}[`), many(one, ', '), text(`]${close}`));
  if (shape === 'objects') return all(text(open), many(one, between), text(close));
  return many(all(text(open), one, text(close)), between);
}

function callRule({ name, parameters }: Tool, { keys }: JsonCalls): Rule {
  const value: Rule = { type: 'value', schema: parameters, root: parameters, style: { type: 'json' } };
  if (keys === 'name-is-key') return all(text(`{${JSON.stringify(name)}: `), value, text('}'));
  const [nameKey, argumentsKey] = [listOf(keys.name)[0], listOf(keys.arguments)[0]];
  return all(
    text(`{"${nameKey}": ${JSON.stringify(name)}`),
    ...(keys.id ? [text(`, "${listOf(keys.id)[0]}": "`), idRule, text('"')] : []),
    text(`, "${argumentsKey}": `),
    value,
    text('}'),
  );
}

const ID_CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Long enough that two calls hardly get the same. */
export const idRule: Rule = { type: 'many', of: any(...[...ID_CHARACTERS].map(text)), from: 9, to: 9 };

export type CallsWriter = Render['calls'];
