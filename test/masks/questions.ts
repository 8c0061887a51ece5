// The questions of the masks: five conversations in every dialect that has a whole prompt, and each turn of them in the
// dialects whose templates write old turns otherwise. What the model writes is found here without the mask, from
// prompts: what `renderPrompt` adds to the prompt of a turn when its answer is there. What some models stop with at the
// end of a row, which no prompt has, stands here as the vendors document it.

import { readFileSync } from 'node:fs';
import {
  acceptConversation,
  type Conversation,
  type Dialect,
  dialects,
  findDialect,
  renderPrompt,
} from '@dragoman/core/internal';
import { readyForPrompt } from '../../packages/convert/src/text/ready-text.js';

const names = ['one-call', 'parallel-calls', 'several-turns', 'unicode', 'reasoning'];
const folder = new URL('../../packages/core/corpus/conversations/', import.meta.url);

export interface MaskQuestion {
  dialect: string;
  conversation: string;
  way: Way;
  /** What the template writes and what the model writes, in turn. Undefined: why there is none. */
  pieces: string[] | undefined;
  why?: string;
}

function readConversation(name: string): Conversation {
  const { about: _, ...request } = JSON.parse(
    readFileSync(new URL(`${name}/conversation.json`, folder), 'utf8'),
  );
  return acceptConversation(request);
}

export function maskQuestions(): MaskQuestion[] {
  const prompting = dialects.filter(({ render }) => render.prompt);
  return [
    ...prompting.flatMap((dialect) => names.map((name) => question(dialect, name))),
    ...Object.keys(turnFrames).flatMap((name) =>
      names.flatMap((one) => turnQuestions(findDialect(name), one)),
    ),
  ];
}

/** Ways to ask: the whole conversation, one with reasoning in every answer, and both up to the first answer. */
const ways = ['whole', 'first answer', 'reasoning', 'first answer with reasoning'] as const;

/** Or one answer, as a sample of `--per-turn` has it. */
export type Way = (typeof ways)[number] | `turn ${number}`;

function question(dialect: Dialect, name: string): MaskQuestion {
  const asked = { dialect: dialect.name, conversation: name };
  let why = '';
  for (const way of ways) {
    const pieces = piecesOf(dialect, conversationFor(dialect, name, way));
    if (typeof pieces !== 'string') return { ...asked, way, pieces };
    why ||= pieces;
  }
  return { ...asked, way: 'whole', pieces: undefined, why };
}

export function conversationFor(dialect: Dialect, name: string, way: Way): Conversation {
  const conversation = readConversation(name);
  const { messages } = conversation;
  const first = messages.findIndex(({ role }) => role === 'assistant') + 1;
  const kept = way.startsWith('first') ? messages.slice(0, first) : messages;
  const thought = kept.map((message) =>
    message.role === 'assistant' && !message.parts.some(({ type }) => type === 'reasoning')
      ? { ...message, parts: [{ type: 'reasoning' as const, text: 'I look it up.' }, ...message.parts] }
      : message,
  );
  const asked = { ...conversation, messages: way.endsWith('reasoning') ? thought : kept };
  return readyForPrompt(dialect, asked);
}

/** Gives the options that a row is written with. Thinking is on if an answer has reasoning, in all dialects. */
export function optionsOf({ messages }: Conversation): { generate: boolean; thinking: boolean } {
  const thinking = messages.some(
    ({ role, parts }) => role === 'assistant' && parts.some(({ type }) => type === 'reasoning'),
  );
  return { generate: messages.at(-1)?.role !== 'assistant', thinking };
}

/** What templates write behind an answer where the model writes none of its stop strings. */
const unlearnt = ['<|end|>'];

/** What models stop with at the end of a row, where the template writes nothing: behind a text, and behind calls. */
const lastEnds: Readonly<Record<string, readonly [string, string]>> = {
  'glm-4.5': ['<|user|>', '<|observation|>'],
  'glm-4.7': ['<|user|>', '<|observation|>'],
  apertus: ['<|assistant_end|>', ''],
  'solar-open': ['<|flush|>', ''],
};

function endOf({ name }: Dialect, messages: Conversation['messages'], at: number): string {
  const [behindText, behindCalls] = lastEnds[name] ?? ['', ''];
  if (at < messages.length - 1) return '';
  return messages[at]?.parts.some(({ type }) => type === 'tool-call') ? behindCalls : behindText;
}

/** gpt-oss stops behind each call, and a prompt begins the next one. */
const STOPPED = '<|call|>';
const AGAIN = '<|start|>assistant';

/** Gives what the model writes of an answer, and what the template writes between. */
function stretchesOf(answer: string): string[] {
  const written = answer.split(STOPPED + AGAIN);
  return written.flatMap((text, at) => (at < written.length - 1 ? [text + STOPPED, AGAIN] : [text]));
}

function piecesOf(dialect: Dialect, conversation: Conversation): string[] | string {
  const { messages } = conversation;
  const options = optionsOf(conversation);
  const upTo = (end: number, generate: boolean) =>
    renderPrompt(dialect, { ...conversation, messages: messages.slice(0, end) }, { ...options, generate });
  const { text: whole, stop } = renderPrompt(dialect, conversation, options);
  const pieces: string[] = [];
  let done = 0;
  for (const [at, { role }] of messages.entries()) {
    if (role !== 'assistant') continue;
    const prompt = upTo(at, true).text;
    const then = upTo(at + 1, false).text;
    if (!whole.startsWith(prompt) || !then.startsWith(prompt))
      return 'the template begins an answer otherwise than its prompt does';
    // A stop string that the next turn begins with is only in the whole prompt.
    const written = whole.startsWith(then) ? then : undefined;
    if (written === undefined) return 'the template writes a finished answer otherwise';
    const said = written.slice(prompt.length);
    const ends = stop.flatMap((token) =>
      [said.lastIndexOf(token)].filter((found) => found >= 0).map((found) => found + token.length),
    );
    const behind = stop.find((token) => whole.startsWith(token, written.length));
    const plain = unlearnt.reduce(
      (text, token) => (text.endsWith(token) ? text.slice(0, -token.length) : text),
      said,
    );
    const own = endOf(dialect, messages, at);
    if (ends.length === 0 && own !== '')
      return [...pieces, whole.slice(done, prompt.length), plain + own, ''];
    const end = ends.length > 0 ? Math.max(...ends) : plain.length + (behind?.length ?? 0);
    const answer = whole.slice(prompt.length, prompt.length + end);
    pieces.push(whole.slice(done, prompt.length), ...stretchesOf(answer));
    done = prompt.length + end;
  }
  return [...pieces, whole.slice(done)];
}

// --- one answer --------------------------------------------------------------------------------------------------

/** What the template writes between the messages before a finished answer and the answer, where no prompt ends so. */
const turnFrames: Readonly<Record<string, readonly string[]>> = {
  hermes: [],
  apertus: ['<|assistant_start|>', ''],
  'deepseek-v3.1': ['<｜Assistant｜></think>', ''],
  nemotron: ['<SPECIAL_11>Assistant\n'],
};

/** The prompts that begin reasoning which the template leaves out of a finished answer: the model closes it. */
const OPEN = /<think>\n?$/;
const CLOSE = '</think>';

function turnQuestions(dialect: Dialect, name: string): MaskQuestion[] {
  const conversation = conversationFor(dialect, name, 'whole');
  const { messages } = conversation;
  const answers = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
  return answers.map((at, nth) => ({
    dialect: dialect.name,
    conversation: name,
    way: `turn ${nth + 1}`,
    pieces: turnPieces(dialect, conversation, at),
  }));
}

/** Gives the prompt of an answer, and what the model writes behind it. */
function turnPieces(dialect: Dialect, conversation: Conversation, at: number): string[] {
  const { messages } = conversation;
  const options = optionsOf(conversation);
  const upTo = (end: number, generate: boolean) =>
    renderPrompt(dialect, { ...conversation, messages: messages.slice(0, end) }, { ...options, generate });
  const prompt = upTo(at, true).text;
  const { text: then, stop } = upTo(at + 1, false);
  const ended = (said: string) => {
    const ends = stop.flatMap((token) =>
      said.includes(token) ? [said.lastIndexOf(token) + token.length] : [],
    );
    if (ends.length > 0) return said.slice(0, Math.max(...ends));
    return said + endOf(dialect, messages.slice(0, at + 1), at);
  };
  if (then.startsWith(prompt)) return [prompt, ended(then.slice(prompt.length))];
  const before = upTo(at, false).text;
  const head = turnFrames[dialect.name]?.find((one) => then.startsWith(before + one));
  if (head === undefined)
    throw new Error(`${dialect.name}: no answer behind ${JSON.stringify(before.slice(-100))}`);
  const said = then.slice(before.length + head.length);
  const thoughts =
    messages[at]?.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])) ?? [];
  return [prompt, ended(OPEN.test(prompt) ? thoughts.join('') + CLOSE + said : said)];
}
