// Learns from a dialect's renderer how it lays out a prompt: a few conversations with placeholder texts are rendered,
// and the text around the placeholders is the layout. So a dialect declares nothing twice, and a new one declares only
// what cannot be learnt (how to read a prompt back: see read-back.ts of each).

import type { Dialect, Message, RenderOptions, TaughtFrame, Tool } from '@dragoman/core/internal';
import { probeTools, renderPrompt, taughtFrames, Writer } from '@dragoman/core/internal';
import { splitTurns } from './split-turns.js';

export interface Layout {
  /** The text around the tool definitions, for each variant of the tool instructions. */
  taught: readonly TaughtFrame[];
  /** For dialects that have a prompt. */
  prompt?: PromptLayout;
}

export interface PromptLayout {
  /** The text between the tags and the reasoning, and between the reasoning and the answer's text. */
  opened: string;
  closed: string;
  gap: string;
  /** The text after the answer's text, where a frame around it ends. */
  tail: string;
  /** The text after a user's message where thinking is off. */
  userTail: string;
  /** The text before the first system text, for each set of options that adds one. */
  leads: readonly { options: RenderOptions; text: string }[];
  /** The text between a system text and the tools after it. */
  beforeTools: string;
  /**
   * The prompt that the dialect writes for an empty conversation, or one without a system text: with tools, and
   * without.
   */
  unsaid: string;
}

// Private-use characters as placeholders: no template trims, changes or writes them.
const A = '\uE0A1';
const B = '\uE0B2';

/** Separates a system text from the tool instructions, where nothing else is known. */
export const USUAL_GAP = '\n\n';

const layouts = new WeakMap<Dialect, Layout>();

export function layoutOf(dialect: Dialect): Layout {
  const known = layouts.get(dialect);
  if (known) return known;
  const layout = learn(dialect);
  layouts.set(dialect, layout);
  return layout;
}

function learn(dialect: Dialect): Layout {
  const { prompt } = dialect.render;
  const back = dialect.render.back;
  return {
    taught: taughtFrames(dialect),
    ...(prompt && back?.turns && { prompt: learnPrompt(dialect) }),
  };
}

// --- tool instructions ---------------------------------------------------------------------------------

/** The last instructions are cached: reading a row and checking it need the same ones. */
let last: { dialect: Dialect; tools: readonly Tool[]; options: RenderOptions; out: Writer } | undefined;

export function writeInstructions(dialect: Dialect, tools: readonly Tool[], options: RenderOptions): Writer {
  const isLast =
    last?.dialect === dialect &&
    last.options === options &&
    last.tools.length === tools.length &&
    tools.every((tool, at) => tool === last?.tools[at]);
  if (last && isLast) return last.out;
  const out = new Writer(dialect.markers, options.safety);
  dialect.render.instructions(out, tools, options);
  last = { dialect, tools: [...tools], options, out };
  return out;
}

// --- prompts -------------------------------------------------------------------------------------------

function learnPrompt(dialect: Dialect): PromptLayout {
  return {
    ...learnReasoning(dialect),
    userTail: learnUserTail(dialect),
    leads: learnLeads(dialect),
    beforeTools: learnBeforeTools(dialect),
    unsaid: [
      ...probeTools.map((tools) => probe(dialect, [], {}, tools)),
      probe(dialect, [say('user', A)], {}),
    ].join('\n'),
  };
}

function learnReasoning(dialect: Dialect): Pick<PromptLayout, 'opened' | 'closed' | 'gap' | 'tail'> {
  const { reasoning } = dialect.traits;
  const answer: Message = {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: A },
      { type: 'text', text: B },
    ],
  };
  const prompt = probe(dialect, [say('user', 'u'), answer], { thinking: true });
  const tail = learnTail(dialect, prompt);
  if (!reasoning) return { opened: '', closed: '', gap: '', tail };
  const { open, close } = reasoning;
  const at = prompt.indexOf(A);
  const text = prompt.indexOf(B);
  const shut = prompt.lastIndexOf(close, text);
  const start = prompt.lastIndexOf(open, at);
  return {
    opened: at < 0 || start < 0 ? '' : prompt.slice(start + open.length, at),
    closed: at < 0 ? '' : prompt.slice(at + A.length, prompt.indexOf(close, at)),
    gap: shut < 0 ? '' : prompt.slice(shut + close.length, text),
    tail,
  };
}

function learnTail(dialect: Dialect, prompt: string): string {
  const { textFrame } = dialect.traits;
  const tail = splitTurns(prompt, dialect.render.back?.turns ?? []).find(({ text }) => text.includes(B));
  return textFrame && tail ? (tail.text.split(B)[1] ?? '') : '';
}

function learnUserTail(dialect: Dialect): string {
  const prompt = probe(dialect, [say('user', A)], { thinking: false });
  return textBehind(dialect, prompt, 'user');
}

function learnLeads(dialect: Dialect): PromptLayout['leads'] {
  const leads: { options: RenderOptions; text: string }[] = [];
  for (const options of templateOptions(dialect).map((one) => ({ ...one, thinking: true }))) {
    const turns = splitTurns(probe(dialect, [say('system', A)], options), dialect.render.back?.turns ?? []);
    const text = turns.find((turn) => turn.text.includes(A))?.text.split(A)[0] ?? '';
    if (text !== '' && !leads.some((lead) => lead.text === text)) leads.push({ options, text });
  }
  // The longest first: one may be the beginning of another.
  return leads.sort((a, b) => b.text.length - a.text.length);
}

function learnBeforeTools(dialect: Dialect): string {
  const prompt = probe(dialect, [say('system', A), say('user', B)], {}, probeTools[0]);
  const behind = prompt.slice(prompt.indexOf(A) + A.length);
  const [{ before } = { before: '' }] = taughtFrames(dialect);
  const gap = before === '' ? '' : behind.slice(0, Math.max(0, behind.indexOf(before)));
  return gap !== '' && gap.trim() === '' ? gap : USUAL_GAP;
}

/** Gives the vendor's default, then the other template options its prompts may have been written with. */
export function templateOptions(dialect: Dialect): RenderOptions[] {
  return [{}, ...(dialect.render.back?.templates ?? []).map((template) => ({ template }))];
}

function textBehind(dialect: Dialect, prompt: string, role: Message['role']): string {
  const turns = splitTurns(prompt, dialect.render.back?.turns ?? []);
  return turns.find((turn) => turn.role === role)?.text.split(A)[1] ?? '';
}

function probe(
  dialect: Dialect,
  messages: Message[],
  options: RenderOptions,
  tools: readonly Tool[] = [],
): string {
  const conversation = { messages, tools, toolChoice: 'auto' };
  return renderPrompt(dialect, conversation, { ...options, generate: false }).text;
}

function say(role: 'system' | 'user', text: string): Message {
  return { role, parts: [{ type: 'text', text }] };
}
