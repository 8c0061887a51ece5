// A whole prompt, read back into a conversation.
//
// The tokens of the dialect divide it into turns; what a turn holds is read as in messages. With which options it
// was written nobody says, so they are tried: the reading counts with which rendering gives the same text again.
// White space that differs, and markers in text that nobody broke (vendors break none), are noted as
// `other-prompt`; any other difference is a RowError.

import {
  acceptTools,
  type Conversation,
  type Dialect,
  type Message,
  type RenderOptions,
  renderOwnPrompt,
  UsageError,
} from '@dragoman/core/internal';

import { ConversationBuilder } from '../forms/conversation-builder.js';
import { type Note, RowError } from '../forms/form.js';
import { guessedFrame } from '../quick/plain-answer.js';
import { readyForPrompt } from '../quick/plain-text.js';
import { shareTools } from '../quick/shared-tools.js';
import { layoutOf, type PromptLayout, templateOptions } from './layout.js';
import { guessed, wrongGuess } from './read-assistant.js';
import { readSystem } from './read-system.js';
import { closestTo, differs, squeeze } from './same-text.js';
import { splitTurns, type Turn } from './split-turns.js';

export interface ReadPrompt {
  conversation: Conversation;
  /** With which it is rendered as it stands. */
  options: RenderOptions;
  notes: Note[];
}

export function readPrompt(dialect: Dialect, text: string, path: string): ReadPrompt {
  const hasGuess = guessedFrame(dialect) !== undefined;
  return (
    (hasGuess && guessed(() => readTurns(dialect, text, path, true))) || readAnyPrompt(dialect, text, path)
  );
}

/** The long way for all, which the quick one is held to. */
export function readAnyPrompt(dialect: Dialect, text: string, path: string): ReadPrompt {
  return readTurns(dialect, text, path, false);
}

function readTurns(dialect: Dialect, text: string, path: string, guess: boolean): ReadPrompt {
  const turns = splitTurns(text, dialect.render.back?.turns ?? [], taughtPlace(dialect, text));
  const reading = new PromptReading(dialect, path, guess);
  const opener = openerOf(dialect, turns);
  for (const turn of opener ? turns.slice(0, -1) : turns) reading.turn(turn);
  return { ...reading.settle(text, opener), notes: reading.notes };
}

/** Where the prompt teaches. Its last words hold markers, so they stand in no definition. */
function taughtPlace(dialect: Dialect, text: string): { start: number; end: number } | undefined {
  for (const { before, after } of layoutOf(dialect).taught) {
    const start = before === '' ? -1 : text.indexOf(before);
    const end = start < 0 ? -1 : text.indexOf(after, start + before.length);
    if (end >= 0) return { start, end: end + after.length };
  }
  return undefined;
}

/** The turn that is only opened, for the model to go on. */
function openerOf(dialect: Dialect, turns: readonly Turn[]): Turn | undefined {
  const last = turns.at(-1);
  if (last?.role !== 'assistant' || last.closed) return undefined;
  return saidIn(dialect, last.text).trim() === '' ? last : undefined;
}

function behindReasoning({ traits: { reasoning } }: Dialect, text: string): string {
  const ends = [reasoning?.open, reasoning?.close].map((tag) =>
    tag !== undefined && text.includes(tag) ? text.lastIndexOf(tag) + tag.length : 0,
  );
  return text.slice(Math.max(...ends));
}

/** Without the tags of reasoning, and what opens a text. */
function saidIn({ traits: { reasoning, textFrame } }: Dialect, text: string): string {
  const tags = [reasoning?.open, reasoning?.close, textFrame?.open];
  return tags.reduce<string>((said, tag) => (tag ? said.replaceAll(tag, '') : said), text);
}

/** How many readings are tried before it is clear that a guess was wrong. */
const GUESSES = 3;

/** A reading, and the options under which it is rendered. */
interface Candidate {
  messages: Message[];
  options: RenderOptions;
}

class PromptReading {
  readonly #builder: ConversationBuilder;
  readonly #layout: PromptLayout | undefined;
  /** The options that put words before the first system text. */
  #lead: RenderOptions | undefined;
  #begun = false;

  constructor(
    readonly dialect: Dialect,
    readonly path: string,
    readonly guess: boolean,
  ) {
    this.#builder = new ConversationBuilder(dialect, true, guess);
    this.#layout = layoutOf(dialect).prompt;
  }

  get notes(): Note[] {
    return this.#builder.notes;
  }

  turn(turn: Turn): void {
    const { role, text, start } = turn;
    const builder = this.#builder;
    if (turn.tools) this.#tools(turn.tools(text));
    else if (role === 'assistant' && !this.#isAnswer(turn)) {
      if (this.guess) throw wrongGuess;
      this.#unanswered(text);
    } else if (role === 'assistant') builder.assistant(text, this.path);
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

  /** Tools in a turn of their own. */
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

  /** Where answers have a token that ends them, one without it, with more behind it, is none. */
  #isAnswer({ closed, ended }: Turn): boolean {
    const isEnded = this.dialect.render.back?.turns?.some(({ ends }) => ends === 'assistant');
    return ended || !closed || !isEnded;
  }

  /** Opened, and then somebody else spoke: a system message without a token, or who has one. */
  #unanswered(text: string): void {
    const said = behindReasoning(this.dialect, text);
    if (said.trim() !== '') this.#system(said);
  }

  #system(written: string): void {
    const lead = this.#begun ? undefined : this.#layout?.leads.find(({ text }) => written.startsWith(text));
    if (lead) this.#lead = lead.options;
    const { text, tools, behind } = readSystem(
      this.dialect,
      written.slice(lead?.text.length ?? 0),
      undefined,
      this.path,
      this.guess,
      this.#layout?.beforeTools,
    );
    if (tools) this.#builder.tools = tools;
    // Where the text is empty, the turn is there for the tools, or for what leads.
    if (text !== '' || (!tools && !lead)) this.#builder.say('system', text);
    if (behind !== '') this.#builder.say('system', behind);
    this.#begun = true;
  }

  // --- the options -------------------------------------------------------------------------------------

  settle(text: string, opener: Turn | undefined): Pick<ReadPrompt, 'conversation' | 'options'> {
    const candidates = [...this.#candidates(opener)];
    const tried = this.guess ? candidates.slice(0, GUESSES) : candidates;
    const exact = this.#find(tried, (rendered) => rendered === text);
    if (this.guess && !exact) throw wrongGuess;
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

  *#candidates(opener: Turn | undefined): Generator<Candidate> {
    const { messages } = this.#builder;
    const plain = withoutTail(messages, this.#layout?.userTail ?? '');
    const generate = opener !== undefined;
    if (plain) for (const options of this.#options(generate, [false])) yield { messages: plain, options };
    for (const options of this.#options(generate, [undefined, true, false])) yield { messages, options };
    // What looks opened may be an answer that says nothing.
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

  /** A system text that the dialect writes by itself where none is given is nobody's. */
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

/** Without what stands behind the text of every user where thinking is off. */
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
