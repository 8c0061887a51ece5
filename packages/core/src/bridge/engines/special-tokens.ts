// The markers of a dialect's calls that are special tokens of its models: an engine leaves them out of the text, unless
// it is asked to write them, and then no call can be found in what it writes.

import type { Dialect } from '../../engine/dialect.js';
import { Writer } from '../../engine/writer.js';
import type { Tool } from '../../model/index.js';
import type { Upstream } from '../upstream/upstream.js';
import { otherDialect } from './engines.js';

/** How vendors spell special tokens: `<|call|>`, `<｜tool▁sep｜>`, `<|tool_call>`, `[TOOL_CALLS]`. */
const special = /^(?:<[|｜][^\s<>]*>|<[^\s<>]*[|｜]>|\[[A-Z_]+\])$/u;

interface TokenSpelling {
  tokens: readonly string[];
  /** What is left of a call around the name and before the arguments; absent if it cannot be told from text. */
  rest?: { before: string; behind: string };
  /** Nothing but the name and the arguments is left. */
  isBare?: boolean;
}

const known = new WeakMap<Dialect, TokenSpelling>();

/** Reads it from a call that the dialect writes, once for each dialect. */
function spellingOf(dialect: Dialect): TokenSpelling {
  const found = known.get(dialect) ?? read(dialect);
  known.set(dialect, found);
  return found;
}

const NAME = 'tool_name';
const tool: Tool = { name: NAME, parameters: { type: 'object', properties: {} } };

function read(dialect: Dialect): TokenSpelling {
  const out = new Writer(dialect.markers);
  const call = { type: 'tool-call' as const, id: 'call_0', name: NAME, input: {} };
  dialect.render.calls(out, [call], { tools: [tool], afterText: false });
  const tokens = dialect.markers.literals.filter((one) => special.test(one) && out.text.includes(one));
  if (tokens.length === 0) return { tokens };
  let text = out.text;
  for (const token of tokens) text = text.replaceAll(token, '');
  const [head = '', ...others] = text.split('{}');
  const [before = '', behind] = head.split(NAME);
  const isWhole = others.length > 0 && behind !== undefined;
  if (isWhole && before.trim() === '') return { tokens, isBare: behind.trim() === '' };
  return { tokens, ...(isWhole && { rest: { before: before.trimStart(), behind } }) };
}

/** Gives the special tokens that a call is made of; none if its markers are plain text. */
export function specialTokensOf(dialect: Dialect): readonly string[] {
  return spellingOf(dialect).tokens;
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
  const { rest } = spellingOf(dialect);
  if (!rest) return [];
  return [...tools].map(({ name }) => ({ tool: name, start: rest.before + name, end: rest.behind }));
}

/** Whether a call without its special tokens is `name{…}`: only a whole text can be told from prose then. */
export function leavesBareName(dialect: Dialect): boolean {
  return spellingOf(dialect).isBare === true;
}

/** What to do about special tokens that an upstream leaves out. */
export function tokensAdvice({ specialTokens }: Upstream): string {
  return specialTokens?.().advice ?? otherDialect;
}
