// The items of a request, into messages.
//
//   message (user, system, developer)            one message each
//   message (assistant), reasoning, calls        consecutive ones are one assistant turn
//   outputs of calls                             consecutive ones are one tool message
//   anything else                                kept before the message or part that follows it; the tools
//                                                it may bring are taken

import type {
  AssistantMessage,
  Extra,
  MediaPart,
  Message,
  ModelRequest,
  TextPart,
  ToolResult,
} from '../../model/index.js';
import { badRequest, Members, wrong } from '../members.js';
import { addNotes, withNotes } from '../notes.js';
import { standInFor } from '../stand-in.js';
import { listOf, stringOf, toOpaque } from '../values.js';
import { customCall, functionCall, isOutput, result, shellCall } from './decode-calls.js';
import { type DecodedTools, decodeTools } from './decode-tools.js';
import type { ItemNotes, KeptItem } from './spelling.js';

type Reference = NonNullable<ModelRequest['references']>[number];
type UnreadItem = NonNullable<ModelRequest['unreadItems']>[number];

export interface DecodedInput {
  messages: Message[];
  /** Kept items after the last message. */
  after: KeptItem[];
  /** Items that the input only refers to by their id. */
  references: Reference[];
  /** Items that only their provider can read. */
  unread: UnreadItem[];
}

/** Reads the items. Tools that they bring are added to `tools`. */
export function decodeItems(items: unknown[], path: string, tools: DecodedTools): DecodedInput {
  const reader = new ItemReader(tools);
  for (const [at, item] of items.entries()) reader.read(item, `${path}[${at}]`);
  const { messages, kept, references, unread } = reader;
  return { messages, after: kept, references, unread };
}

type AssistantPart = AssistantMessage['parts'][number];
const roles = ['user', 'assistant', 'system', 'developer'] as const;
/** The types of parts that hold text, and the member that holds it. */
export const textKeys: ReadonlyMap<string, string> = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['text', 'text'],
  ['refusal', 'refusal'],
]);
/** The types of items that add tools in the middle of a conversation. */
const toolItems: readonly unknown[] = ['additional_tools', 'tool_search_output'];
const mediaTypes = ['input_image', 'input_file', 'input_audio'];

class ItemReader {
  readonly messages: Message[] = [];
  /** Kept items that wait for the next message or part, which will hold them in its notes. */
  kept: KeptItem[] = [];
  readonly references: Reference[] = [];
  readonly unread: UnreadItem[] = [];

  constructor(private readonly tools: DecodedTools) {}

  read(item: unknown, path: string): void {
    const members = Members.of(item, path, 'an item: {type, …} or {role, content}');
    const type = typeOf(members);
    if (type === 'function_call') this.#assistant([functionCall(members, this.#before())]);
    else if (type === 'custom_tool_call') this.#assistant([customCall(members, this.#before())]);
    else if (type === 'local_shell_call' && typeof members.peek('call_id') === 'string')
      this.#assistant([shellCall(members, this.#before())]);
    else if (isOutput(type)) this.#result(result(members, this.#before()));
    else if (type === 'reasoning' && reasoningText(item) !== '') this.#reasoning(item, path);
    else if (isMessage(type, members)) this.#message(item, members);
    else if (type === 'item_reference') this.#refer(item, members);
    else if (toolItems.includes(type)) this.#keep(item, members);
    else this.#stand(item, type, path);
  }

  /** Takes an item that only its provider knows. A text stands in for it, if it holds something to read. */
  #stand(item: unknown, type: string, path: string): void {
    const opaque = toOpaque(item, path) as Extra;
    const standIn = type === 'reasoning' ? '' : standInFor(opaque);
    if (standIn !== '') {
      const kept = withNotes(opaque, { ...this.#before(), kept: true });
      this.#assistant([{ type: 'text', text: '', standIn, ...kept }]);
      return;
    }
    this.unread.push({ path, type });
    this.kept.push({ item: opaque });
  }

  #refer(item: unknown, members: Members): void {
    this.references.push({ path: members.path, id: members.requiredString('id', 'the id of an item') });
    this.#keep(item, members);
  }

  #keep(item: unknown, members: Members): void {
    const list = toolItems.includes(members.peek('type')) ? members.peek('tools') : undefined;
    if (!Array.isArray(list)) this.kept.push({ item: toOpaque(item, members.path) });
    else {
      members.take('tools');
      const tools = decodeTools(list, members.at('tools'), this.tools);
      this.kept.push({ members: members.rest() ?? {}, tools });
    }
  }

  #before(): ItemNotes {
    const before = this.kept;
    this.kept = [];
    return before.length > 0 ? { before } : {};
  }

  #message(item: unknown, members: Members): void {
    const role = members.word('role', roles);
    if (role === undefined) throw wrong(members.at('role'), 'the role of a message', members.peek('role'));
    const { parts, notes } = contentParts(members, role);
    if (role === 'assistant') {
      const texts = parts as TextPart[];
      if (texts.length === 0) this.#keep(item, members);
      else this.#addTexts(texts, { ...this.#before(), ...notes, item: members.rest() ?? {} });
      return;
    }
    const developer = role === 'developer' ? { role } : {};
    const extra = withNotes(members.rest(), { ...this.#before(), ...notes, ...developer });
    if (role === 'user') this.messages.push({ role, parts, ...extra });
    else this.messages.push({ role: 'system', parts: parts as TextPart[], ...extra });
  }

  /**
   * Adds texts of the assistant. A message after a message begins a new turn, unless the turn has calls: those stay
   * together.
   */
  #addTexts([first, ...others]: TextPart[], notes: ItemNotes): void {
    const parts = [addNotes(first as TextPart, notes), ...others];
    const turn = this.messages.at(-1);
    const open = turn?.role === 'assistant' && turn.parts.some((part) => part.type === 'tool-call');
    const last = turn?.role === 'assistant' ? turn.parts.at(-1) : undefined;
    if (last?.type === 'text' && last.standIn === undefined && !open) {
      this.messages.push({ role: 'assistant', parts });
    } else this.#assistant(parts);
  }

  #reasoning(item: unknown, path: string): void {
    const kept = withNotes(toOpaque(item, path) as Extra, this.#before());
    this.#assistant([{ type: 'reasoning', text: reasoningText(item), ...kept }]);
  }

  #assistant(parts: AssistantPart[]): void {
    const turn = this.messages.at(-1);
    if (turn?.role === 'assistant') turn.parts.push(...parts);
    else this.messages.push({ role: 'assistant', parts });
  }

  #result(part: ToolResult): void {
    const turn = this.messages.at(-1);
    if (turn?.role === 'tool') turn.parts.push(part);
    else this.messages.push({ role: 'tool', parts: [part] });
  }
}

function typeOf(members: Members): string {
  const type = members.peek('type');
  if (typeof type === 'string') return type;
  if (type !== undefined && type !== null) throw wrong(members.at('type'), 'the type of an item', type);
  if (members.has('role')) return 'message';
  if (members.has('id')) return 'item_reference';
  throw badRequest(members.path, 'expected an item with a type, or a message with a role and content');
}

/** Whether the item is a message: also one of an unknown type with the role and content of one. */
function isMessage(type: string, members: Members): boolean {
  if (type === 'message') return true;
  const content = members.peek('content');
  const role = roles.some((known) => known === members.peek('role'));
  return type !== 'reasoning' && role && (typeof content === 'string' || Array.isArray(content));
}

type Role = (typeof roles)[number];

function contentParts(members: Members, role: Role): { parts: (TextPart | MediaPart)[]; notes: ItemNotes } {
  const content = members.take('content');
  if (typeof content === 'string')
    return { parts: [{ type: 'text', text: content }], notes: { string: true } };
  const path = members.at('content');
  if (!Array.isArray(content)) throw wrong(path, 'a string or a list of parts', members.peek('content'));
  return {
    parts: content.map((part, at) => contentPart(part, role, `${path}[${at}]`)),
    notes: { string: false },
  };
}

function contentPart(value: unknown, role: Role, path: string): TextPart | MediaPart {
  const members = Members.of(value, path, 'a part: {type, …}');
  const type = members.peek('type');
  if (typeof type !== 'string') throw wrong(members.at('type'), 'the type of a part', type);
  const key = textKeys.get(type);
  if (key !== undefined)
    return { type: 'text', text: members.requiredString(key), ...withNotes(members.rest(), {}) };
  if (role === 'user') return { type: 'media', media: toOpaque(value, path) };
  if (mediaTypes.includes(type))
    throw wrong(path, `text: a message of the role ${role} holds no media`, value);
  return { type: 'text', text: '', ...withNotes(members.rest(), { unknown: true }) };
}

/** Gives the reasoning itself if it is there, else its summary; '' if both are empty or encrypted. */
export function reasoningText(item: unknown): string {
  const content = listOf(item, 'content').map((part) => stringOf(part, 'text') ?? '');
  const summary = listOf(item, 'summary').map((part) => stringOf(part, 'text') ?? '');
  return content.join('') || summary.join('\n\n');
}
