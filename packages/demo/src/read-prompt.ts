// What a model sees in what it is given: the dialect it is taught, the tools, and who said what.

import { all, type Dialect, type Tool } from '@dragoman/core';
import type { UpstreamRequest } from '@dragoman/core/bridge';
import { callsIn } from './calls-in.js';
import { learnResults } from './learnt-results.js';
import { allTurns, type PromptForm, promptForms, type TurnToken } from './prompt-forms.js';
import { readTools } from './read-tools.js';
import { readTurns, type Turn } from './read-turns.js';
import { findTaughtFrame, type TaughtFrame } from './taught-frame.js';

export interface PromptReading {
  /** Absent where no dialect is taught and none can be told from the results. */
  dialect?: Dialect;
  form?: PromptForm;
  tools: Tool[];
  turns: Turn[];
  /** The answer begins inside the reasoning. */
  opensReasoning: boolean;
}

type Known = Pick<PromptReading, 'dialect' | 'form'>;

export function readPrompt(
  request: UpstreamRequest,
  dialects: readonly Dialect[] = all.dialects,
): PromptReading {
  return request.prompt === undefined
    ? readChat(chatOf(request), dialects)
    : readCompletion(request.prompt, dialects);
}

function chatOf({ conversation }: UpstreamRequest): Turn[] {
  return conversation.messages.flatMap((message): Turn[] => {
    const text = message.parts.map(textOf).join('');
    return [{ role: message.role, text }];
  });
}

function textOf(part: UpstreamRequest['conversation']['messages'][number]['parts'][number]): string {
  if (part.type === 'text') return part.text;
  return part.type === 'tool-result' && typeof part.output === 'string' ? part.output : '';
}

function readChat(turns: Turn[], dialects: readonly Dialect[]): PromptReading {
  const system = turns[0]?.role === 'system' ? turns[0].text : '';
  const frame = findTaughtFrame(system, dialects);
  if (!frame) return { tools: [], turns, opensReasoning: false, ...spokenIn(turns, dialects) };
  return { ...taught(frame, turns), turns, opensReasoning: false };
}

function readCompletion(prompt: string, dialects: readonly Dialect[]): PromptReading {
  const frame = findTaughtFrame(prompt, dialects);
  const opensReasoning = prompt.trimEnd().endsWith('<think>');
  if (!frame) {
    const turns = answerable(readTurns(prompt, anyTurns(dialects)));
    return { tools: [], turns, opensReasoning, ...spokenIn(turns, dialects) };
  }
  const known = taught(frame, []);
  const lead: Turn = { role: 'system', text: prompt.slice(0, frame.start) };
  const turns = readTurns(prompt.slice(frame.end), known.form?.turns ?? allTurns);
  return { ...known, turns: answerable([lead, ...turns]), opensReasoning };
}

function taught({ dialects, tools }: TaughtFrame, turns: readonly Turn[]): Known & { tools: Tool[] } {
  const [first] = dialects as [Dialect];
  const known = dialects.length > 1 ? spokenIn(turns, dialects) : {};
  const { dialect = first, form = formOf(first) } = known;
  return { dialect, form, tools: readTools(tools, dialect) };
}

const learnt = new Map<Dialect, PromptForm>();

function formOf(dialect: Dialect): PromptForm {
  const known = promptForms.find((one) => one.dialect === dialect.name) ?? learnt.get(dialect);
  if (known) return known;
  const form = { dialect: dialect.name, results: learnResults(dialect), turns: declaredTurns(dialect) };
  learnt.set(dialect, form);
  return form;
}

function declaredTurns({ render }: Dialect): readonly TurnToken[] {
  const declared = render.back?.turns?.map(({ token, role = 'system' }) => ({ token, role }));
  return declared ? longestFirst(declared) : allTurns;
}

/** Of a prompt that teaches no dialect, the tokens of all: those that are known here, and those others declare. */
function anyTurns(dialects: readonly Dialect[]): readonly TurnToken[] {
  const others = dialects.filter(({ name }) => !promptForms.some((form) => form.dialect === name));
  return longestFirst([...allTurns, ...others.flatMap(declaredTurns)]);
}

/** One may begin as another does. */
function longestFirst(tokens: readonly TurnToken[]): readonly TurnToken[] {
  return [...tokens].sort((a, b) => b.token.length - a.token.length);
}

/**
 * Without tools nothing is taught, but there may be results from before. Many dialects spell them alike: the one
 * in which the turn before made as many calls is meant.
 */
function spokenIn(turns: readonly Turn[], dialects: readonly Dialect[]): Known {
  let alike: Known = {};
  for (const [at, { role, text }] of turns.entries()) {
    const said = turns[at - 1];
    if ((role !== 'user' && role !== 'tool') || said?.role !== 'assistant') continue;
    for (const dialect of dialects) {
      const form = formOf(dialect);
      const calls = () => callsIn(said.text, dialect).length;
      const found = form.results.read(text, () => calls() > 0);
      if (found && calls() === found.results.length) return { form, dialect };
      if (found && !alike.form) alike = { form, dialect };
    }
  }
  return alike;
}

/** Without the opening of the answer that is asked for. */
function answerable(turns: Turn[]): Turn[] {
  const last = turns.at(-1);
  const blank = last?.text.replaceAll('<think>', '').replaceAll('</think>', '').trim() === '';
  return last?.role === 'assistant' && blank ? turns.slice(0, -1) : turns;
}
