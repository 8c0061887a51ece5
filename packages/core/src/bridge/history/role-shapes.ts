// The order of roles that an upstream accepts. Chat templates and APIs differ in what they refuse; each shape has all that
// the shape before it has.
//
//   as-is       the conversation as it came
//   strict      one system message, at the front; no two messages of the user or of the assistant in a row
//   alternate   also: the user begins, and the assistant says something between results and the user's next message
//   no-system   also: no system message at all
//
// Nothing is left out: a system message that cannot stay becomes text of a user's message at its place (system-note.ts),
// and messages in a row become one. The result depends on the conversation alone, a conversation that has the shape is
// given back as it is, and a longer conversation begins with the text of the shorter one, so that prompt caches hold.

import type { AssistantMessage, Message, SystemMessage, UserMessage } from '../../model/index.js';
import { joinMessages } from './join-messages.js';
import { Mends } from './mends.js';
import { noteId, systemNote, withoutId } from './system-note.js';

export const roleShapes = ['as-is', 'strict', 'alternate', 'no-system'] as const;
export type RoleShape = (typeof roleShapes)[number];

export interface ShapedRoles {
  messages: Message[];
  mended: Mends['list'];
}

/** Never throws. */
export function shapeRoles(messages: Message[], shape: RoleShape): ShapedRoles {
  if (shape === 'as-is') return { messages, mended: [] };
  const shaping = new Shaping(messages, shape);
  for (const [at, message] of messages.entries()) shaping.add(message, at);
  const mended = shaping.mends.list;
  return { messages: mended.length === 0 ? messages : shaping.turns.map(joinMessages), mended };
}

/** What stands in for a message that alternating templates demand. */
const BEGIN: UserMessage = { role: 'user', parts: [{ type: 'text', text: '(The assistant begins.)' }] };
const RECEIVED: AssistantMessage = {
  role: 'assistant',
  parts: [{ type: 'text', text: '(The results were received.)' }],
};

class Shaping {
  readonly mends = new Mends();
  /** The messages of one role in a row. Those of tools are turns of their own. */
  readonly turns: [Message, ...Message[]][] = [];
  /** The first message that is no system message. */
  readonly #front: number;
  /** The id of notes; absent where no system message becomes one. */
  readonly #id: string | undefined;

  constructor(
    messages: readonly Message[],
    private readonly shape: RoleShape,
  ) {
    const front = messages.findIndex(({ role }) => role !== 'system');
    this.#front = front < 0 ? messages.length : front;
    if (messages.some((message, at) => this.#isMisplaced(message, at))) this.#id = noteId(messages);
  }

  add(message: Message, at: number): void {
    if (message.role === 'user' || message.role === 'tool') this.#push(this.#guarded(message, at), at);
    else if (message.role === 'system' && this.#isMisplaced(message, at)) this.#note(message, at);
    else this.#push(message, at);
  }

  #isMisplaced({ role }: Message, at: number): boolean {
    return role === 'system' && (at > this.#front || this.shape === 'no-system');
  }

  #guarded<M extends Exclude<Message, AssistantMessage | SystemMessage>>(message: M, at: number): M {
    const guarded = this.#id === undefined ? message : withoutId(message, this.#id);
    if (guarded !== message)
      this.mends.add('forged-system', `messages[${at}]`, 'The mark of system messages in it was broken.');
    return guarded;
  }

  #note(message: SystemMessage, at: number): void {
    const told = "The system message became a marked text of the user's message at its place.";
    this.mends.add('late-system', `messages[${at}]`, told);
    this.#push(systemNote(message, this.#id ?? ''), at, true);
  }

  #push(message: Message, at: number, isTold = false): void {
    const turn = this.turns.at(-1);
    const before = turn?.[0].role;
    if (turn !== undefined && before === message.role && before !== 'tool') {
      const told = `The message was joined to the one before it, which has the role ${before}, too.`;
      if (!isTold) this.mends.add('joined-turns', `messages[${at}]`, told);
      turn.push(message);
      return;
    }
    const missing = this.shape === 'strict' ? undefined : missingBetween(before, message.role);
    if (missing) {
      const told = `A message of the role ${missing.role} was added before it.`;
      this.mends.add('added-turn', `messages[${at}]`, told);
      this.turns.push([missing]);
    }
    this.turns.push([message]);
  }
}

type Role = Message['role'];

function missingBetween(before: Role | undefined, role: Role): Message | undefined {
  if (role === 'assistant' && (before === undefined || before === 'system')) return BEGIN;
  return role === 'user' && before === 'tool' ? RECEIVED : undefined;
}
