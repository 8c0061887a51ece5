// Writes call expressions.
//
//   f(x="a", n=[1, True], **{"odd key": None})      python
//   call:f{x:<|"|>a<|"|>,n:[1,true]}                braces

import type { ExpressionCalls } from '../../engine/declaration.js';
import type { Writer } from '../../engine/dialect.js';
import { callField } from '../../engine/message-text.js';
import {
  ExactNumber,
  type ExactValue,
  exactEntries,
  exactObject,
  stringifyJson,
  type ToolCall,
} from '../../model/index.js';
import { firstOf } from '../declared/family.js';
import { type Argument, argumentsOf } from '../writing/call-arguments.js';
import { toPythonRepr, toPythonWords } from '../writing/python-text.js';
import { isRecord } from '../writing/tool-text.js';

interface Frame {
  before: string;
  between: string;
  behind: string;
}

/** Gives the text around the calls of one turn, and between them. */
export function framesOf({ open, close, several, between = '' }: ExpressionCalls): Frame {
  const before = firstOf(open);
  const behind = firstOf(close);
  if (several === 'brackets') return { before: `${before}[`, between: ', ', behind: `]${behind}` };
  if (several === 'lines') return { before: `${before}\n`, between: '\n', behind: `\n${behind}` };
  return { before, between: `${behind}${between}${before}`, behind };
}

export function writeCalls(
  out: Writer,
  given: readonly ToolCall[],
  afterText: boolean,
  calls: ExpressionCalls,
): void {
  if (given.length === 0) return;
  const { before, between, behind } = framesOf(calls);
  out.ours((afterText ? (calls.before ?? '\n') : '') + before);
  for (const [at, call] of given.entries()) {
    if (at > 0) out.ours(between);
    writeCall(out, call, calls);
  }
  out.ours(behind);
}

function writeCall(out: Writer, call: ToolCall, calls: ExpressionCalls): void {
  const { style, prefix = '', quote = '"', values } = calls;
  const field = callField(call);
  const args = argumentsOf(call);
  out.ours(prefix).outside(call.name, field);
  if (style === 'python') writeArguments(out, args, field, values === 'repr' ? toPythonArgument : toPython);
  else writeMembers(out, args, field, quote);
}

// --- python --------------------------------------------------------------------------------------------

/**
 * Whether the key may be written before `=`. Python normalises names: one that it would change is written as a string.
 */
export function isArgumentName(key: string): boolean {
  return /^[\p{ID_Start}_]\p{ID_Continue}*$/u.test(key) && key === key.normalize('NFKC');
}

function writeArguments(
  out: Writer,
  args: readonly Argument[],
  field: string,
  print: (value: ExactValue) => string,
): void {
  out.ours('(');
  for (const [at, { key, value }] of args.entries()) {
    if (at > 0) out.ours(', ');
    if (isArgumentName(key)) out.ours(`${key}=`).jsonText(print(value), field);
    else out.ours('**').jsonText(toPython(exactObject([[key, value]])), field);
  }
  out.ours(')');
}

/** Writes a value in Python: JSON with other words for true, false and null; strings and numbers are the same. */
export function toPython(value: ExactValue): string {
  return toPythonWords(stringifyJson(value, 'python'));
}

/** Writes an argument as Python prints it, and an object as JSON. */
function toPythonArgument(value: ExactValue): string {
  return isRecord(value) ? stringifyJson(value, 'python') : toPythonRepr(value);
}

// --- braces --------------------------------------------------------------------------------------------

function writeMembers(out: Writer, members: readonly Argument[], field: string, quote: string): void {
  out.ours('{');
  for (const [at, { key, value }] of members.entries()) {
    if (at > 0) out.ours(',');
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) out.ours(key);
    else out.ours(quote).outside(key, field).ours(quote);
    writeValue(out.ours(':'), value, field, quote);
  }
  out.ours('}');
}

function writeValue(out: Writer, value: ExactValue, field: string, quote: string): void {
  if (typeof value === 'string') out.ours(quote).outside(value, field).ours(quote);
  else if (Array.isArray(value)) {
    out.ours('[');
    for (const [at, item] of value.entries()) writeValue(at > 0 ? out.ours(',') : out, item, field, quote);
    out.ours(']');
  } else if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber)) {
    const members = exactEntries(value).map(([key, member]) => ({ key, value: member }));
    writeMembers(out, members, field, quote);
  } else out.ours(stringifyJson(value, 'python'));
}
