// Divides a prompt into turns by the tokens of its dialect. Tokens in text from outside are escaped when the prompt is
// written, so every token that is found is a real one.

import { type Message, nextOf, type TurnToken } from '@dragoman/core/internal';
import { sharedLength } from './same-text.js';

export interface PromptTurn {
  /** Undefined for text outside of any turn. */
  role: Message['role'] | undefined;
  text: string;
  /** The index where it begins in the prompt. */
  start: number;
  /** Whether a token follows it. */
  closed: boolean;
  /** Whether the token after it is the one that ends such turns. */
  ended: boolean;
  /** Reads the tool definitions that the turn holds. */
  tools?: NonNullable<TurnToken['tools']>;
}

/** `skip`: the range of the tool instructions, which show tokens as examples. */
export function splitTurns(
  prompt: string,
  tokens: readonly TurnToken[],
  skip: { start: number; end: number } = { start: prompt.length, end: prompt.length },
): PromptTurn[] {
  const split = new Split(prompt);
  const { sorted, next } = searchFor(tokens);
  let at = next(prompt, 0);
  while (at < prompt.length) {
    const isShown = at >= skip.start && at < skip.end;
    const found = isShown ? undefined : sorted.find(({ token }) => prompt.startsWith(token, at));
    if (found) split.token(found, at);
    at = next(prompt, isShown ? skip.end : at + (found?.token.length ?? 1));
  }
  return split.end();
}

interface Search {
  /** Tokens, the longest first. */
  sorted: readonly TurnToken[];
  /** Gives the index where the next token may begin, or the end. */
  next: (prompt: string, from: number) => number;
}

const searches = new WeakMap<readonly TurnToken[], Search>();

function searchFor(tokens: readonly TurnToken[]): Search {
  let search = searches.get(tokens);
  if (!search) {
    const sorted = [...tokens].sort((a, b) => b.token.length - a.token.length);
    const firsts = [...new Set(sorted.map(({ token }) => token.charAt(0)))].join('');
    const shared = sorted.reduce(
      (all, { token }) => all.slice(0, sharedLength(all, token)),
      sorted[0]?.token ?? '',
    );
    search = {
      sorted,
      next: (prompt, from) => (shared === '' ? nextOf(prompt, firsts, from) : place(prompt, shared, from)),
    };
    searches.set(tokens, search);
  }
  return search;
}

function place(prompt: string, words: string, from: number): number {
  const at = prompt.indexOf(words, from);
  return at < 0 ? prompt.length : at;
}

class Split {
  readonly turns: PromptTurn[] = [];
  #role: PromptTurn['role'];
  #start = 0;
  /** Whether a token opened the turn. */
  #opened = false;
  #tools: TurnToken['tools'];

  constructor(readonly prompt: string) {}

  token({ token, role, next, ends, keep, tools }: TurnToken, at: number): void {
    const behind = at + token.length;
    this.#close(keep === 'before' ? behind : at, ends);
    this.#role = role ?? next;
    this.#opened = role !== undefined;
    this.#tools = tools;
    this.#start = keep === 'behind' ? at : behind;
  }

  end(): PromptTurn[] {
    const before = this.turns.length;
    this.#close(this.prompt.length);
    const last = this.turns[before];
    if (last) last.closed = false;
    return this.turns;
  }

  /** Ends the turn. Blank text without an opening token is no turn. */
  #close(end: number, ends?: PromptTurn['role']): void {
    const text = this.prompt.slice(this.#start, end);
    if (!this.#opened && ends === undefined && text.trim() === '') return;
    this.turns.push({
      role: ends ?? this.#role,
      text,
      start: this.#start,
      closed: true,
      ended: ends !== undefined,
      ...(this.#tools && { tools: this.#tools }),
    });
  }
}
