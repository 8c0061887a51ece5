// Writes messages as the items of a request.

import { freeformText, isFreeform } from '../../model/freeform.js';
import {
  ApiError,
  type AssistantMessage,
  type Extra,
  type MediaPart,
  type Message,
  type ModelRequest,
  type ReasoningPart,
  type TextPart,
  type ToolCall,
  type ToolResult,
} from '../../model/index.js';
import { documentText } from '../../model/text-documents.js';
import { argumentsOf } from '../call-arguments.js';
import { type Media, readMedia } from '../media.js';
import { isCurrent, resultMedia, resultText } from '../result-content.js';
import { defined, stringOf } from '../values.js';
import { outputId } from './decode-calls.js';
import { reasoningText, textKeys } from './decode-input.js';
import { callSpelling, type ToolPlacer } from './encode-tools.js';
import { type ExtraReader, flatName, type ItemNotes, type KeptItem } from './spelling.js';

export function encodeMessages(
  request: ModelRequest,
  messages: Message[],
  read: ExtraReader,
  placer: ToolPlacer,
): unknown[] {
  const writer = new ItemWriter(request, read, placer);
  for (const message of messages) writer.write(message, request.conversation.messages.indexOf(message));
  return writer.items;
}

class ItemWriter {
  readonly items: unknown[] = [];
  /** How each call was written, by its id, and whether it came so: its result must have the type that belongs to it. */
  readonly #calls = new Map<string, { type: string; came: boolean }>();

  constructor(
    private readonly request: ModelRequest,
    private readonly read: ExtraReader,
    private readonly placer: ToolPlacer,
  ) {}

  get #own(): boolean {
    return this.request.api === 'openai-responses';
  }

  write(message: Message, at: number): void {
    if (message.role === 'assistant') this.#assistant(message);
    else if (message.role === 'tool') for (const part of message.parts) this.#result(part, `messages[${at}]`);
    else this.#textMessage(message, `messages[${at}]`);
  }

  /** Writes a user or system message as one item. */
  #textMessage(message: Exclude<Message, { role: 'assistant' | 'tool' }>, path: string): void {
    const { rest, notes } = this.#kept(message.extra);
    const role = message.role === 'system' ? (notes.role ?? 'system') : 'user';
    const parts = message.parts.map((part, at) =>
      part.type === 'text' ? this.#text(part, 'input_text') : this.#media(part.media, `${path}.parts[${at}]`),
    );
    const content = this.#isPlain(message.parts, notes.string ?? true)
      ? (message.parts[0] as TextPart).text
      : parts;
    this.items.push({ ...rest, role, content });
  }

  /** Whether the content is written as one string: a single text without other members. */
  #isPlain(parts: readonly (TextPart | MediaPart)[], string: boolean): boolean {
    const [part] = parts;
    if (!string || parts.length !== 1 || part?.type !== 'text') return false;
    return Object.keys(this.read(part.extra).rest).length === 0;
  }

  #assistant(message: AssistantMessage): void {
    let texts: TextPart[] = [];
    const close = () => {
      if (texts.length > 0) this.#message(texts);
      texts = [];
    };
    for (const part of message.parts) {
      const { notes } = this.read<ItemNotes>(part.extra);
      if (part.type !== 'text' || notes.item !== undefined || notes.kept) close();
      if (notes.kept && part.type === 'text' && part.text === '')
        this.items.push(this.#kept(part.extra).rest);
      else if (part.type === 'text' && (part.text !== '' || part.extra !== undefined)) texts.push(part);
      else if (part.type === 'tool-call') this.#call(part);
      else if (part.type === 'reasoning') this.#reasoning(part);
    }
    close();
  }

  /** Writes texts as one message item. Texts without an item of their own join the one before them. */
  #message(texts: TextPart[]): void {
    const { notes } = this.#kept(texts[0]?.extra);
    const content = this.#isPlain(texts, notes.string ?? true)
      ? texts[0]?.text
      : texts.map((part) => this.#text(part, 'output_text'));
    this.items.push({ ...(notes.item ?? {}), role: 'assistant', content });
  }

  #text(part: TextPart, type: 'input_text' | 'output_text'): Extra {
    const { rest, notes } = this.read<ItemNotes>(part.extra);
    if (notes.unknown && part.text === '') return rest;
    if (typeof rest.type === 'string') return { ...rest, [textKeys.get(rest.type) ?? 'text']: part.text };
    return type === 'input_text' ? { type, text: part.text } : { type, text: part.text, annotations: [] };
  }

  #media(media: unknown, path: string): unknown {
    return this.#own ? media : toInputMedia(media, path);
  }

  /**
   * Writes a reasoning item. Only one that came by this API can be sent; after a change of its text it loses its
   * encrypted form.
   */
  #reasoning(part: ReasoningPart): void {
    const { rest } = this.#kept(part.extra);
    if (rest.type !== 'reasoning') return;
    if (reasoningText(rest) === part.text) this.items.push(rest);
    else {
      const { encrypted_content: _, ...others } = rest;
      this.items.push({ ...others, summary: [], content: [{ type: 'reasoning_text', text: part.text }] });
    }
  }

  #call(call: ToolCall): void {
    const { rest } = this.#kept(call.extra);
    const item = this.#callItem(call, rest);
    this.#calls.set(call.id, { type: item.type, came: item.type === rest.type });
    this.items.push(item);
  }

  #callItem(call: ToolCall, rest: Extra): Extra & { type: string } {
    if (rest.type === 'local_shell_call' && call.name === 'local_shell') {
      return { ...rest, type: rest.type, call_id: call.id, action: call.input };
    }
    const { namespace: _, ...others } = rest;
    const spelling = { ...this.#spelling(call.name, rest), call_id: call.id };
    const text = this.#isCustom(call, rest) ? freeformText(call) : undefined;
    if (text !== undefined) return { ...others, type: 'custom_tool_call', ...spelling, input: text };
    const written = argumentsOf(call, this.#own ? call.broken : undefined);
    return { ...others, type: 'function_call', ...spelling, arguments: written };
  }

  /** A call that came as one of a function stays one. */
  #isCustom(call: ToolCall, { type }: Extra): boolean {
    return type !== 'function_call' && isFreeform(call, this.request.conversation.tools);
  }

  /** Gives the namespace that the call came with, as long as its name still begins with it; else that of its tool. */
  #spelling(name: string, { type, namespace }: Extra): Extra {
    if (typeof namespace === 'string' && name.startsWith(flatName(namespace, ''))) {
      return { name: name.slice(flatName(namespace, '').length), namespace };
    }
    if (type !== undefined && typeof namespace !== 'string') {
      return namespace === undefined ? { name } : { name, namespace };
    }
    return { ...callSpelling(name, this.request.conversation.tools, this.read) };
  }

  #result(result: ToolResult, path: string): void {
    const { rest, notes } = this.#kept(result.extra);
    const { content, ...others } = rest;
    const own = notes.listed ? defined({ content: notes.content }) : defined({ content });
    const type = this.#outputType(result.callId, rest.type);
    const output = this.#output(result, notes.listed ? content : notes.output, path);
    this.items.push({ ...others, ...own, type, [outputId(type)]: result.callId, output });
  }

  /** Gives the type that came, unless there is none or the call was written as another. */
  #outputType(callId: string, came: unknown): unknown {
    const call = this.#calls.get(callId);
    if (call === undefined || (call.came && came !== undefined)) return came ?? 'function_call_output';
    return `${call.type}_output`;
  }

  /** Gives the parts as they came, if they still hold the result's output; else its text and its images. */
  #output(result: ToolResult, came: unknown, path: string): unknown {
    if (came !== undefined && isCurrent(came, result)) return came;
    const text = resultText(result);
    const media = resultMedia(result).map((block) => this.#media(block, `${path}.parts`));
    if (media.length === 0) return text;
    return text === '' ? media : [{ type: 'input_text', text }, ...media];
  }

  /** Reads an item's `extra`, after writing the items that were kept before it. */
  #kept(extra: Extra | undefined): { rest: Extra; notes: ItemNotes } {
    const kept = this.read<ItemNotes>(extra);
    this.items.push(...encodeKept(kept.notes.before ?? [], this.placer));
    return kept;
  }
}

/** Writes kept items as they came, with those of their tools that still exist. */
export function encodeKept(kept: KeptItem[], placer: ToolPlacer): unknown[] {
  return kept.map((item) =>
    'item' in item ? item.item : { ...item.members, tools: placer.place(item.tools) },
  );
}

// --- media of other APIs ---------------------------------------------------------------------------------

function toInputMedia(value: unknown, path: string): unknown {
  const type = stringOf(value, 'type');
  if (type === 'input_image' || type === 'input_file') return value;
  const text = documentText(value);
  if (text !== undefined) return { type: 'input_text', text };
  const media = readMedia(value);
  if (media !== undefined) return media.kind === 'image' ? toImage(media) : toFile(media);
  const kind = type === undefined ? 'this' : `'${type.slice(0, 40)}'`;
  const message = `${path}: ${kind} cannot be said in the Responses API: expected text, an image or a file`;
  throw new ApiError('unsupported-media', message, { path });
}

function toImage({ url, id, detail = 'auto' }: Media): unknown {
  return { type: 'input_image', ...defined({ image_url: url, file_id: id }), detail };
}

function toFile({ url, id, name }: Media): unknown {
  const key = url?.startsWith('data:') ? 'file_data' : 'file_url';
  return { type: 'input_file', ...defined({ [key]: url, file_id: id, filename: name }) };
}
