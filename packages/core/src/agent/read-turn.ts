// Assembles one turn of the model from its events.

import type {
  AnswerEvent,
  AssistantMessage,
  FinishReason,
  JsonObject,
  ReasoningPart,
  ToolCall,
  Usage,
} from '../model/index.js';
import { ExactNumber, isObject, parseExact, toPlain } from '../model/index.js';

/** A call as the model made it, and what is wrong with its arguments. */
export interface ReadCall {
  call: ToolCall;
  /** The arguments as they were written. */
  raw: string;
  /** Why they cannot be read. Then the call's input is empty. */
  fault?: string;
}

interface OpenCall {
  id: string;
  name: string;
  pieces: string[];
  /** Its place among the parts, kept free until it is complete. */
  place: number;
}

type Part = AssistantMessage['parts'][number];

/** Reads the events of the first choice and ignores the other choices. */
export class TurnReader {
  readonly calls: ReadCall[] = [];
  finish: FinishReason | undefined;
  usage: Usage | undefined;
  private readonly places: (Part | undefined)[] = [];
  private readonly open = new Map<string, OpenCall>();
  /** Calls whose id was used again before they were complete. */
  private lost = 0;

  /** The call that this event completes. */
  read(event: AnswerEvent): ReadCall | undefined {
    if (event.type === 'usage') this.usage = event.usage;
    if ('choice' in event && event.choice !== undefined && event.choice !== 0) return undefined;
    if (event.type === 'text-delta') this.text(event.text);
    if (event.type === 'reasoning-delta') this.reasoning(event);
    if (event.type === 'call-start') this.start(event.id, event.name);
    if (event.type === 'call-delta') this.open.get(event.id)?.pieces.push(event.text);
    if (event.type === 'finish') this.finish = event.reason;
    return event.type === 'call-end' ? this.end(event.id) : undefined;
  }

  /** Whether a call has begun and is not complete: then the answer was cut off, whatever its finish reason. */
  get isCut(): boolean {
    return this.open.size + this.lost > 0;
  }

  /** Text, reasoning and complete calls, in the order they were begun. */
  get message(): AssistantMessage {
    return { role: 'assistant', parts: this.places.filter((part) => part !== undefined) };
  }

  get written(): string {
    return this.places.map((part) => (part?.type === 'text' ? part.text : '')).join('');
  }

  private text(text: string): void {
    const last = this.places.at(-1);
    if (last?.type === 'text') last.text += text;
    else if (text !== '') this.places.push({ type: 'text', text });
  }

  /** Reasoning deltas with equal `extra` form one part; a changed member of `extra` begins the next. */
  private reasoning({ text, extra }: { text: string; extra?: ReasoningPart['extra'] }): void {
    const last = this.places.at(-1);
    const joins =
      last?.type === 'reasoning' &&
      !Object.entries(extra ?? {}).some(([key, value]) => {
        const before = last.extra && Object.hasOwn(last.extra, key) ? last.extra[key] : undefined;
        return before !== undefined && before !== value;
      });
    if (!joins) this.places.push({ type: 'reasoning', text, ...(extra && { extra: { ...extra } }) });
    else {
      last.text += text;
      if (extra) last.extra = { ...last.extra, ...extra };
    }
  }

  private start(id: string, name: string): void {
    if (this.open.has(id)) this.lost++;
    this.open.set(id, { id, name, pieces: [], place: this.places.push(undefined) - 1 });
  }

  private end(id: string): ReadCall | undefined {
    const open = this.open.get(id);
    if (open === undefined) return undefined;
    this.open.delete(id);
    const read = toCall(open);
    this.places[open.place] = read.call;
    this.calls.push(read);
    return read;
  }
}

function toCall({ id, name, pieces }: OpenCall): ReadCall {
  const raw = pieces.join('');
  const call: ToolCall = { type: 'tool-call', id, name, input: {} };
  try {
    const value = parseExact(raw.trim() === '' ? '{}' : raw);
    if (!isObject(value) || value instanceof ExactNumber) throw new SyntaxError('expected a JSON object');
    return { call: { ...call, input: toPlain(value) as JsonObject, raw: raw.trim() || '{}' }, raw };
  } catch (error) {
    return { call, raw, fault: error instanceof Error ? error.message : String(error) };
  }
}
