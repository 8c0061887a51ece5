// How much of each prompt of a conversation the next one begins with, and what breaks it: an upstream reads everything
// behind the break again.

import { acceptConversation, type Dialect, type ExactValue, readTurn } from '@dragoman/core';
import {
  type AssistantMessage,
  callsOf,
  commonPrefix,
  copyWritten,
  type Message,
} from '@dragoman/core/internal';
import { CommandError } from './command-error.js';

type Render = (messages: readonly Message[], generate: boolean) => Promise<string>;

export interface PrefixStep {
  /** From 1. */
  turn: number;
  /** The place of the turn among the messages, from 1. */
  message: number;
  /** The characters of the prompt, and of the model's own words behind it, where they are known. */
  prompt: number;
  words?: number;
  /** How many of both the next prompt begins with. */
  stable: number;
  broken?: PrefixBreak;
}

interface PrefixBreak {
  /** The message that is written otherwise, from 1. */
  message: number;
  role: Message['role'];
  /** `reasoning`: the template leaves it out; `beginning`: a prompt begins an answer otherwise; `words`; `text`. */
  cause: 'reasoning' | 'beginning' | 'words' | 'text';
  was: string;
  is: string;
}

/** A conversation whose turns may have the words of the model. */
export interface PrefixConversation {
  messages: readonly Message[];
  /** What the model wrote, by the place of the message. */
  words: ReadonlyMap<number, string>;
  tools: readonly unknown[];
}

/**
 * Reads the member `written` of assistant messages by the dialect, behind the prompt that `render` makes. Throws a
 * CommandError if it cannot be read.
 */
export function readWritten(
  request: ExactValue,
  dialect: Dialect | undefined,
  render: (conversation: object) => string,
): PrefixConversation {
  const { messages, tools } = acceptConversation(request);
  const words = new Map<number, string>();
  const read: Message[] = [];
  for (const [at, message] of messages.entries()) {
    const written = message.role === 'assistant' ? message.extra?.written : undefined;
    if (typeof written !== 'string') {
      read.push(message);
      continue;
    }
    if (!dialect) throw new CommandError(`messages[${at}].written: a template has no reader; leave it out`);
    const open = dialect.traits.reasoning?.open;
    const before = render({ messages: read, tools }).trimEnd();
    const thinking = open !== undefined && before.endsWith(open);
    const turn = readTurn(dialect, written, { tools, thinking });
    const [issue] = turn.issues;
    if (issue)
      throw new CommandError(
        `messages[${at}].written: ${issue.message} The gateway would not keep such a turn either; leave out written`,
      );
    words.set(at, written);
    read.push(withIds(turn.message, message, at));
  }
  return { messages: read, words, tools };
}

/** Gives the turn with the ids of the message's calls, by which results are found. */
function withIds(turn: AssistantMessage, given: Message, at: number): Message {
  const [read, sent] = [callsOf(turn), callsOf(given)];
  if (sent.length === 0) return turn;
  if (read.length !== sent.length || read.some(({ name }, place) => name !== sent[place]?.name))
    throw new CommandError(
      `messages[${at}]: written has other calls than tool_calls; leave out one of the two`,
    );
  const ids = new Map(read.map(({ id }, place) => [id, sent[place]?.id ?? id]));
  const parts = turn.parts.map((part) =>
    part.type === 'tool-call' ? { ...part, id: ids.get(part.id) ?? part.id } : part,
  );
  return copyWritten(turn, { ...turn, parts });
}

export async function explainPrefix(
  { messages, words }: PrefixConversation,
  render: Render,
): Promise<PrefixStep[]> {
  const starts = messages.flatMap(({ role }, at) =>
    role === 'assistant' && messages[at - 1]?.role !== 'assistant' ? [at] : [],
  );
  const isOpen = messages.at(-1)?.role !== 'assistant';
  const ends = isOpen ? [...starts, messages.length] : starts;
  const prompts = await Promise.all(ends.map((end) => render(messages.slice(0, end), true)));
  const steps: PrefixStep[] = [];
  for (const [at, start] of starts.entries()) {
    const [prompt, next] = [prompts[at] ?? '', prompts[at + 1]];
    if (next === undefined) break;
    const said = words.get(start);
    const whole = prompt + (said ?? '');
    const stable = commonPrefix(whole, next);
    const step = { turn: at + 1, message: start + 1, prompt: prompt.length, stable };
    const broken =
      stable < whole.length && (await findBreak({ messages, start, prompt, whole, next, stable, render }));
    steps.push({ ...step, ...(said !== undefined && { words: said.length }), ...(broken && { broken }) });
  }
  return steps;
}

interface Broken {
  messages: readonly Message[];
  /** The turn that follows the prompt. */
  start: number;
  prompt: string;
  whole: string;
  next: string;
  stable: number;
  render: Render;
}

const SHOWN = 40;

async function findBreak(broken: Broken): Promise<PrefixBreak> {
  const { messages, whole, next, stable } = broken;
  const at = await messageAt(broken);
  const { role } = messages[at] as Message;
  const shown = (text: string) => text.slice(stable, stable + SHOWN);
  return { message: at + 1, role, cause: causeOf(broken, at), was: shown(whole), is: shown(next) };
}

/** Finds the message that the break is in. */
async function messageAt({ start, prompt, stable, messages, render }: Broken): Promise<number> {
  if (stable >= prompt.length) return start;
  for (let at = 0; at < start; at++) {
    const length = (await render(messages.slice(0, at + 1), false)).length;
    if (length > stable) return at;
  }
  return start;
}

function causeOf({ messages, start, prompt, next, stable }: Broken, at: number): PrefixBreak['cause'] {
  const thought = reasoningIn(messages[at] as Message);
  if (thought !== '' && !next.includes(thought)) return 'reasoning';
  if (at < start) return 'text';
  return stable < prompt.length ? 'beginning' : 'words';
}

function reasoningIn({ parts }: Message): string {
  const texts = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  return texts.join('').trim().slice(0, SHOWN);
}

// --- what is shown -------------------------------------------------------------------------------------

const CAUSES: Record<PrefixBreak['cause'], string> = {
  reasoning: 'its reasoning is left out',
  beginning: 'the template writes a finished answer differently from the start that a prompt gives it',
  words: 'it is not written as the model wrote it',
  text: 'it is written differently in the next prompt',
};

export function showPrefix(steps: readonly PrefixStep[], mark: (text: string) => string): string[] {
  if (steps.length === 0)
    return ['There is one prompt only: add an answer of the assistant and what follows it.'];
  const lines = steps.flatMap(({ turn, message, prompt, words = 0, stable, broken }) => {
    const whole = prompt + words;
    const share = stable === whole ? 'all of it stays' : `${count(stable)} stay (${percent(stable, whole)})`;
    const head = `turn ${turn}  message ${message}  ${count(whole)} characters, ${share}`;
    if (!broken) return [head];
    const why = `from message ${broken.message} (${broken.role}) on: ${CAUSES[broken.cause]}`;
    const pieces = `was ${JSON.stringify(broken.was)}, is ${JSON.stringify(broken.is)}`;
    return [head, `        ${mark(why)}`, `        ${pieces}`];
  });
  return [...lines, '', summary(steps)];
}

function summary(steps: readonly PrefixStep[]): string {
  const whole = steps.reduce((sum, { prompt, words = 0 }) => sum + prompt + words, 0);
  const stable = steps.reduce((sum, step) => sum + step.stable, 0);
  const kept = steps.filter(({ broken }) => !broken).length;
  return `${kept} of ${steps.length} prompts stay whole; ${percent(stable, whole)} of their characters need not be read again.`;
}

const count = (n: number) => n.toLocaleString('en-US');
const percent = (part: number, whole: number) => `${whole === 0 ? 100 : Math.floor((100 * part) / whole)} %`;

/** The text of messages for a chat endpoint, as far as a prefix goes. */
export function messagesText(
  messages: readonly { role: string; content: string }[],
  generate: boolean,
): string {
  const texts = messages.map(({ role, content }) => `${role}\n${content}\n`);
  return texts.join('') + (generate ? 'assistant\n' : '');
}
