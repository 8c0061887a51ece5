// The markers of a dialect's calls that are special tokens of its models: an engine leaves them out of the text, unless
// it is asked to write them, and then no call can be found in what it writes.

import type { Dialect } from '../../engine/dialect.js';
import { Writer } from '../../engine/writer.js';
import type { Tool } from '../../model/index.js';
import type { Upstream } from '../upstream/upstream.js';

/** How vendors spell special tokens: `<|call|>`, `<｜tool▁sep｜>`, `<|tool_call>`, `[TOOL_CALLS]`. */
const special = /^(?:<[|｜][^\s<>]*>|<[^\s<>]*[|｜]>|\[[A-Z_]+\])$/u;

const known = new WeakMap<Dialect, readonly string[]>();

/** Gives the special tokens that a call is made of; none if its markers are plain text. */
export function specialTokensOf(dialect: Dialect): readonly string[] {
  const found = known.get(dialect) ?? tokensIn(dialect);
  known.set(dialect, found);
  return found;
}

const tool: Tool = { name: 'f', parameters: { type: 'object', properties: {} } };

function tokensIn(dialect: Dialect): readonly string[] {
  const call = callText(dialect, tool);
  return dialect.markers.literals.filter((marker) => special.test(marker) && call.includes(marker));
}

/** Writes a call without arguments, as a model would. */
function callText(dialect: Dialect, called: Tool): string {
  const out = new Writer(dialect.markers);
  const call = { type: 'tool-call' as const, id: 'call_0', name: called.name, input: {} };
  dialect.render.calls(out, [call], { tools: [called], afterText: false });
  return out.text;
}

/** What is left of the beginning of a call, when an engine left out the special tokens. */
export interface StrippedHead {
  tool: string;
  /** Up to the tool's name, and the name: `functions.f`, `commentary to=functions.f`. */
  start: string;
  /** Between the name and the arguments: `:0`, ` json`. Digits stand for any number. */
  end: string;
}

/** Empty where a bare name is left, or where no object follows it: neither can be told from text. */
export function strippedHeads(dialect: Dialect, tools: Iterable<Tool>): StrippedHead[] {
  const tokens = specialTokensOf(dialect);
  if (tokens.length === 0) return [];
  return [...tools].flatMap((called) => {
    let text = callText(dialect, called);
    for (const token of tokens) text = text.replaceAll(token, '');
    const [head = '', ...rest] = text.split('{}');
    const at = head.indexOf(called.name);
    const end = at + called.name.length;
    const isClear = rest.length > 0 && at > 0;
    return isClear
      ? [{ tool: called.name, start: head.slice(0, end).trimStart(), end: head.slice(end) }]
      : [];
  });
}

const OTHER_DIALECT = 'use a dialect without special tokens, such as hermes';

/** What to do about special tokens that an upstream leaves out. */
export function tokensAdvice({ specialTokens }: Upstream): string {
  return specialTokens?.().advice ?? OTHER_DIALECT;
}
