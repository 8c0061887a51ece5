// Learns from a dialect's renderer what it writes around the names, keys and values of calls: two calls with
// placeholders are rendered, and the text around the placeholders is the frame.
//
//   <tool_call>\n{"name": "f", "arguments": {"k": "v"}}\n</tool_call>          the arguments as one JSON text
//   <tool_call>f\n<arg_key>k</arg_key>\n<arg_value>v</arg_value>\n</tool_call>  or one by one
//
// A frame is a guess: calls that are read with it count only if they render to the same text (plain-answer.ts).

import type { Dialect, JsonObject, ToolCall } from '@dragoman/core/internal';
import { stringifyJson, UsageError, Writer } from '@dragoman/core/internal';
import { sharedLength } from '../text/same-text.js';

export interface CallFrame {
  /** The text before the first name, and between an answer's text and that. */
  open: string;
  lead: string;
  /** The text after the name, where the arguments are one JSON text. */
  json?: { before: string; behind: Behind };
  tags?: TagFrame;
}

/** The text up to the name of the next call; the text after the last call; and their common beginning. */
export interface Behind {
  next: string;
  last: string;
  end: string;
}

export interface TagFrame {
  /** The text after the name: before the first key, or without arguments. */
  first: string;
  none: Behind;
  /** The text between a key and a value that is a string, or is not. */
  string: string;
  other: string;
  /** The text after a value: up to the next key, or after the last value. All three begin with `end`. */
  key: string;
  behind: Behind;
  end: string;
}

const frames = new WeakMap<Dialect, CallFrame | null>();

/** Gives the frame; undefined if the dialect's calls have none. */
export function callFrameOf(dialect: Dialect): CallFrame | undefined {
  let frame = frames.get(dialect);
  if (frame === undefined) {
    frame = learn(dialect) ?? null;
    frames.set(dialect, frame);
  }
  return frame ?? undefined;
}

const NAME = 'zqname';
const KEYS = ['zqone', 'zqtwo'] as const;
const VALUES = ['zqfirst', 'zqlast'] as const;

function learn(dialect: Dialect): CallFrame | undefined {
  try {
    return learnFrame((inputs, afterText) => rendered(dialect, inputs, afterText));
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

type Render = (inputs: readonly JsonObject[], afterText?: boolean) => string;

function learnFrame(render: Render): CallFrame | undefined {
  const input = { [KEYS[0]]: VALUES[0] };
  const one = render([input]);
  const [open, behindName] = cut(one, NAME);
  const afterText = render([input], true);
  if (!open || behindName === undefined || !afterText.endsWith(one)) return undefined;
  const lead = afterText.slice(0, afterText.length - one.length);
  const written = stringifyJson(input, 'python');
  const [before] = cut(behindName, written);
  const inner =
    before === undefined
      ? { tags: learnTags(render, open) }
      : { json: { before, behind: behind(render, input, written) } };
  const isWhole =
    'tags' in inner ? inner.tags !== undefined : inner.json.before !== '' && inner.json.behind !== undefined;
  return isWhole ? ({ open, lead, ...inner } as CallFrame) : undefined;
}

/** Gives the text after `piece`, the last placeholder of a call: its name, or one of its arguments. */
function behind(render: Render, input: JsonObject, piece: string): Behind | undefined {
  const [, first] = cut(render([input, input]), piece);
  const [next, second] = cut(first, NAME);
  const last = piece === NAME ? second : cut(second, piece)[1];
  const [, alone] = cut(render([input]), piece);
  const end = next && last ? next.slice(0, sharedLength(next, last)) : '';
  return next && last && last === alone ? { next, last, end } : undefined;
}

function learnTags(render: Render, open: string): TagFrame | undefined {
  const input = { [KEYS[0]]: VALUES[0] };
  const [, written] = cut(render([{ ...input, [KEYS[1]]: VALUES[1] }]), NAME);
  const [first, behindKey] = cut(written, KEYS[0]);
  const [string, behindValue] = cut(behindKey, VALUES[0]);
  const [key] = cut(behindValue, KEYS[1]);
  const [, number] = cut(render([{ [KEYS[0]]: 70707 }]), KEYS[0]);
  const [other] = cut(number, '70707');
  const frame = {
    first,
    string,
    other,
    key,
    behind: behind(render, input, VALUES[0]),
    none: behind(render, {}, NAME),
  };
  if (!Object.values(frame).every((part) => part)) return undefined;
  const end = frame.behind?.end.slice(0, sharedLength(frame.behind.end, key ?? ''));
  return end && open !== '' ? ({ ...frame, end } as TagFrame) : undefined;
}

/** Gives the text before and after the first occurrence of a piece. */
function cut(text: string | undefined, piece: string): [string?, string?] {
  const at = text?.indexOf(piece) ?? -1;
  return text === undefined || at < 0 ? [] : [text.slice(0, at), text.slice(at + piece.length)];
}

function rendered(dialect: Dialect, inputs: readonly JsonObject[], afterText = false): string {
  const calls = inputs.map(
    (input, at): ToolCall => ({ type: 'tool-call', id: `call_${at + 1}`, name: NAME, input }),
  );
  const out = new Writer(dialect.markers);
  dialect.render.calls(out, calls, { tools: [], afterText });
  return out.text;
}
