// One answer of a native upstream on its way to the client: native events pass, leaked calls become real ones.
//
//   native call ──────────────────────────────────────────────> out, untouched and at once
//   text ──> leak watch ──> text, reasoning ──────────────────> out
//                      └──> leaked calls, and what follows ──> held until the finish
//
// A call that the upstream sends natively and also leaks is one call: the leaked copy is dropped.

import type { Dialect } from '../../engine/dialect.js';
import type { ParserOptions } from '../../engine/parser-options.js';
import type {
  AnswerEvent,
  CallEnd,
  JsonValue,
  ParseEvent,
  Report,
  Tool,
  ToolChoice,
} from '../../model/index.js';
import type { LeakSegment, LeakWatcher } from './leak-watch.js';
import { createLeakWatch } from './leak-watches.js';

export interface HealedChoiceOptions {
  choice: number;
  dialects: readonly Dialect[];
  tools: ReadonlyMap<string, Tool>;
  toolChoice: ToolChoice;
  refuseEchoes: boolean;
  parser: ParserOptions;
  /** Gets the issues and repairs. */
  report: Report;
  newId(): string;
  /** Ids of calls earlier in the conversation. */
  usedIds: readonly string[];
  onParse?: (event: ParseEvent) => void;
}

interface NativeCall {
  name: string;
  text: string;
}

export class HealedChoice {
  readonly #options: HealedChoiceOptions;
  readonly #native = new Map<string, NativeCall>();
  readonly #usedIds: Set<string>;
  #watch: LeakWatcher | undefined;
  #held: LeakSegment[] = [];
  #spoke = false;

  constructor(options: HealedChoiceOptions) {
    this.#options = options;
    this.#usedIds = new Set(options.usedIds);
  }

  read(event: AnswerEvent): AnswerEvent[] {
    if (event.type === 'text-delta') return this.#text(event.text);
    if (event.type === 'finish') return this.#finish(event);
    if (event.type === 'call-start') {
      this.#usedIds.add(event.id);
      this.#native.set(event.id, { name: event.name, text: '' });
      // Text that was held back comes before the call.
      return [...this.#endText(), event];
    }
    if (event.type === 'call-delta') {
      const call = this.#native.get(event.id);
      if (call) call.text += event.text;
    }
    return [event];
  }

  // --- text ------------------------------------------------------------------------------------------------

  #text(text: string): AnswerEvent[] {
    this.#watch ??= this.#createWatch();
    if (text.trim() !== '') this.#spoke = true;
    return this.#pass(this.#watch.feed(text));
  }

  #endText(): AnswerEvent[] {
    const watch = this.#watch;
    if (!watch) return [];
    this.#watch = undefined;
    const events = this.#pass(watch.finish());
    this.#options.report.issues.push(...watch.issues);
    return events;
  }

  #createWatch(): LeakWatcher {
    const { dialects, parser, onParse } = this.#options;
    return createLeakWatch(dialects, {
      parser: {
        ...parser,
        newId: made,
        thinking: parser.thinking === true && !this.#spoke,
      },
      accepts: (call) => this.#accepts(call),
      spoke: this.#spoke,
      ...(onParse && { onParse }),
    });
  }

  #accepts({ name, issues }: CallEnd): boolean {
    const { tools, toolChoice, refuseEchoes } = this.#options;
    if (!tools.has(name)) return false;
    if (typeof toolChoice === 'object' && toolChoice.name !== name) return false;
    return !refuseEchoes || !issues?.some(({ code }) => code === 'suspected-echo');
  }

  /** Passes segments on. After a leaked call everything waits for the finish. */
  #pass(segments: LeakSegment[]): AnswerEvent[] {
    const events: AnswerEvent[] = [];
    for (const segment of segments) {
      if (segment.type === 'call' || this.#held.length > 0) this.#held.push(segment);
      else events.push(...this.#eventsOf(segment));
    }
    return events;
  }

  // --- the end ---------------------------------------------------------------------------------------------

  #finish(event: Extract<AnswerEvent, { type: 'finish' }>): AnswerEvent[] {
    const events = this.#endText();
    const copies = new Set([...this.#native.values()].map(({ name, text }) => keyOf(name, text)));
    let healed = false;
    for (const segment of this.#held) {
      if (segment.type !== 'call') events.push(...this.#eventsOf(segment));
      else if (copies.has(keyOf(segment.call.name, segment.call.raw))) {
        this.#options.report.repairs.push({ code: 'leaked-copy', range: segment.range });
      } else {
        healed = true;
        events.push(...this.#deliver(segment));
      }
    }
    this.#held = [];
    const reason = healed && event.reason === 'stop' ? 'tool-calls' : event.reason;
    return [...events, { ...event, reason }];
  }

  #deliver({ call, range, issues, repairs }: Extract<LeakSegment, { type: 'call' }>): AnswerEvent[] {
    const { report } = this.#options;
    report.issues.push(...issues);
    report.repairs.push({ code: 'leaked-call', range }, ...repairs);
    const id = this.#outwardId(call.id);
    return [
      this.#ofChoice({ type: 'call-start', id, name: call.name }),
      this.#ofChoice({ type: 'call-delta', id, text: call.raw }),
      this.#ofChoice({ type: 'call-end', id }),
    ];
  }

  #eventsOf(segment: Exclude<LeakSegment, { type: 'call' }>): AnswerEvent[] {
    const type = segment.type === 'text' ? 'text-delta' : 'reasoning-delta';
    return segment.text === '' ? [] : [this.#ofChoice({ type, text: segment.text })];
  }

  #ofChoice(
    event: Exclude<AnswerEvent, { type: 'answer-start' | 'usage' | 'report' | 'error' }>,
  ): AnswerEvent {
    const { choice } = this.#options;
    return choice > 0 ? { ...event, choice } : event;
  }

  /** Keeps an id that the model wrote, unless another call has it. */
  #outwardId(id: string): string {
    let outward = id.startsWith(MADE) ? this.#options.newId() : id;
    // A custom `newId` may give the same id again and again.
    for (let tries = 1; this.#usedIds.has(outward); tries++) {
      outward = tries < 100 ? this.#options.newId() : `${this.#options.newId()}_${tries}`;
    }
    this.#usedIds.add(outward);
    return outward;
  }
}

/** Marks a call without an id of the model's, which never begins with a space: it gets one when it is delivered. */
const MADE = ' ';

function made(n: number): string {
  return MADE + n;
}

/** Gives the same key for the same name and arguments, in any order of their members. */
function keyOf(name: string, raw: string): string {
  try {
    return JSON.stringify([name, sorted(JSON.parse(raw === '' ? '{}' : raw))]);
  } catch {
    return JSON.stringify([name, raw]);
  }
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
