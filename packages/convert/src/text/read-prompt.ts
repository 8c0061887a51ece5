// Reads a whole prompt back into a conversation.
//
// The dialect's tokens divide it into turns; the content of a turn is read as in messages. The options it was written
// with are unknown, so they are tried: the right reading is the one that renders to the same text. Different white
// space, and unescaped markers in text (vendors escape none), are noted as `other-prompt`; any other difference is a
// RowError.

import type { Conversation, Dialect, Message, RenderOptions } from '@dragoman/core/internal';
import { acceptTools, renderOwnPrompt, UsageError } from '@dragoman/core/internal';
import { ConversationBuilder } from '../forms/conversation-builder.js';
import { type Note, RowError } from '../forms/form.js';
import { shareTools } from '../quick/shared-tools.js';
import { layoutOf, type PromptLayout, templateOptions } from './layout.js';
import { readSystem } from './read-system.js';
import { readyForPrompt } from './ready-text.js';
import { closestTo, differs, squeeze } from './same-text.js';
import { type PromptTurn, splitTurns } from './split-turns.js';

export interface ReadPrompt {
  conversation: Conversation;
  /** The options with which it renders to the same text. */
  options: RenderOptions;
  notes: Note[];
}

export function readPrompt(dialect: Dialect, prompt: string, path: string): ReadPrompt {
  const stopped = withoutLastEnd(dialect, prompt);
  const { text, turns } = stopped ?? { text: prompt, turns: turnsOf(dialect, prompt) };
  const reading = new PromptReading(dialect, path);
  const opener = stopped ? undefined : openerOf(dialect, turns);
  for (const turn of opener ? turns.slice(0, -1) : turns) reading.turn(turn);
  return { ...reading.settle(text, opener), notes: reading.notes };
}

function turnsOf(dialect: Dialect, text: string): PromptTurn[] {
  return splitTurns(text, dialect.render.back?.turns ?? [], taughtPlace(dialect, text));
}

/**
 * Removes the token that a row with a mask has behind its last answer, and the template does not write. It may be the
 * token of a turn: an empty turn at the end is not meant. Undefined if the text does not end with an answer and the token.
 */
function withoutLastEnd(dialect: Dialect, prompt: string): { text: string; turns: PromptTurn[] } | undefined {
  const token = dialect.render.lastEnd?.find((end) => prompt.endsWith(end));
  if (token === undefined) return undefined;
  const text = prompt.slice(0, -token.length);
  const turns = turnsOf(dialect, text);
  return turns.at(-1)?.role === 'assistant' ? { text, turns } : undefined;
}

/** Finds the tool instructions in the prompt. Their end holds markers, so no definition contains it. */
function taughtPlace(dialect: Dialect, text: string): { start: number; end: number } | undefined {
  for (const { before, after } of layoutOf(dialect).taught) {
    const start = before === '' ? -1 : text.indexOf(before);
    const end = start < 0 ? -1 : text.indexOf(after, start + before.length);
    if (end >= 0) return { start, end: end + after.length };
  }
  return undefined;
}

/** Finds a last turn that is only opened, for the model to continue. */
function openerOf(dialect: Dialect, turns: readonly PromptTurn[]): PromptTurn | undefined {
  const last = turns.at(-1);
  if (last?.role !== 'assistant' || last.closed) return undefined;
  return withoutTags(dialect, last.text).trim() === '' ? last : undefined;
}

function behindReasoning({ traits: { reasoning } }: Dialect, text: string): string {
  const ends = [reasoning?.open, reasoning?.close].map((tag) =>
    tag !== undefined && text.includes(tag) ? text.lastIndexOf(tag) + tag.length : 0,
  );
  return text.slice(Math.max(...ends));
}

/** Removes the tags of reasoning, and the opening of a text frame. */
function withoutTags({ traits: { reasoning, textFrame } }: Dialect, text: string): string {
  const tags = [reasoning?.open, reasoning?.close, textFrame?.open];
  return tags.reduce<string>((rest, tag) => (tag ? rest.replaceAll(tag, '') : rest), text);
}

/** A possible reading, and the options for rendering it. */
interface Candidate {
  messages: Message[];
  options: RenderOptions;
}

class PromptReading {
  readonly #builder: ConversationBuilder;
  readonly #layout: PromptLayout | undefined;
  /** The options that add text before the first system text. */
  #lead: RenderOptions | undefined;
  #begun = false;

  constructor(
    readonly dialect: Dialect,
    readonly path: string,
  ) {
    this.#builder = new ConversationBuilder(dialect, true);
    this.#layout = layoutOf(dialect).prompt;
  }

  get notes(): Note[] {
    return this.#builder.notes;
  }

  turn(turn: PromptTurn): void {
    const { role, text, start } = turn;
    const builder = this.#builder;
    if (turn.tools) this.#tools(turn.tools(text));
    else if (role === 'assistant' && !this.#isAnswer(turn)) this.#unanswered(text);
    else if (role === 'assistant') builder.assistant(text, this.path);
    else if (role === 'system') this.#system(text);
    else if (role !== undefined && builder.results(text, this.path, role === 'tool')) return;
    else if (role === 'user') builder.user(text);
    else {
      const expected = role === 'tool' ? 'results' : 'a turn';
      const found = JSON.stringify(text.slice(0, 40));
      const message = `expected ${expected} of ${this.dialect.name} at character ${start}, found ${found}`;
      throw new RowError(this.path, `${message}. Is the text in another dialect?`);
    }
    this.#begun = true;
  }

  /** Reads tools that have a turn of their own. */
  #tools(read: unknown[] | undefined): void {
    try {
      if (read === undefined) throw new UsageError('bad-conversation', 'are none');
      this.#builder.tools = shareTools(acceptTools(read));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const message = `expected the definitions of tools, as ${this.dialect.name} writes them; they ${error.message}`;
      throw new RowError(this.path, message);
    }
  }

  /** Whether the turn is an answer. Where answers have an end token, a turn without it that others follow is none. */
  #isAnswer({ closed, ended }: PromptTurn): boolean {
    const isEnded = this.dialect.render.back?.turns?.some(({ ends }) => ends === 'assistant');
    return ended || !closed || !isEnded;
  }

  /** Reads a turn that was opened but not answered: text in it is a system message without a token of its own. */
  #unanswered(text: string): void {
    const shown = behindReasoning(this.dialect, text);
    if (shown.trim() !== '') this.#system(shown);
  }

  #system(written: string): void {
    const lead = this.#begun ? undefined : this.#layout?.leads.find(({ text }) => written.startsWith(text));
    if (lead) this.#lead = lead.options;
    const { text, tools, behind } = readSystem(
      this.dialect,
      written.slice(lead?.text.length ?? 0),
      undefined,
      this.path,
      this.#layout?.beforeTools,
    );
    if (tools) this.#builder.tools = tools;
    // With an empty text, the turn exists only for the tools or the leading text.
    if (text !== '' || (!tools && !lead)) this.#builder.say('system', text);
    if (behind !== '') this.#builder.say('system', behind);
    this.#begun = true;
  }

  // --- the options -------------------------------------------------------------------------------------

  settle(text: string, opener: PromptTurn | undefined): Pick<ReadPrompt, 'conversation' | 'options'> {
    const candidates = [...this.#candidates(opener)];
    const exact = this.#find(candidates, (rendered) => rendered === text);
    let wanted: string | undefined;
    const isSqueezed = (rendered: string) => {
      wanted ??= squeeze(text);
      return squeeze(rendered) === wanted;
    };
    const same =
      exact ??
      this.#noted(this.#find(candidates, isSqueezed)) ??
      this.#noted(this.#find(candidates, isSqueezed, 'exact'));
    if (same) return { conversation: this.#withoutUnsaid(text, same), options: same.options };
    const closest = closestTo(
      text,
      candidates.map((one) => this.#render(one) ?? ''),
    );
    throw new RowError(
      this.path,
      `expected a prompt as ${this.dialect.name} is rendered here; ${differs(text, closest)}. Is the text in ` +
        'another dialect, or from another template? Then give the conversation in another form.',
    );
  }

  #find(
    candidates: readonly Candidate[],
    fits: (rendered: string) => boolean,
    safety?: 'exact',
  ): Candidate | undefined {
    return candidates.find(({ messages, options }) => {
      const rendered = this.#render({ messages, options: safety ? { ...options, safety } : options });
      return rendered !== undefined && fits(rendered);
    });
  }

  #noted(found: Candidate | undefined): Candidate | undefined {
    if (found) this.notes.push({ kind: 'issue', code: 'other-prompt', path: this.path });
    return found;
  }

  #render({ messages, options }: Candidate): string | undefined {
    try {
      return renderOwnPrompt(
        this.dialect,
        readyForPrompt(this.dialect, this.#conversation(messages)),
        options,
      ).text;
    } catch (error) {
      if (error instanceof UsageError) return undefined;
      throw error;
    }
  }

  #conversation(messages: Message[]): Conversation {
    return { messages, tools: [...this.#builder.tools], toolChoice: 'auto' };
  }

  *#candidates(opener: PromptTurn | undefined): Generator<Candidate> {
    const { messages } = this.#builder;
    const plain = withoutTail(messages, this.#layout?.userTail ?? '');
    const generate = opener !== undefined;
    if (plain) for (const options of this.#options(generate, [false])) yield { messages: plain, options };
    for (const options of this.#options(generate, [undefined, true, false])) yield { messages, options };
    // What looks like an opened turn may be an empty answer.
    const silent: Message[] = [...messages, { role: 'assistant', parts: [] }];
    if (opener)
      for (const options of this.#options(false, [undefined, true, false]))
        yield { messages: silent, options };
  }

  *#options(generate: boolean, thinking: readonly (boolean | undefined)[]): Generator<RenderOptions> {
    if (this.#lead) yield { ...this.#lead, generate };
    for (const template of templateOptions(this.dialect)) {
      for (const one of thinking)
        yield { ...template, generate, ...(one !== undefined && { thinking: one }) };
    }
  }

  /** Removes a system text that the dialect adds by itself where none is given. */
  #withoutUnsaid(text: string, { messages, options }: Candidate): Conversation {
    const [first, ...rest] = messages;
    if (
      first?.role === 'system' &&
      this.#isUnsaid(first) &&
      this.#render({ messages: rest, options }) === text
    ) {
      return this.#conversation(rest);
    }
    return this.#conversation(messages);
  }

  #isUnsaid(first: Message): boolean {
    const text = first.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return text !== '' && (this.#layout?.unsaid.includes(text) ?? false);
  }
}

/** Removes the text that follows every user's message where thinking is off. */
function withoutTail(messages: readonly Message[], tail: string): Message[] | undefined {
  if (tail === '' || !messages.some(({ role }) => role === 'user')) return undefined;
  const cut: Message[] = [];
  for (const message of messages) {
    const [part] = message.parts;
    if (message.role !== 'user') cut.push(message);
    else if (part?.type === 'text' && part.text.endsWith(tail))
      cut.push({ role: 'user', parts: [{ type: 'text', text: part.text.slice(0, -tail.length) }] });
    else return undefined;
  }
  return cut;
}
