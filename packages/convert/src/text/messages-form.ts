// Rows `{messages: [{role, content}], tools?}` whose texts are in a dialect, as `renderMessages` writes them: what a
// chat endpoint is sent, and what it answers.
//
// Every row that is read is rendered again and compared. Three differences are noted as `other-prompt`: an assistant's
// text that we would write differently, white space, and unescaped markers in a user's text. Any other difference is a
// RowError, so no row is misread silently.

import {
  type Conversation,
  type Dialect,
  type ExactValue,
  functionTool,
  type RenderedMessage,
  type RenderOptions,
  readText,
  renderOwnMessages,
  type Tool,
} from '@dragoman/core/internal';
import { ConversationBuilder } from '../forms/conversation-builder.js';
import type { Form, Note, ReadTranscript, Row, Transcript, WrittenRow } from '../forms/form.js';
import { inRow, RowError, wrongRow } from '../forms/form.js';
import { isRow, joinRow, keysOf, memberOf, restOf } from '../forms/members.js';
import { readTools, toolNotes } from '../forms/tools.js';
import { quickly } from '../quick/index.js';
import { writePlainMessages } from '../quick/plain-messages.js';
import { shareTools } from '../quick/shared-tools.js';
import { oneCallNotes } from '../train/one-call.js';
import { trainedMessages } from '../train/trained-messages.js';
import type { TrainingOptions } from '../train/training.js';
import { readSystem } from './read-system.js';
import { checkResults, plainResults } from './ready-text.js';
import { differs, squeeze } from './same-text.js';
import { lossesBetween, unsaid } from './text-losses.js';

export interface MessagesFormOptions {
  /** Whether to write the definitions as a member `tools`, so that a reader has them exactly. Default true. */
  tools?: boolean;
  /** The language and length of the tool instructions, and how markers in text are escaped. */
  render?: Pick<RenderOptions, 'language' | 'short' | 'safety'>;
  training?: TrainingOptions;
}

export const messagesForm = {
  name: 'messages',
  about: 'Messages whose text is in a dialect: {messages: [{role, content}], tools}',
  needsDialect: true,
  create: createMessagesForm,
} as const;

export function createMessagesForm(dialect: Dialect, options: MessagesFormOptions = {}): Form {
  const { create: _, ...form } = messagesForm;
  const { language, short, safety }: RenderOptions = options.render ?? {};
  const render = { ...(language && { language }), ...(short && { short }), ...(safety && { safety }) };
  return {
    ...form,
    read: (row) => readRow(dialect, row),
    write: (transcript) => writeRow(dialect, transcript, { ...options, render }),
  };
}

// --- writing -------------------------------------------------------------------------------------------

function writeRow(dialect: Dialect, transcript: Transcript, options: MessagesFormOptions): WrittenRow {
  const conversation = { ...transcript.conversation, tools: shareTools(transcript.conversation.tools) };
  const written = quickly(
    'messages',
    () => writePlain(dialect, { ...transcript, conversation }, options),
    () => writeAny(dialect, { ...transcript, conversation }, options),
  );
  const { training } = options;
  if (!training) return written;
  const told = training.perTurn ? oneCallNotes(transcript) : [];
  const noted = { ...written, notes: [...written.notes, ...told] };
  return inRow(() => trainedMessages(dialect, conversation, noted, options));
}

function writePlain(
  dialect: Dialect,
  transcript: Transcript,
  options: MessagesFormOptions,
): WrittenRow | undefined {
  if (options.tools === false) return undefined;
  const plain = writePlainMessages(dialect, transcript.conversation, options.render ?? {});
  return plain && writing(transcript, plain.messages, true, plain.notes);
}

function writeAny(dialect: Dialect, transcript: Transcript, options: MessagesFormOptions): WrittenRow {
  const { conversation } = transcript;
  checkResults(dialect, conversation);
  const rendered = inRow(() => renderOwnMessages(dialect, plainResults(conversation), options.render));
  const messages = rendered.messages.map(({ role, content }) => ({ role, content }));
  return writing(transcript, messages, options.tools !== false, (row) =>
    lossesOf(dialect, conversation, row),
  );
}

function writing(
  transcript: Transcript,
  messages: ExactValue[],
  withTools: boolean,
  losses: readonly Note[] | ((row: Row) => Note[]),
): WrittenRow {
  const { tools, toolChoice } = transcript.conversation;
  const members: [string, ExactValue][] = [['messages', messages]];
  // With `toolChoice: 'none'` the model is not given the tools, so the row does not hold them either.
  const isTold = tools.length > 0 && toolChoice !== 'none';
  if (withTools && isTold) members.push(['tools', tools.map(definitionOf)]);
  const notes: Note[] = [];
  const row = joinRow(members, transcript, notes);
  const lost = typeof losses === 'function' ? losses(Object.fromEntries(members)) : losses;
  return { row, notes: [...notes, ...lost] };
}

function lossesOf(dialect: Dialect, conversation: Conversation, row: Row): Note[] {
  const { tools } = conversation;
  const isTaught = conversation.toolChoice !== 'none' && tools.length > 0;
  const found = (whole: Row) => lossesBetween(conversation, readWritten(dialect, whole).conversation);
  if (!isTaught || Object.hasOwn(row, 'tools') || dialect.render.back?.tools) return found(row);
  // The row has no member `tools`, and its text cannot be read for definitions, so they are reported as lost.
  const whole = { ...row, tools: tools.map(definitionOf) };
  const lost = tools.map((_, at): Note => ({ kind: 'loss', code: 'tools', path: `tools[${at}]` }));
  return [...lost, ...found(whole)];
}

function readWritten(dialect: Dialect, row: Row): ReadTranscript {
  try {
    return readRow(dialect, row);
  } catch (error) {
    throw error instanceof RowError ? unsaid(`messages of ${dialect.name}`, error) : error;
  }
}

function definitionOf({ name, description, parameters, source }: Tool): ExactValue {
  return source ?? functionTool(name, description, parameters);
}

// --- reading -------------------------------------------------------------------------------------------

const rowKeys: ReadonlySet<string> = new Set(['messages', 'tools']);
const messageKeys: ReadonlySet<string> = new Set(['role', 'content']);

interface Line {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
}

function readRow(dialect: Dialect, row: Row): ReadTranscript {
  const reading = new RowReading(dialect, row);
  const lines = reading.lines(memberOf(row, 'messages'));
  for (const [at, line] of lines.entries()) reading.line(line, at);
  reading.check(lines);
  const { notes } = reading;
  return { conversation: reading.conversation(), ...restOf(row, rowKeys), form: messagesForm.name, notes };
}

class RowReading {
  readonly notes: Note[] = [];
  readonly #builder: ConversationBuilder;
  readonly #given: Tool[] | undefined;
  readonly #extra: Conversation['extra'];
  #options: RenderOptions = {};
  #taught = false;

  constructor(
    readonly dialect: Dialect,
    row: Row,
  ) {
    this.#builder = new ConversationBuilder(dialect, false);
    const value = memberOf(row, 'tools');
    if (value === undefined) return;
    const tools = readTools(value, 'tools');
    this.#given = shareTools(tools.tools);
    this.#extra = toolNotes(tools);
    this.#builder.tools = this.#given;
  }

  lines(value: ExactValue | undefined): Line[] {
    if (!Array.isArray(value)) throw wrongRow('messages', 'a list of messages {role, content}', value);
    return value.map((item, at) => this.#lineOf(item, `messages[${at}]`));
  }

  #lineOf(item: ExactValue, path: string): Line {
    if (!isRow(item)) throw wrongRow(path, 'a message {role, content}', item);
    const role = memberOf(item, 'role');
    const content = memberOf(item, 'content') ?? '';
    if (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool') {
      throw wrongRow(`${path}.role`, "'system', 'user', 'assistant' or 'tool'", role);
    }
    if (typeof content !== 'string') throw wrongRow(`${path}.content`, 'a text in the dialect', content);
    for (const key of keysOf(item)) {
      if (!messageKeys.has(key))
        this.notes.push({ kind: 'issue', code: 'unknown-member', path: `${path}.${key}` });
    }
    return { role, content };
  }

  line({ role, content }: Line, at: number): void {
    const path = `messages[${at}].content`;
    const builder = this.#builder;
    if (role === 'assistant') builder.assistant(content, path);
    else if (role === 'system' && at === 0) this.#lead(content, path);
    else if (role === 'system') builder.say('system', readText(this.dialect, content) ?? content);
    else if (!builder.results(content, path, role === 'tool')) {
      if (role === 'tool') throw wrongRow(path, `results as ${this.dialect.name} writes them`, content);
      builder.user(content);
    }
  }

  #lead(content: string, path: string): void {
    const { text, tools, taught } = readSystem(this.dialect, content, this.#given, path);
    if (taught) {
      this.#options = taught.options;
      this.#taught = true;
      this.#builder.tools = tools ?? [];
    }
    if (text !== '' || !taught) this.#builder.say('system', text);
  }

  conversation(): Conversation {
    const { messages, tools } = this.#builder;
    return { messages, tools: [...tools], toolChoice: 'auto', ...(this.#extra && { extra: this.#extra }) };
  }

  /** Renders the conversation again and compares it with the row; the file comment lists what may differ. */
  check(lines: readonly Line[]): void {
    this.notes.push(...this.#builder.notes);
    const conversation = this.conversation();
    if (conversation.tools.length > 0 && !this.#taught) {
      this.#note('messages');
      conversation.toolChoice = 'none';
    }
    const rendered = inRow(() => renderOwnMessages(this.dialect, conversation, this.#options).messages);
    if (this.#agrees(lines, rendered)) return;
    const exact = inRow(() =>
      renderOwnMessages(this.dialect, conversation, { ...this.#options, safety: 'exact' }),
    );
    if (this.#agrees(lines, exact.messages)) return;
    throw otherText(this.dialect, lines, rendered);
  }

  #agrees(lines: readonly Line[], rendered: readonly RenderedMessage[]): boolean {
    const isSame = ({ role, content }: Line, at: number) =>
      rendered[at]?.role === role && rendered[at]?.content === content;
    if (lines.length === rendered.length && lines.every(isSame)) return true;
    if (squeezed(lines) !== squeezed(rendered)) return false;
    const inStep = lines.length === rendered.length;
    if (!inStep) this.#note('messages');
    for (const [at, { role, content }] of lines.entries()) {
      const other = rendered[at];
      if (inStep && (other?.role !== role || other.content !== content))
        this.#note(`messages[${at}].content`);
    }
    return true;
  }

  #note(path: string): void {
    this.notes.push({ kind: 'issue', code: 'other-prompt', path });
  }
}

/** Gives all texts but the assistant's, without white space. */
function squeezed(lines: readonly Line[]): string {
  return lines.map(({ role, content }) => (role === 'assistant' ? '\0' : squeeze(content))).join('');
}

function otherText(dialect: Dialect, lines: readonly Line[], rendered: readonly RenderedMessage[]): RowError {
  const found = lines.findIndex(
    ({ role, content }, at) => role !== 'assistant' && rendered[at]?.content !== content,
  );
  const at = Math.max(found, 0);
  const where = differs(lines[at]?.content ?? '', rendered[at]?.content ?? '');
  return new RowError(
    `messages[${at}].content`,
    `expected text as ${dialect.name} is rendered here; ${where}. Is the text in another dialect? If not, give ` +
      'the conversation in another form, or mend this message.',
  );
}
