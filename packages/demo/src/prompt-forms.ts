// How each dialect spells results, and how its prompts mark turns: what a model knows by training. Of dialects that
// have no prompt of their own, it is learnt (learnt-results.ts).

import { isObject } from '@dragoman/core/internal';
import { jsonObjects, stringEnd } from './json-values.js';
import type { Turn } from './read-turns.js';

interface ReadResult {
  /** Where the dialect has ids. */
  id?: string;
  text: string;
}

export interface ResultForm {
  /** Markers in results are broken, as they are in all text; otherwise the form escapes them in its own way. */
  broken: boolean;
  /**
   * The results that `text` begins with, and where they end; nothing where it begins with none. `answersCalls`: the
   * turn before made calls, which tells where a dialect writes results as nothing but their text.
   */
  read(text: string, answersCalls: () => boolean): { results: ReadResult[]; end: number } | undefined;
}

/** A token of a prompt, and who speaks behind it. `ends`: it belongs to what stands before it. `opens`: behind. */
export interface TurnToken {
  token: string;
  role: Turn['role'];
  keep?: 'ends' | 'opens';
}

export interface PromptForm {
  dialect: string;
  results: ResultForm;
  turns: readonly TurnToken[];
}

// --- results -------------------------------------------------------------------------------------------

/** `open`…`close`, one after the other, with white space and the tags of a wrapper between them. */
function tagged(
  open: string,
  close: string,
  line: '\n' | '' = '',
  wrapper: readonly string[] = [],
): ResultForm {
  const read: ResultForm['read'] = (text) => {
    const results: ReadResult[] = [];
    let end = 0;
    for (let at = skip(text, 0, wrapper); text.startsWith(open + line, at); at = skip(text, end, wrapper)) {
      const start = at + open.length + line.length;
      const close_ = text.indexOf(line + close, start - line.length);
      if (close_ < 0) break;
      results.push({ text: text.slice(start, Math.max(start, close_)) });
      end = close_ + line.length + close.length;
    }
    return results.length > 0 ? { results, end: skip(text, end, wrapper) } : undefined;
  };
  return { broken: true, read };
}

function skip(text: string, from: number, words: readonly string[]): number {
  let at = from;
  for (;;) {
    while (at < text.length && text.charAt(at).trim() === '') at++;
    const word = words.find((one) => text.startsWith(one, at));
    if (word === undefined) return at;
    at += word.length;
  }
}

/** <tools_return> [{"name", "id", "return"}] </tools_return> */
const returned: ResultForm = {
  broken: false,
  read(text) {
    const close = '</tools_return>';
    const end = text.trimStart().startsWith('<tools_return>') ? text.indexOf(close) : -1;
    if (end < 0) return undefined;
    const results = jsonObjects(text.slice(0, end)).flatMap((item): ReadResult[] => {
      if (!isObject(item) || typeof item.return !== 'string') return [];
      return [{ text: item.return, ...(typeof item.id === 'string' && { id: item.id }) }];
    });
    return { results, end: end + close.length };
  },
};

/** !unquote_start <tool_resp id="abcd" #r1> … </#r1> !unquote_end */
const unquoted: ResultForm = {
  broken: false,
  read(text) {
    const results: ReadResult[] = [];
    const open = '<tool_resp id=';
    let at = skip(text, 0, ['!unquote_start']);
    while (text.startsWith(open, at)) {
      const idEnd = stringEnd(text, at + open.length);
      const head = text.indexOf('>\n', idEnd);
      const marker = text.slice(idEnd, head).trim();
      const close = head < 0 ? -1 : text.indexOf(`\n</${marker}>`, head + 1);
      if (close < 0) break;
      const id = text.slice(at + open.length + 1, idEnd - 1);
      results.push({ id, text: text.slice(head + 2, Math.max(head + 2, close)) });
      at = skip(text, close + marker.length + 4, ['!unquote_end']);
    }
    return results.length > 0 ? { results, end: at } : undefined;
  },
};

const responses = tagged('<tool_response>', '</tool_response>', '\n');

// --- turns ---------------------------------------------------------------------------------------------

const roles = ['system', 'user', 'assistant'] as const;

const chatml: TurnToken[] = [
  ...[...roles, 'tool' as const].map((role) => ({ token: `<|im_start|>${role}\n`, role })),
  { token: '<|startoftext|>', role: 'system' },
  { token: '<|im_end|>', role: 'system' },
];

const glm: TurnToken[] = [
  ...roles.map((role) => ({ token: `<|${role}|>`, role })),
  { token: '<|observation|>', role: 'user' },
  { token: '[gMASK]<sop>', role: 'system' },
];

/** Behind the end of an answer stands what its calls gave. */
const deepseek: TurnToken[] = [
  { token: '<｜begin▁of▁sentence｜>', role: 'system' },
  { token: '<｜System｜>', role: 'system' },
  { token: '<｜User｜>', role: 'user' },
  { token: '<｜Assistant｜>', role: 'assistant' },
  { token: '<｜end▁of▁sentence｜>', role: 'user' },
];

// --- the list ------------------------------------------------------------------------------------------

export const promptForms: readonly PromptForm[] = [
  { dialect: 'alkaid', results: returned, turns: [] },
  { dialect: 'xnl', results: unquoted, turns: [] },
  { dialect: 'glm-4.5', results: responses, turns: glm },
  { dialect: 'glm-4.7', results: tagged('<tool_response>', '</tool_response>'), turns: glm },
  { dialect: 'hermes', results: responses, turns: chatml },
  { dialect: 'qwen3-coder', results: responses, turns: chatml },
  {
    dialect: 'deepseek-v3.1',
    results: tagged('<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'),
    turns: [
      ...deepseek,
      { token: '<｜tool▁output▁begin｜>', role: 'user', keep: 'opens' },
      { token: '<｜tool▁output▁end｜>', role: 'assistant', keep: 'ends' },
    ],
  },
  {
    dialect: 'deepseek-v3.2',
    results: tagged('<result>', '</result>', '', ['<function_results>', '</function_results>']),
    turns: [...deepseek, { token: '</function_results>', role: 'assistant', keep: 'ends' }],
  },
  { dialect: 'deepseek-v4', results: tagged('<tool_result>', '</tool_result>'), turns: deepseek },
  { dialect: 'deepseek-v4.1', results: tagged('<tool_result>', '</tool_result>'), turns: deepseek },
];

/** Tokens of all prompts, for one that teaches no dialect. */
export const allTurns: readonly TurnToken[] = [...chatml, ...glm, ...deepseek];
