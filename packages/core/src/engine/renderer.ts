// Renders a conversation for a model: as one prompt for a completion endpoint, if the dialect is a model's native
// format, or as messages for a chat endpoint, whose system message teaches the dialect.

import { contentPaths } from '../model/accept-conversation.js';
import { acceptOwn } from '../model/accept-own.js';
import { ofType } from '../model/frozen-lists.js';
import {
  type AssistantMessage,
  acceptConversation,
  type Conversation,
  type MediaPart,
  type Message,
  type Tool,
  type ToolCall,
  type ToolMessage,
  UsageError,
  type UserMessage,
} from '../model/index.js';
import { closerRule } from './closer-rule.js';
import type { Dialect, RenderOptions } from './dialect.js';
import { hasMarker } from './markers.js';
import { callsOf, contentField, orderResults, reasoningOf, textOf } from './message-text.js';
import { promptOfModel } from './prompt-variant.js';
import {
  contextOf,
  keepRendered,
  keepTaught,
  type RenderContext,
  recallRendered,
  recallTaught,
} from './render-memory.js';
import { rejected, type Span, Writer } from './writer.js';

export interface RenderedPrompt {
  text: string;
  spans: Span[];
  /** Strings at which the endpoint must stop. */
  stop: readonly string[];
}

export interface RenderedMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  spans: Span[];
  /** Media parts, for a later layer to attach. */
  media?: MediaPart[];
}

export interface RenderedMessages {
  messages: RenderedMessage[];
  stop: readonly string[];
}

export type Rendering<Request, Rendered> = (
  dialect: Dialect,
  conversation: Request,
  options?: RenderOptions,
) => Rendered;

/** Renders the whole prompt, byte for byte as the vendor writes it, except for markers in text from outside. */
export const renderPrompt: Rendering<unknown, RenderedPrompt> = rendering(acceptConversation, promptOf);

/** Does the same as `renderPrompt` for a conversation that this library made; copies only where needed. */
export const renderOwnPrompt: Rendering<Conversation, RenderedPrompt> = rendering(acceptOwn, promptOf);

/** Does the same for a conversation that a decoder or the bridge made: it is neither checked nor copied. */
export const renderDecodedPrompt: Rendering<Conversation, RenderedPrompt> = rendering(asIs, promptOf);

/**
 * Renders messages for a chat endpoint. The first one depends only on system texts, tools and options, and a new turn
 * changes no message before it (user text that follows results joins their message), so prefix caches stay valid.
 */
export const renderMessages: Rendering<unknown, RenderedMessages> = rendering(acceptConversation, chatOf);

/** Does the same as `renderMessages` for a conversation that this library made; copies only where needed. */
export const renderOwnMessages: Rendering<Conversation, RenderedMessages> = rendering(acceptOwn, chatOf);

/** Does the same for a conversation that a decoder or the bridge made: it is neither checked nor copied. */
export const renderDecodedMessages: Rendering<Conversation, RenderedMessages> = rendering(asIs, chatAgain);

function asIs(conversation: Conversation): Conversation {
  return conversation;
}

type Render<Rendered> = (
  dialect: Dialect,
) => (conversation: Conversation, options: RenderOptions) => Rendered;

/** Makes a function that renders: checks the request, settles the options, and names the field of a rejected text. */
export function rendering<Request, Rendered>(
  accept: (request: Request) => Conversation,
  render: Render<Rendered>,
): Rendering<Request, Rendered> {
  return (dialect, request, options = {}) => {
    const write = render(dialect);
    const conversation = accept(request);
    try {
      return write(shown(conversation), settled(options));
    } catch (error) {
      throw namingField(error, dialect, request, conversation);
    }
  };
}

/**
 * Gives an error that a text was rejected (`safety: 'reject'`) the path of the field in the request, which may have its
 * system text beside the messages, or results and text in one message.
 */
function namingField(
  error: unknown,
  { markers }: Dialect,
  request: unknown,
  { messages }: Conversation,
): unknown {
  if (!(error instanceof UsageError) || error.code !== 'hostile-text') return error;
  let at = messages.findIndex((_, place) => contentField(place) === error.path);
  // System texts may be joined into one: the field is that of the first one that holds a marker.
  if (messages[at]?.role === 'system')
    at = messages.findIndex((message) => message.role === 'system' && hasMarker(textOf(message), markers));
  return rejected(contentPaths(request)[at] ?? error.path ?? '');
}

function promptOf(dialect: Dialect): ReturnType<Render<RenderedPrompt>> {
  return (conversation, options) => {
    const found = promptOfModel(dialect.render, options.model);
    if (!found) throw noPrompt(dialect);
    const out = createWriter(dialect, options);
    found.prompt(out, conversation, options);
    return { text: out.text, spans: out.spans, stop: found.stop };
  };
}

export function noPrompt({ name }: Dialect): UsageError {
  const message = `${name} has no prompt here: use renderMessages, or renderTemplate`;
  return new UsageError('no-prompt-form', message);
}

function chatOf(dialect: Dialect): ReturnType<Render<RenderedMessages>> {
  return (conversation, options) => chatBy(dialect, conversation, options, undefined);
}

/** Does the same, and keeps what constants are rendered to. The caller must change nothing of the result. */
function chatAgain(dialect: Dialect): ReturnType<Render<RenderedMessages>> {
  return (conversation, options) =>
    chatBy(dialect, conversation, options, contextOf(dialect, conversation.tools, options));
}

function chatBy(
  dialect: Dialect,
  { messages, tools }: Conversation,
  options: RenderOptions,
  context: RenderContext | undefined,
): RenderedMessages {
  const chat = new Chat(dialect, tools, options, context);
  const start = messages.findIndex((message) => message.role !== 'system');
  const lead = start < 0 ? messages : messages.slice(0, start);
  chat.teach(lead.map((message) => textOf(message)).join('\n\n'));
  for (let at = lead.length; at < messages.length; at++) chat.add(messages[at] as Message, at);
  chat.answer();
  return { messages: chat.messages, stop: dialect.render.stop };
}

/** Removes the tools for `toolChoice: none`. Models that are shown tools but forbidden to use them leak markup. */
function shown(conversation: Conversation): Conversation {
  return conversation.toolChoice === 'none' ? { ...conversation, tools: [] } : conversation;
}

function createWriter(dialect: Dialect, { safety, trusted = [] }: RenderOptions): Writer {
  return new Writer(dialect.markers, safety, new Set(trusted.map(contentField)), dialect.name);
}

/** Sets `thinking` from the vendors' template options of the same meaning. */
function settled(options: RenderOptions): RenderOptions {
  const asked = options.thinking ?? options.template?.enable_thinking ?? options.template?.thinking;
  return asked === undefined || asked === null ? options : { ...options, thinking: Boolean(asked) };
}

/** Builds the messages. Consecutive results are buffered, to be written in the order of the calls. */
class Chat {
  readonly messages: RenderedMessage[] = [];
  #calls: ToolCall[] = [];
  #results: ToolMessage[] = [];

  /** `context`: constants are rendered once in it. */
  constructor(
    readonly dialect: Dialect,
    readonly tools: readonly Tool[],
    readonly options: RenderOptions,
    readonly context: RenderContext | undefined,
  ) {}

  /** Writes the first system message, if there is a system text or a tool. */
  teach(system: string): void {
    const known = this.context && recallTaught(this.context, system);
    if (known) {
      this.messages.push(known);
      return;
    }
    this.#teach(system);
    const [message] = this.messages;
    if (this.context && message) keepTaught(this.context, system, message);
  }

  #teach(system: string): void {
    const out = this.#say(this.#writer(), system, contentField(0));
    if (this.tools.length > 0) {
      if (system !== '') out.ours('\n\n');
      this.dialect.render.instructions(out, this.tools, this.options);
      if (this.options.closers && !this.dialect.render.closers) this.#teachClosers(out);
    }
    if (out.text !== '') this.#push('system', out);
  }

  #teachClosers(out: Writer): void {
    const rule = closerRule(this.dialect, this.options.language);
    if (rule) out.ours(`\n\n${rule}`);
  }

  add(message: Message, at: number): void {
    const field = contentField(at);
    if (message.role === 'tool') {
      if (message.parts.length > 0) this.#results.push(message);
      return;
    }
    // Many endpoints refuse two user messages in a row, so user text after results in the user role joins them.
    const joins =
      message.role === 'user' && this.#results.length > 0 && this.dialect.traits.resultRole === 'user';
    const results = joins ? this.#answer() : this.answer();
    if (!results && this.#recall([message], [])) {
      if (message.role === 'assistant') this.#calls.push(...callsOf(message));
      else if (message.role === 'user') this.#calls = [];
      return;
    }
    if (message.role === 'assistant') this.#assistant(message, field);
    else if (message.role === 'user') this.#user(message, field, results);
    else this.#push('system', this.#say(this.#writer(), textOf(message), field));
    if (!results) this.#remember([message], []);
  }

  /** Writes the buffered results. */
  answer(): undefined {
    if (this.#results.length === 0) return;
    const [sources, calls] = [this.#results, this.#calls];
    if (this.#recall(sources, calls)) {
      this.#results = [];
      this.#calls = [];
      return;
    }
    this.#answer();
    this.#remember(sources, calls);
  }

  /** Writes the buffered results, and gives the writer of their message. */
  #answer(): Writer {
    const out = this.#writer();
    const results = orderResults(
      this.#results.flatMap(({ parts }) => parts),
      this.#calls,
    );
    this.dialect.render.results(out, results, { calls: this.#calls });
    this.#push(this.dialect.traits.resultRole, out);
    this.#results = [];
    this.#calls = [];
    return out;
  }

  /** Pushes what these messages were rendered to before, after the same calls; false if they were not. */
  #recall(sources: readonly Message[], calls: readonly ToolCall[]): boolean {
    const known = this.context && recallRendered(this.context, sources, calls);
    if (known) this.messages.push(known);
    return known !== undefined;
  }

  #remember(sources: readonly Message[], calls: readonly ToolCall[]): void {
    const rendered = this.messages.at(-1);
    if (this.context && rendered) keepRendered(this.context, sources, calls, rendered);
  }

  #assistant(message: AssistantMessage, field: string): void {
    const calls = callsOf(message);
    const out = this.#writer();
    if (!this.#writeOwnWords(out, message, field)) this.#spell(out, message, calls, field);
    this.#push('assistant', out);
    this.#calls.push(...calls);
  }

  /** Writes what the model wrote; false if that is not known. Reasoning that is left out is left out here, too. */
  #writeOwnWords(out: Writer, message: AssistantMessage, field: string): boolean {
    const written = out.wordsOf(message);
    if (!written) return false;
    const { text, body, inside } = written;
    const thinks = this.options.reasoning && reasoningOf(message);
    if (body === 0) {
      this.#think(out, message, field);
      out.ours(text);
    } else if (thinks) out.ours(inside ? (this.dialect.traits.reasoning?.open ?? '') : '').ours(text);
    else if (body !== undefined) out.ours(text.slice(body));
    else return false;
    return true;
  }

  #spell(out: Writer, message: AssistantMessage, calls: readonly ToolCall[], field: string): void {
    const text = textOf(message);
    const thinks = this.#think(out, message, field);
    const frame = thinks && text !== '' ? this.dialect.traits.textFrame : undefined;
    out.ours(frame?.open ?? '');
    if (this.dialect.render.text) this.#say(out, text, field);
    else out.answer(text, field);
    out.ours(frame?.close ?? '');
    if (calls.length > 0) {
      this.dialect.render.calls(out, calls, { tools: this.tools, afterText: text !== '' });
    }
  }

  /** Writes the reasoning of an answer as the model would, if that is wanted. Text after it needs its frame. */
  #think(out: Writer, message: AssistantMessage, field: string): boolean {
    const { reasoning } = this.dialect.traits;
    const thought = (this.options.reasoning && reasoningOf(message)) || '';
    if (!reasoning || thought === '') return false;
    out.ours(reasoning.open).outside(this.#unclosed(thought, reasoning.close), field).ours(reasoning.close);
    return true;
  }

  /** Breaks the closer in reasoning, in a dialect whose markers do not have it: it quotes text with the closer. */
  #unclosed(thought: string, close: string): string {
    const { markers } = this.dialect;
    if (this.options.safety !== undefined && this.options.safety !== 'escape') return thought;
    if (markers.match(close, 0, true) > 0) return thought;
    return thought.replaceAll(close, `${close.slice(0, 1)}\\${close.slice(1)}`);
  }

  /** `results`: the text joins those results. */
  #user(message: UserMessage, field: string, results: Writer | undefined): void {
    const media = ofType(message.parts, 'media');
    const out = results ?? this.#writer();
    const text = textOf(message);
    this.#calls = [];
    if (results) this.messages.pop();
    if (results && text !== '') out.ours('\n\n');
    this.#push('user', this.#say(out, text, field), media);
  }

  /** Writes text from outside: neutralised, or as the dialect's `render.text` places it. */
  #say(out: Writer, text: string, field: string): Writer {
    const { render } = this.dialect;
    if (text !== '' && render.text && !out.trusted.has(field)) render.text(out, text, field);
    else out.outside(text, field);
    return out;
  }

  #push(role: RenderedMessage['role'], out: Writer, media: MediaPart[] = []): void {
    const message: RenderedMessage = { role, content: out.text, spans: out.spans };
    this.messages.push(media.length > 0 ? { ...message, media } : message);
  }

  #writer(): Writer {
    return createWriter(this.dialect, this.options);
  }
}
