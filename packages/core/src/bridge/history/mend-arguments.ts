// Mends the arguments of an earlier call that are no JSON object, or have a key twice.
//
// Engines read the arguments of every call of the history again, before they generate: what one model wrote once is
// refused with every later request.
//
//   vLLM        400 "Expecting ',' delimiter: line 1 column 54", "Unterminated string …"   vllm#43995, vllm#47761
//   llama.cpp   500 "Failed to parse tool call arguments as JSON", also for ''             llama.cpp#25510
//   SGLang      a list or a string: "'str object' has no attribute 'items'"                sglang#28035

import {
  ExactNumber,
  type ExactValue,
  isObject,
  stringifyJson,
  type ToolCall,
  toPlain,
  tryParseExact,
} from '../../model/index.js';
import { readJson } from '../../text/json.js';
import { hasDuplicates } from '../../wire/call-arguments.js';

export interface MendedCall {
  call: ToolCall;
  code: 'repaired-arguments' | 'replaced-arguments';
  /** What was done, for the report. */
  message: string;
  /** What the model is told in the result of the call, where its arguments are lost. */
  note?: string;
}

/** The most that is repeated of arguments that cannot be read, in characters. */
const SHOWN = 200;

/**
 * The most commas and brackets in arguments that are repaired. What is no JSON cannot be counted as JSON, so those in its
 * texts count, too. Reading these takes about 20 ms.
 */
const MOST_MARKS = 20_000;

/** The most characters of arguments that are repaired: more than a model writes, and than an answer may have. */
const LONGEST = 2 * 1024 * 1024;

/** Whether the arguments are not right. */
export function needMending({ broken, raw, input }: ToolCall): boolean {
  return broken !== undefined || (raw !== undefined && hasDuplicates(raw, input));
}

/** Undefined if the arguments are right. */
export function mendArguments(call: ToolCall): MendedCall | undefined {
  if (!needMending(call)) return undefined;
  const { broken, ...rest } = call;
  if (broken === undefined) return withoutDuplicates(rest);
  const read = readObject(broken);
  if (read !== undefined) return { call: { ...rest, ...inputOf(read.value) }, ...repaired(read.repairs) };
  const shown = broken.length > SHOWN ? `${broken.slice(0, SHOWN).toWellFormed()} …` : broken;
  return {
    call: { ...rest, input: {}, raw: '{}' },
    code: 'replaced-arguments',
    message: 'The arguments could not be read as a JSON object and were replaced by {}.',
    note: `The arguments of this call were not valid JSON and are left out. They were: ${shown}`,
  };
}

/** What a reader that takes the first of two equal keys would find was not checked. */
function withoutDuplicates(call: ToolCall): MendedCall {
  const value = tryParseExact(call.raw ?? '');
  const written = value === undefined ? { raw: JSON.stringify(call.input) } : inputOf(value);
  const message = 'A key was given twice in the arguments; the last one counts.';
  return { call: { ...call, ...written }, code: 'repaired-arguments', message };
}

function hasManyMarks(text: string): boolean {
  if (text.length <= MOST_MARKS) return false;
  let marks = 0;
  for (let at = 0; at < text.length && marks <= MOST_MARKS; at++)
    if (',[{'.includes(text.charAt(at))) marks++;
  return marks > MOST_MARKS;
}

function repaired(repairs: readonly string[]): Pick<MendedCall, 'code' | 'message'> {
  const how = repairs.length > 0 ? ` (${repairs.join(', ')})` : '';
  return {
    code: 'repaired-arguments',
    message: `The arguments were not the JSON text of an object, and were repaired${how}.`,
  };
}

interface ReadObject {
  value: ExactValue;
  /** The codes of the repairs, each once. */
  repairs: string[];
}

/** Reads text as one JSON object, leniently; also if it is the JSON of a string that holds the object. */
function readObject(text: string, nested = false): ReadObject | undefined {
  const encoded = nested ? undefined : stringIn(text);
  if (encoded !== undefined) return encodedObject(encoded);
  // Also of a text in the text: its brackets may have been written as escapes.
  if (hasManyMarks(text)) return undefined;
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return { value: {}, repairs: ['missing-arguments'] };
  const exact = tryParseExact(text);
  if (isObject(exact) && !(exact instanceof ExactNumber)) return { value: exact, repairs: [] };
  if (text.length > LONGEST) return undefined;
  const read = readJson(text);
  const value = read && tryParseExact(read.json);
  if (read === undefined || value === undefined) return undefined;
  if (typeof value === 'string') return nested ? undefined : encodedObject(value);
  if (!isObject(value) || value instanceof ExactNumber) return undefined;
  return { value, repairs: [...new Set(read.repairs.map(({ code }) => code))] };
}

/** The string whose JSON the text is. Many times as fast as the lenient reader, and with a tenth of its memory. */
function stringIn(text: string): string | undefined {
  if (!text.trimStart().startsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function encodedObject(text: string): ReadObject | undefined {
  const read = text.trim() === '' ? undefined : readObject(text, true);
  return read && { ...read, repairs: ['arguments-as-string', ...read.repairs] };
}

function inputOf(value: ExactValue): Pick<ToolCall, 'input' | 'raw'> {
  return { input: toPlain(value) as ToolCall['input'], raw: stringifyJson(value, 'compact') };
}
