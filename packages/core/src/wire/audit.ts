// Reads an answer strictly: what it says in the words of its API, before the decoders mend it. A client gets a call
// without an id as a call without an id; the decoders give it one. Only those who test an endpoint need this.

import { createParser } from 'eventsource-parser';
import { isObject } from '../model/index.js';
import { isTooDeep } from './depth.js';
import { isErrorBody } from './upstream-error.js';
import { numberOf } from './values.js';

/** What an answer says, and what is wrong with the order of its stream. */
export interface AnswerAudit {
  /** The ids of the calls as they came; '' where a call has none. */
  callIds: string[];
  /** Of a whole answer: its calls as they came. */
  calls?: { name: string; arguments: string }[];
  /** The body is an error in the place of an answer. */
  error?: true;
  /** A member of the message that is not as the API has it, in a sentence. */
  message?: string;
  /** The same of a call. */
  call?: string;
  /** A call has no name at all, and the decoder takes that for an error. */
  nameless?: true;
  /** Why the answer ended, in the API's own word. Absent: it did not say. */
  finish?: string;
  /** Arguments that came in another type than the API has for them: what came, in a sentence. */
  oddArguments?: string;
  /** The word that the API has for an answer with these calls, or without calls. */
  wanted: string;
  /** Whether the answer says that it ended to call tools. In an API without a word for it: whether it has calls. */
  triggered: boolean;
  /** Faults in the order of the stream, each a sentence. Of a whole answer there are none. */
  order: string[];
  /** A fault of the order changes what a client reads, so nothing else can be judged by this stream. */
  damaged?: true;
  /** Counts of tokens that contradict each other, in a sentence. */
  usage?: string;
}

/** One server-sent event. `value` is its data as JSON; undefined if it is none. */
export interface Frame {
  event: string | undefined;
  data: string;
  value: unknown;
}

/** The most faults that are listed of one answer. */
const MOST_FAULTS = 5;

/** Collects faults: each once, and not without end. */
export class OrderFaults {
  readonly list: string[] = [];
  #isDamaged = false;

  /** The members of the audit. */
  found(): Pick<AnswerAudit, 'order' | 'damaged'> {
    return { order: this.list, ...(this.#isDamaged && { damaged: true as const }) };
  }

  /** The same as `unless`, for a fault that changes what a client reads. */
  damagedUnless(holds: boolean, fault: string): void {
    this.#isDamaged ||= !holds;
    this.unless(holds, fault);
  }

  add(fault: string): void {
    if (this.list.length < MOST_FAULTS && !this.list.includes(fault)) this.list.push(fault);
  }

  unless(holds: boolean, fault: string): void {
    if (!holds) this.add(fault);
  }
}

export function framesOf(text: string): Frame[] {
  const frames: Frame[] = [];
  const parser = createParser({
    onEvent: ({ data, event }) => {
      if (data !== '') frames.push({ event, data, value: jsonOf(data) });
    },
  });
  parser.feed(text);
  parser.feed('\n\n');
  return frames;
}

/** The body of a whole answer; undefined if it is no JSON object. */
export function bodyOf(text: string): Record<string, unknown> | undefined {
  const value = jsonOf(text);
  return isObject(value) ? value : undefined;
}

/** Whether an error stands in the place of an answer: the body, or the first event of a stream. */
export function errorIn(value: unknown): { error?: true } {
  return isErrorBody(value) ? { error: true } : {};
}

/** Every answer is one of the assistant. */
export function roleFault(role: string | undefined): { message?: string } {
  if (role === 'assistant') return {};
  const found = role === undefined ? 'no role' : `the role ${JSON.stringify(role.slice(0, 40))}`;
  return { message: `The message has ${found} instead of "assistant".` };
}

/** The total is the sum of the input and the output, where an API has one. */
export function usageFault(usage: unknown, input: string, output: string): { usage?: string } {
  const [sent, written, total] = [input, output, 'total_tokens'].map((key) => numberOf(usage, key));
  if (sent === undefined || written === undefined || total === undefined || total === sent + written)
    return {};
  return { usage: `The usage has ${total} tokens in total, and ${sent} + ${written} in its parts.` };
}

export const EMPTY_ARGUMENTS = 'The arguments are empty: clients parse them as JSON.';

/** Arguments as text; those that came as a value, as JSON. */
export function argumentsOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
