// Parses a whole text at once: it feeds the streaming parser, finishes it and collects the answer.

import type {
  Issue,
  JsonObject,
  ParseEvent,
  ReasoningPart,
  Repair,
  TextPart,
  ToolCall,
} from '../model/index.js';
import type { Dialect } from './dialect.js';
import { createParser } from './parser.js';
import type { SharingOptions } from './parser-options.js';

export interface ParsedCall {
  id: string;
  name: string;
  input: JsonObject;
  /** The arguments as JSON text, with the model's own digits. */
  raw: string;
}

export interface ParsedAnswer {
  /** All text that is part of the answer. Text set aside after the calls is in `parts` only. */
  text: string;
  reasoning: string;
  calls: ParsedCall[];
  /** Everything in the order it was written. */
  parts: (TextPart | ReasoningPart | (ToolCall & { raw: string }))[];
  issues: Issue[];
  repairs: Repair[];
}

export function parse(dialect: Dialect, text: string, options: SharingOptions = {}): ParsedAnswer {
  const parser = createParser(dialect, options);
  return collect([...parser.feed(text), ...parser.finish()]);
}

/** Collects the events of one answer. */
export function collect(events: Iterable<ParseEvent>): ParsedAnswer {
  const answer: ParsedAnswer = { text: '', reasoning: '', calls: [], parts: [], issues: [], repairs: [] };
  for (const event of events) {
    if (event.issues) answer.issues.push(...event.issues);
    if (event.repairs) answer.repairs.push(...event.repairs);
    addPart(answer, event);
  }
  return answer;
}

function addPart(answer: ParsedAnswer, event: ParseEvent): void {
  const last = answer.parts.at(-1);
  if (event.type === 'text-delta') {
    if (!event.aside) answer.text += event.text;
    if (last?.type === 'text' && (last.aside ?? false) === (event.aside ?? false)) last.text += event.text;
    else answer.parts.push({ type: 'text', text: event.text, ...(event.aside ? { aside: true } : {}) });
  } else if (event.type === 'reasoning-delta') {
    answer.reasoning += event.text;
    if (last?.type === 'reasoning') last.text += event.text;
    else answer.parts.push({ type: 'reasoning', text: event.text });
  } else if (event.type === 'call-end') {
    const { id, name, input, raw } = event;
    answer.calls.push({ id, name, input, raw });
    answer.parts.push({ type: 'tool-call', id, name, input, raw });
  }
}
