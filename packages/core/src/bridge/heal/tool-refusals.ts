// Recognises errors by which an upstream refuses tools. There is no code for it: every server has its own words, and the
// same words occur in errors about one bad tool, which a request without tools would only hide.

import type { ApiError, ApiErrorCode } from '../../model/index.js';

/** Codes and statuses that mean something else, whatever the message. */
const otherCodes: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>([
  'unauthorized',
  'forbidden',
  'too-large',
  'context-too-long',
  'rate-limited',
  'upstream-timeout',
  'overloaded',
]);
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 408, 413, 429, 503, 504]);

/** Phrases that are only about tools: vLLM, llama.cpp, OpenRouter, and servers built on SGLang. */
const plain = [
  '--enable-auto-tool-choice',
  '--tool-call-parser',
  'tools param requires --jinja',
  'no endpoints found that support tool',
  'unsupported tool_call_parser',
];

const negations = [
  'not support', // does not support, not supported
  "n't support",
  'n`t support',
  'not currently support',
  'not yet support',
  'no support for',
  'unsupported',
  'not enabled',
  'not permitted',
  'cannot use',
  'unrecognized',
  'unknown param',
  'unknown field',
  'unknown name',
  '不支持',
];

/** What is refused: tools as such, and not one tool, a result or a schema. */
const subjects = [
  'tools',
  'tool use',
  'tool call',
  'tool calls',
  'tool calling',
  'tool choice',
  'function call',
  'function calls',
  'function calling',
  'functions',
  '工具调用',
  '工具',
  '函数调用',
];

/** Words that show that only a part is refused, or one tool. */
const parts = ['parallel', 'strict', 'schema', 'keyword', 'propert', ' type', 'image', 'role'];

/** How far apart subject and negation may be, in characters. */
const REACH = 60;
/** Only the start of a long error is read. */
const LONGEST = 4000;

export function refusesTools(error: ApiError): boolean {
  if (error.code === 'tools-refused') return true;
  if (otherCodes.has(error.code) || (error.status !== undefined && otherStatuses.has(error.status)))
    return false;
  const message = error.message.slice(0, LONGEST).toLowerCase();
  if (plain.some((words) => message.includes(words))) return true;
  return negations.some((negation) =>
    placesOf(message, negation).some((at) => isAboutTools(message, at, negation)),
  );
}

/** Whether the clause before or after a negation names tools. */
function isAboutTools(message: string, at: number, negation: string): boolean {
  const end = at + negation.length;
  const before = lastClause(message.slice(Math.max(0, at - REACH), at));
  const behind = firstClause(message.slice(end, end + REACH));
  return [before, behind].some(
    (clause) => namesTools(clause) && !parts.some((part) => clause.includes(part)),
  );
}

function namesTools(clause: string): boolean {
  const spaced = clause.replaceAll('_', ' ').replaceAll('-', ' ');
  return subjects.some((subject) =>
    placesOf(spaced, subject).some(
      (at) => !isWord(clause.charAt(at - 1)) && !goesOn(clause, at + subject.length),
    ),
  );
}

/** Whether the subject is part of a path or a longer word: `tools[0].name`, `tools.0.name`, `tool_calls_x`. */
function goesOn(clause: string, at: number): boolean {
  const next = clause.charAt(at);
  return isWord(next) || next === '[' || (next === '.' && isWord(clause.charAt(at + 1)));
}

function isWord(character: string): boolean {
  return /^[a-z0-9_]$/.test(character);
}

function firstClause(text: string): string {
  return text.split(/[;\n]|\. /, 1)[0] ?? '';
}

function lastClause(text: string): string {
  return text.split(/[;\n]|\. /).at(-1) ?? '';
}

function placesOf(text: string, words: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) places.push(at);
  return places;
}
