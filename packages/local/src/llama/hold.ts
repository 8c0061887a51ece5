// A grammar that holds the sampling: from the first token, or from the opener of a call on.
//
//   "Let me look. <tool_call>\n{"na…      free until `<tool_call>` was written; then the grammar reads what was written
//                 └─ trigger               from there on, and every further token has to fit it
//
// Where the prompt has a part of the opener, the rest of it counts as the first text of the answer alone.
//
// A token may end behind the trigger with text that the grammar does not allow. Then it is replaced by tokens that end
// where the allowed text does, so that a call which was begun is always a valid one.

import type { HeldGrammar } from '../local-model.js';
import { LocalModelError } from '../local-model-error.js';
import type { GrammarState, LlamaModelHandle, Token } from './llama-api.js';
import type { Engine } from './load-llama.js';

export class Hold {
  #state: GrammarState | undefined;
  #written = '';
  /** Up to where `#written` was searched. */
  #from = 0;
  #isWithin: boolean;
  /** Where a beginning may stand: the start of the answer, or the end of its reasoning. */
  #beginning: number | undefined;
  readonly #longest: number;

  private constructor(
    readonly engine: Engine,
    readonly model: LlamaModelHandle,
    readonly grammar: object,
    readonly held: HeldGrammar,
  ) {
    this.#isWithin = held.notWithin?.begun ?? false;
    if (!this.#isWithin) this.#beginning = 0;
    const { open = '', close = '' } = held.notWithin ?? {};
    this.#longest = Math.max(...(held.after ?? []).map((text) => text.length), open.length, close.length);
  }

  /** `stops`: texts that end the answer, which may stand behind what the grammar says. */
  static async create(
    engine: Engine,
    model: LlamaModelHandle,
    held: HeldGrammar,
    stops: readonly string[] = [],
  ): Promise<Hold> {
    const grammar = await engine.llama.createGrammar({
      grammar: withStops(held.gbnf, stops, held.blankFirst),
    });
    const hold = new Hold(engine, model, grammar, held);
    if (held.after === undefined) hold.#state = hold.#begin(held.begun ?? '');
    return hold;
  }

  /** The state that holds the next token; undefined while none does. */
  get state(): GrammarState | undefined {
    return this.#state;
  }

  /**
   * Reads what was sampled. Gives the text that takes the place of it, if the grammar does not allow all of it: then
   * the tokens of that text have to be evaluated instead.
   */
  read(text: string): string | undefined {
    if (this.#state !== undefined || this.held.after === undefined) return undefined;
    this.#written += text;
    const place = this.#trigger(this.held.after);
    if (!place) return undefined;
    const before = this.#written.length - text.length;
    for (let end = this.#written.length; end >= place.end; end--) {
      const state = this.#tryBegin(this.#written.slice(place.start, end));
      if (!state) continue;
      this.#state = state;
      return end === this.#written.length ? undefined : this.#written.slice(before, end);
    }
    // The grammar does not begin with its trigger: nothing can hold.
    this.#from = place.end;
    this.#beginning = undefined;
    return undefined;
  }

  /** Finds a beginning where one may stand. */
  #begun(): { start: number; end: number } | undefined {
    const { beginnings = [] } = this.held;
    const start = this.#beginning;
    if (start === undefined) return undefined;
    const found = beginnings.find((text) => this.#written.startsWith(text, start));
    if (found !== undefined) return { start, end: start + found.length };
    const rest = this.#written.slice(start);
    if (!beginnings.some((text) => text.startsWith(rest))) this.#beginning = undefined;
    return undefined;
  }

  /** Finds a trigger that does not stand in reasoning. */
  #trigger(after: readonly string[]): { start: number; end: number } | undefined {
    const { open, close } = this.held.notWithin ?? {};
    for (;;) {
      if (this.#isWithin && close !== undefined) {
        const at = this.#written.indexOf(close, this.#from);
        if (at < 0) return this.#searched();
        this.#from = at + close.length;
        this.#isWithin = false;
        this.#beginning = this.#from;
      }
      const begun = this.#begun();
      if (begun) return begun;
      const found = earliest(this.#written, after, this.#from);
      const opened = open === undefined ? -1 : this.#written.indexOf(open, this.#from);
      if (opened >= 0 && (!found || opened < found.start)) {
        this.#from = opened + (open?.length ?? 0);
        this.#isWithin = true;
        continue;
      }
      return found ?? this.#searched();
    }
  }

  #searched(): undefined {
    // A marker may be cut at the end of what was written.
    this.#from = Math.max(this.#from, this.#written.length - this.#longest + 1);
  }

  #tryBegin(text: string): GrammarState | undefined {
    try {
      return this.#begin(text);
    } catch {
      return undefined;
    }
  }

  #begin(text: string): GrammarState {
    const { AddonSampler } = this.engine.llama._bindings;
    const state = new this.engine.module.LlamaGrammarEvaluationState({
      model: this.model,
      grammar: this.grammar,
    });
    for (const token of tokensOf(this.model, text)) {
      if (!AddonSampler.canBeNextTokenForGrammarEvaluationState(state._state, token))
        throw new LocalModelError('not-loaded', 'The grammar does not allow what was written.');
      AddonSampler.acceptGrammarEvaluationStateToken(state._state, token);
    }
    return state;
  }
}

/**
 * Allows one of the stops at the end of a grammar, also on a line of its own. An engine ends an answer with the end
 * tokens of the file alone: where the dialect's own is not among them, a model that wants to end could only go on, with
 * one call after another. `blankFirst`: lines may be left blank before.
 */
export function withStops(gbnf: string, stops: readonly string[], blankFirst = false): string {
  const texts = stops.filter((stop) => stop !== '').map(quoted);
  const before = blankFirst ? `${BLANK}? ` : '';
  const behind = texts.length > 0 ? ` (${BLANK}? (${texts.join(' | ')}))?` : '';
  if (before + behind === '') return gbnf;
  return gbnf.replace(/^root ::= (.*)$/m, (_, rule) => `root ::= ${before}(${rule})${behind}`);
}

const BLANK = '("\\n" | "\\n\\n")';

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
};

function quoted(text: string): string {
  return `"${text.replace(/[\n\r\t"\\]/g, (found) => ESCAPES[found] ?? found)}"`;
}

/** Gives the tokens of text that follows other text. */
export function tokensOf(model: LlamaModelHandle, text: string): Token[] {
  return text === '' ? [] : model.tokenize(text, true, 'trimLeadingSpace');
}

function earliest(
  text: string,
  triggers: readonly string[],
  from: number,
): { start: number; end: number } | undefined {
  let found: { start: number; end: number } | undefined;
  for (const trigger of triggers) {
    const start = text.indexOf(trigger, from);
    if (start >= 0 && (!found || start < found.start)) found = { start, end: start + trigger.length };
  }
  return found;
}
