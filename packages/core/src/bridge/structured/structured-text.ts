// Structured output: finds the JSON in an answer's text, repairs it, and checks it against its schema. Text that can
// still be the answer is given at once, so that the answer streams.
//
//   lead ──{──> json ──}──> tail          prose and a fence around the JSON are left out
//    │  ^         │
//    │  └─no JSON─┘  (while nothing was given)
//    └──a call follows──> beside          the answer is calls: text beside them is left out, too
//
// Clients parse every text of an answer as JSON, so none may stand beside calls. If no call is delivered after all, the
// text is given as it was written.
//
// JSON is given from its first key on, if the schema has that key: a model that repeats the schema, or wraps its answer,
// is then still asked again. Other JSON waits until the end of the answer.

import type { Limits } from '../../engine/parser-options.js';
import type { AnswerFormat, Issue, JsonSchema, JsonValue, Range, Repair } from '../../model/index.js';
import { schemaHint } from '../../schema/coerce.js';
import type { CheckBudget } from '../../schema/safe-schema.js';
import { acceptedTypes, propertySchema } from '../../schema/schema.js';
import { createValidator } from '../../schema/validate.js';
import { Gather } from '../../text/gather.js';
import { readJson, type ValueHint } from '../../text/json.js';
import { afterFence, beforeFence, JsonFinder, type JsonPlace, unfenced } from './find-json.js';
import { JsonText } from './json-text.js';

export interface StructuredTextOptions {
  format: AnswerFormat;
  /** The answer is given when it is complete. */
  whole: boolean;
  /** A string is coerced to what the schema requires in its place. */
  coerceStrings: boolean;
  limits?: Partial<Limits> | undefined;
  /** What checks may still cost. */
  checks?: CheckBudget | undefined;
}

/** The end of an answer. */
export interface StructuredEnd {
  /** What was not given yet. */
  text: string;
  issues: Issue[];
  repairs: Repair[];
  /** Text around the JSON, or beside calls, which is not given. */
  aside: string;
}

/** Longer prose without JSON is given as it comes. */
const MOST_LEAD = 64 * 1024;
/** How much is kept of what follows the JSON. */
const MOST_TAIL = 64 * 1024;

export class StructuredText {
  #state: 'lead' | 'json' | 'tail' | 'beside' | 'passed' = 'lead';
  /** The text so far, as it was written, as long as nothing was given. */
  readonly #written = new Gather();
  #length = 0;
  #place: JsonPlace | undefined;
  #json: JsonText | undefined;
  /** JSON that waits, as it will be given. */
  #held = new Gather();
  #tail = '';
  #beside = new Gather();
  /** A part of the JSON was given. */
  #given = false;
  /** Why the first text that began like JSON is none. */
  #failure: string | undefined;
  readonly #schema: JsonSchema;
  readonly #finder: JsonFinder;
  readonly #hint: ValueHint | undefined;

  constructor(readonly options: StructuredTextOptions) {
    const { format } = options;
    this.#schema = format.type === 'json' ? { type: 'object' } : format.schema;
    this.#finder = new JsonFinder(firstsOf(this.#schema));
    const hint = options.coerceStrings ? schemaHint(this.#schema, true) : undefined;
    this.#hint = hint && { property: hint.property, item: hint.item };
  }

  /** Whether a part of the JSON was given, so that no other answer can follow. */
  get given(): boolean {
    return this.#given;
  }

  /** Whether a call came, so that all text waits for the end of the answer. */
  get waits(): boolean {
    return this.#state === 'beside';
  }

  /** Reads on, and gives the text for the client that became certain. */
  read(text: string): string {
    this.#length += text.length;
    if (this.#state === 'passed') return text;
    if (this.#state === 'beside') {
      this.#beside.add(text);
      return '';
    }
    if (!this.#given) this.#written.add(text);
    if (this.#state !== 'tail') return this.#readOn(text);
    this.#addTail(text);
    return '';
  }

  /** Whether this text, read on its own, is the JSON that was asked for. */
  wouldBe(text: string): boolean {
    const alone = new StructuredText({ ...this.options, whole: true });
    alone.read(text);
    return alone.end({ called: false, cut: false }).issues.length === 0;
  }

  /** A call follows, so the answer is not the JSON. */
  callFollows(): void {
    if (this.#state === 'passed' || this.#state === 'beside') return;
    this.#beside.add(this.#rest);
    this.#state = 'beside';
  }

  /** Ends the answer. `called`: it has calls. `cut`: it did not end by itself, so that it is not judged. */
  end({ called, cut }: { called: boolean; cut: boolean }): StructuredEnd {
    const nothing = { issues: [], repairs: [], aside: '' };
    if (called) return { ...nothing, text: '', aside: this.#release().trim() };
    if (this.#state === 'tail') return this.#endWhole();
    if (cut) return { ...nothing, text: this.#release() };
    const other = this.#state === 'lead' ? this.#readAll() : undefined;
    if (other) return other;
    const issues = [unreadable(this.#fault(), this.#length)];
    return { ...nothing, issues, text: this.#release() };
  }

  /** Gives all that waits, as it was written; what follows is given as it comes. */
  #release(): string {
    this.callFollows();
    this.#state = 'passed';
    const text = this.#beside.toString();
    this.#beside = new Gather();
    return text;
  }

  #fault(): string {
    if (this.#state === 'json') return 'it breaks off before its end';
    return this.#failure ?? `it holds no ${this.options.format.type === 'json' ? 'JSON object' : 'JSON'}`;
  }

  // --- reading -------------------------------------------------------------------------------------------

  #readOn(text: string): string {
    let piece: string | undefined = text;
    let out = '';
    while (piece !== undefined) {
      if (this.#state === 'lead') piece = this.#search(piece);
      const json = this.#json;
      if (piece === undefined || !json) break;
      const read = this.#readJson(json, piece);
      if (this.#given) out += read;
      else this.#held.add(read);
      if (this.#mayGive(json)) out += this.#give();
      // What began like JSON is none: the search goes on behind it.
      piece = this.#json ? undefined : json.unread;
    }
    return this.#state === 'lead' && this.#written.length > MOST_LEAD ? this.#release() : out;
  }

  /** Gives the rest of the piece from where JSON may begin. */
  #search(piece: string): string | undefined {
    const found = this.#finder.next(piece);
    if (!found) return undefined;
    this.#place = found.place;
    this.#json = new JsonText({ hint: this.#hint, limits: this.options.limits });
    this.#state = 'json';
    return piece.slice(found.before);
  }

  #readJson(json: JsonText, text: string): string {
    const { begun } = json;
    const out = json.read(text);
    if (json.failure || (!begun && (json.begun || json.done) && !this.#fits(json))) {
      if (json.begun) this.#failure ??= json.failure?.message;
      if (!this.#given) return this.#startAgain(json);
      this.#state = 'passed';
      return out + json.rest;
    }
    if (json.done) {
      this.#state = 'tail';
      this.#addTail(json.unread);
    }
    return out;
  }

  #startAgain({ length }: JsonText): string {
    this.#finder.skip(length);
    this.#json = undefined;
    this.#held = new Gather();
    this.#state = 'lead';
    return '';
  }

  #mayGive(json: JsonText): boolean {
    if (this.#given || this.options.whole || this.#json !== json) return false;
    return json.begun && this.#names(json);
  }

  #give(): string {
    const { prose, fenced } = this.#place as JsonPlace;
    const text = (prose || fenced ? '' : this.#lead) + this.#held.toString();
    this.#held = new Gather();
    this.#given = true;
    return text;
  }

  /** The text before the JSON. */
  get #lead(): string {
    return this.#written.toString().slice(0, this.#place?.at);
  }

  /** Whether what began after prose can be the answer; without prose, anything can. */
  #fits(json: JsonText): boolean {
    const { prose, startsLine } = this.#place as JsonPlace;
    return (
      !prose || (this.#names(json) && (startsLine || (json.key !== undefined && isClosed(this.#schema))))
    );
  }

  /** Whether the schema has the first key, or says nothing of keys. */
  #names({ key }: JsonText): boolean {
    if (key === undefined || !isClosed(this.#schema)) return true;
    return propertySchema(this.#schema, key) !== undefined;
  }

  #addTail(text: string): void {
    if (this.#tail.length < MOST_TAIL) this.#tail += text.slice(0, MOST_TAIL - this.#tail.length);
  }

  /** Everything that was not given, as it was written. */
  get #rest(): string {
    if (!this.#given) return this.#written.toString();
    return this.#state === 'tail' ? this.#tail : (this.#json?.rest ?? '');
  }

  // --- the end -------------------------------------------------------------------------------------------

  #endWhole(): StructuredEnd {
    const { notes, json, length } = this.#json as JsonText;
    const { at: start, prose, fenced } = this.#place as JsonPlace;
    const range: Range = [start, start + length];
    const lead = prose ? this.#lead : '';
    const sides = fenced ? [beforeFence(lead), afterFence(this.#tail)] : [lead, this.#tail];
    const around = sides.map((text) => text.trim()).filter(Boolean);
    const repairs = notes.repairs.map(
      ({ code, at }): Repair => ({ code, range: [start + at, start + at + 1] }),
    );
    if (fenced) repairs.push({ code: 'fenced-answer', range });
    if (around.length > 0) repairs.push({ code: 'text-around-answer', range });
    const duplicates = notes.duplicates.map(({ key, at }) => duplicate(key, start + at));
    return {
      text: (this.#given ? '' : this.#give()) + (fenced || around.length > 0 ? '' : this.#tail),
      issues: [...duplicates, ...this.#mismatches(json.toString(), range)],
      repairs,
      aside: around.join('\n\n'),
    };
  }

  /** Reads an answer that is a string, a number or the like, where the schema takes one. */
  #readAll(): StructuredEnd | undefined {
    if (!acceptsScalar(this.#schema)) return undefined;
    const written = this.#written.toString();
    const inner = unfenced(written);
    const read = readJson(inner ?? written);
    if (!read) return undefined;
    const range: Range = [0, written.length];
    const repairs: Repair[] = read.repairs.map(({ code }) => ({ code, range }));
    if (inner !== undefined) repairs.push({ code: 'fenced-answer', range });
    this.#state = 'passed';
    return { text: read.json, issues: this.#mismatches(read.json, range), repairs, aside: '' };
  }

  #mismatches(json: string, range: Range): Issue[] {
    const problems = createValidator(this.#schema).check(JSON.parse(json) as JsonValue, this.options.checks);
    return problems.map(({ path, message }) => ({
      code: 'answer-mismatch',
      range,
      message: path === '' ? message : `${path}: ${message}`,
    }));
  }
}

/** The characters with which the JSON can begin. */
function firstsOf(schema: JsonSchema): string {
  const types = acceptedTypes(schema);
  if (!types) return '{[';
  return `${types.has('object') ? '{' : ''}${types.has('array') ? '[' : ''}`;
}

function acceptsScalar(schema: JsonSchema): boolean {
  const types = acceptedTypes(schema);
  return types === undefined || [...types].some((type) => type !== 'object' && type !== 'array');
}

/** Whether the schema names the keys of an object. */
function isClosed(schema: JsonSchema): boolean {
  return (
    typeof schema === 'object' &&
    ['properties', '$ref', 'anyOf', 'oneOf', 'allOf'].some((key) => Object.hasOwn(schema, key))
  );
}

function duplicate(key: string, at: number): Issue {
  const message = `The key ${JSON.stringify(key)} is given twice; the last one counts.`;
  return { code: 'duplicate-key', range: [at, at + 1], message };
}

function unreadable(reason: string, length: number): Issue {
  return { code: 'unreadable-answer', range: [0, length], message: `The answer is no JSON: ${reason}.` };
}
