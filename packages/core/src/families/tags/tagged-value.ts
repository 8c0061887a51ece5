// Reads the value of a tagged argument: raw text whose end has to be found.
//
//   <arg_value> text </arg_value> <arg_key> …
//               ^    ^ own closer: ends the value if a tag, or the end, follows it; else it is content
//
// If another closer comes first (a lost `</arg_value>`), reading continues as if that were content, with its events
// held. The value's own closer shows that it was content; the next argument, or the end, that it was not.
//
// The opener of an argument that is still due is held in the same way, but then one closer is that argument's own:
//
//   <parameter=a> x <parameter=b> y </parameter>                 a lost its closer: a = x, b = y
//   <parameter=a> x <parameter=b> y </parameter> </parameter>    a pair in the text of a

import type { Hold } from '../../engine/hold.js';
import { NO, NOT_YET, nextOf } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { isObject, type JsonSchema } from '../../model/index.js';
import { type Coerced, coerceText } from '../../schema/coerce.js';
import { acceptedTypes, propertySchema, type SchemaType } from '../../schema/schema.js';
import { isHighSurrogate, spaceEnd } from '../../text/characters.js';
import { readJson } from '../../text/json.js';
import { escapeText } from '../../text/json-tokens.js';
import { beginsTag, passLayout, skipLayout, type Tag, type TaggedSpelling } from './tagged-spelling.js';
import { TextsRead } from './texts-read.js';

type Found = ReturnType<TaggedSpelling['tag']>;
type Types = ReadonlySet<SchemaType>;

/** How a value becomes JSON: streamed as a string, or collected until its type is known. */
type SinkKind = 'string' | 'collect' | 'guess';

/** What is known of a value. A class, so that all have one shape: each character of a stream is noted here. */
class Sink {
  /** Whether the opening quote has been written. */
  opened = false;
  collected = '';
  /** The first characters after white space, from which the type is guessed. */
  head = '';
  /** Whether the text has several lines, or a tag. */
  rich = false;
  /** Whether the text has a backtick, so that a tag in it may be quoted. */
  quotes = false;
  /** How many opening tags of values in the text have no closer in it. */
  opens = 0;
  /** Whether one of them is not only mentioned. */
  due = false;
  /** Whether the text has a closer that may be that of a text before it. */
  excess = false;
  /** The last character. */
  last = '';

  constructor(public kind: SinkKind) {}
}

/** A place where the value may have ended without its closer: what is held since, and the sink as it was there. */
interface Lost {
  hold: Hold;
  sink: Sink;
  tag: Tag;
}

const HEAD = 128;

const NOT_STRING: Types = new Set(['number', 'integer', 'boolean', 'object', 'array', 'null']);
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
/** The most characters of a key. */
export const KEY_LIMIT = 1024;
/** What stands on the two sides of a tag that is only mentioned. */
const MENTION = /^(?: [ ,.;:!?)]|""|''|``|\(\))$/;
/** The most blanks at the beginning of a line that are taken for layout. */
const INDENT = 64;
/** Layout has no code above that of a blank. */
const SPACE = 32;

export class TaggedValue {
  /** The opening tag of the block around the call, if there is one. */
  block: Tag | undefined;
  /** The values of this call that were text. */
  texts = new TextsRead();
  readonly #spelling: TaggedSpelling;
  readonly #firsts: string;
  readonly #back: () => Mode;
  #key = '';
  #types: Types | undefined;
  #sink = new Sink('string');
  #open: Tag | undefined;
  readonly #isNew: (key: string) => boolean;
  #lost: Lost | undefined;
  /** Whether an argument of this call was ended by the next one, without its closer. */
  #split = false;
  /** Whether a line break before the closer is layout. */
  #endsInLayout = false;
  #cdata = false;
  /** The first character of a marker that may have been broken by a backslash. */
  #first = '';
  #unwrap: ((object: string | undefined) => string) | undefined;
  /** Whether the last value was text. */
  #isText = false;

  /** `isNew`: whether the call has no argument of this name yet. */
  constructor(spelling: TaggedSpelling, back: () => Mode, isNew: (key: string) => boolean) {
    this.#isNew = isNew;
    this.#spelling = spelling;
    this.#firsts = spelling.firsts ?? '<';
    this.#back = back;
  }

  declares(reader: Reader, key: string): boolean {
    const schema = reader.call?.tool?.parameters;
    return isObject(schema) && isObject(schema.properties) && Object.hasOwn(schema.properties, key);
  }

  /** Whether the call may still get this argument: it has none of that name, and its tool, if known, declares it. */
  #isDue(reader: Reader, key: string): boolean {
    return this.#isNew(key) && (reader.call?.tool?.parameters === undefined || this.declares(reader, key));
  }

  /** Forgets the values of the call before. */
  reset(): void {
    this.texts = new TextsRead();
    this.#isText = false;
    this.#split = false;
  }

  /**
   * Whether a closer that follows the last value may have been meant as its end. Behind one line of plain words it is
   * just written twice.
   */
  get mayGoOn(): boolean {
    const { rich, opened, collected } = this.#sink;
    return this.#split || (this.#isText && (rich || (!opened && collected === '')));
  }

  /** Whether the last value was text with an opening tag in it, whose closer may have ended the text. */
  get holdsOpener(): boolean {
    return this.#isText && this.#sink.opens > 0;
  }

  /** Whether the last value has a closer that may be that of a text before it. */
  get holdsCloser(): boolean {
    return this.#sink.excess;
  }

  /** Whether the last text may be two arguments: it has an opening tag, and the closer before that may be missing. */
  get mayHold(): boolean {
    return this.holdsOpener && this.#sink.due;
  }

  /** Begins an argument, or a part of one, and looks up the types its schema allows. */
  begin(reader: Reader, key: string, schema?: JsonSchema): void {
    const root = reader.call?.tool?.parameters;
    this.#key = key;
    this.#types = acceptedTypes(schema ?? propertySchema(root, key, root), root);
    this.#unwrap = undefined;
    this.#lost = undefined;
    this.#cdata = false;
    this.#open = undefined;
    this.#isText = false;
    this.#endsInLayout = false;
    this.#sink = new Sink('string');
  }

  /** Begins the same argument once more, after its reading was undone. */
  again(reader: Reader): void {
    this.begin(reader, this.#key);
  }

  /** Marks a value that may hold all arguments. `unwrap` gets the object, and gives what to write before it. */
  wrap(unwrap: (object: string | undefined) => string): void {
    this.#unwrap = unwrap;
  }

  /** Starts after the opening tag. */
  start(reader: Reader, tag: Tag | undefined): Mode {
    this.#open = tag;
    this.#sink = new Sink(this.#kindOf(reader, tag));
    return this.#layoutBefore;
  }

  #kindOf(reader: Reader, tag: Tag | undefined): SinkKind {
    if (this.#unwrap) return 'collect';
    if (this.#spelling.typedByAttribute && !(reader.setup.schemaBeatsAttribute && this.#types)) {
      if (tag?.attribute === 'true') return 'string';
      if (tag?.attribute === 'false') {
        this.#types = NOT_STRING;
        return 'collect';
      }
      reader.repair('guessed-type');
    }
    if (!this.#types) return 'guess';
    return this.#types.size === 1 && this.#types.has('string') ? 'string' : 'collect';
  }

  /** <parameter=k> | \n value  */
  readonly #layoutBefore: Mode = (reader) => {
    const { text, at, ended } = reader;
    if (at >= text.length && !ended) return undefined;
    const { lineLayout } = this.#spelling;
    if (lineLayout) {
      if (text.charAt(at) === '\r' && at + 1 >= text.length && !ended) return undefined;
      const length = text.startsWith('\r\n', at) ? 2 : text.charAt(at) === '\n' ? 1 : 0;
      // Where the vendor writes no line breaks, a model that adds them adds both.
      this.#endsInLayout = lineLayout === 'written' || length > 0;
      reader.markup(length);
      return this.#content;
    }
    // string="true" is verbatim. Only without the attribute may a model have used CDATA.
    if (!this.#mayWrap() || text.charAt(at) !== '<') return this.#content;
    if (text.startsWith(CDATA, at)) {
      this.#cdata = true;
      reader.markup(CDATA.length, this.#spelling.cdata === 'written' ? undefined : 'cdata');
    } else if (!ended && CDATA.startsWith(text.slice(at))) return undefined;
    return this.#content;
  };

  /** Whether the text may be in CDATA. */
  #mayWrap(): boolean {
    if (this.#spelling.cdata) return true;
    return !!this.#spelling.typedByAttribute && this.#open?.attribute !== 'true';
  }

  /** <arg_value> | text  */
  readonly #content: Mode = (reader) => {
    const { text, ended } = reader;
    let at = reader.at;
    for (;;) {
      at = this.#nextCandidate(text, at);
      if (at >= text.length) break;
      if (at + 1 >= text.length && !ended) break;
      if (text.charAt(at + 1) === '\\') {
        this.#first = text.charAt(at);
        this.#put(reader, at + 1 - reader.at);
        return this.#unbreak;
      }
      const decision = this.#decide(reader, at);
      if (decision === NOT_YET) break;
      if (decision !== NO) return decision;
      at++;
    }
    return this.#pause(reader, at);
  };

  #nextCandidate(text: string, from: number): number {
    const plain = nextOf(text, this.#spelling.markers.firsts, from);
    if (!this.#cdata) return plain;
    const end = text.indexOf(']', from);
    return end < 0 ? plain : Math.min(end, plain);
  }

  /** Writes what is certain and waits for more text; at the end of the text, settles what is open. */
  #pause(reader: Reader, until: number): Mode | undefined {
    this.#put(reader, this.#certain(reader, until) - reader.at);
    return reader.ended && this.#lost ? this.#endAtLost(reader, true) : undefined;
  }

  /**
   * Whether the closers of the call and its block follow a lost one, and nothing else. Where one more is missing, or has
   * not the spelling of its opener, or anything follows, the value may have been cut.
   */
  #endsText({ text, at, cut }: Reader, tag: Tag): boolean {
    if (!isCloser(tag)) return true;
    let place = spaceEnd(text, at);
    // A quotation that the end cut.
    if (cut || (/[`(]/.test(this.#sink.last) && place + tag.length >= text.length)) return false;
    const closed = new Set<string>();
    let found: Found = tag;
    do {
      // A model that spells the closer of the value in another way does so with that of the call.
      const like =
        found.kind === 'block-close' ? this.block : tag.kind === 'value-close' ? found : this.#open;
      if (found.prefix === undefined || found.prefix === like?.prefix) closed.add(found.kind);
      place = skipLayout(text, place + found.length);
      found = this.#tagAt(text, place);
    } while (typeof found === 'object' && !found.kind.endsWith('open'));
    return place >= text.length && closed.has('call-close') && (!this.block || closed.has('block-close'));
  }

  /** Gives how far the text is certainly content: half a surrogate pair and a line break before a closer must wait. */
  #certain(reader: Reader, until: number): number {
    const { text } = reader;
    const last = text.charCodeAt(until - 1);
    // Every character of a stream comes here.
    if (last > SPACE && !isHighSurrogate(last)) return until;
    const end = until > reader.at && until === text.length && isHighSurrogate(last) ? until - 1 : until;
    return this.#withoutIndent(reader, end);
  }

  /** Gives the end of the line before, or the start of the value, if only blanks follow it. */
  #withoutIndent(reader: Reader, end: number): number {
    const { text, at } = reader;
    let start = end;
    while (start > at && end - start < INDENT && ' \t'.includes(text.charAt(start - 1))) start--;
    if (start === at) return this.#sink.last === '' ? start : end;
    const line = this.#withoutBreak(reader, start);
    return line < start ? line : end;
  }

  #withoutBreak({ text, at }: Reader, end: number): number {
    let line = end;
    if (line > at && text.charAt(line - 1) === '\n') line--;
    if (line > at && text.charAt(line - 1) === '\r') line--;
    return line;
  }

  /** Decides what is at a candidate: content (NO), not known yet, or the mode to continue with. */
  #decide(reader: Reader, at: number): Mode | typeof NO | typeof NOT_YET {
    if (this.#cdata) return this.#decideCdata(reader, at);
    const tag = this.#tagAt(reader.text, at, this.#key);
    if (tag === NO || tag === NOT_YET) return tag;
    if (tag.kind === 'value-close' && this.#isOwn(tag)) return this.#tryEnd(reader, at, tag);
    const end = at + tag.length;
    const closes = isCloser(tag);
    if (end >= reader.text.length && !reader.ended) return NOT_YET;
    if (closes && reader.text.charAt(end) !== ' ' && this.#isMention(reader, at, end)) return NO;
    const due = this.#lost || closes ? NO : this.#beginsArgument(reader, at, tag);
    if (due === NOT_YET) return NOT_YET;
    if (!this.#lost && (closes || due > 0)) this.#loseCloser(reader, at, tag);
    else if (this.#lost && this.#endsLost(this.#lost, tag)) return this.#endAtLost(reader);
    else return this.#countOpener(reader, at, tag);
    if (tag.kind === 'value-open') this.#sink.opens++;
    this.#put(reader, at + 1 - reader.at);
    return this.#content;
  }

  /** Counts an opening tag inside the text. */
  #countOpener(reader: Reader, at: number, tag: Tag): typeof NO {
    if (tag.kind !== 'value-open') return NO;
    const sink = this.#sink;
    sink.opens++;
    sink.due ||=
      !this.#isMention(reader, at, at + tag.length) &&
      (this.#isOwn(tag) || this.#isDue(reader, tag.name ?? ''));
    return NO;
  }

  /** Whether a tag is only mentioned: it is between blanks or quotes, and not at the start of a line. */
  #isMention(reader: Reader, at: number, end: number): boolean {
    const { text } = reader;
    const sides = (at > reader.at ? text.charAt(at - 1) : this.#sink.last) + text.charAt(end);
    return MENTION.test(sides) && this.#withoutIndent(reader, at) === at;
  }

  /** Holds what follows, because the value may have ended before this tag. */
  #loseCloser(reader: Reader, at: number, tag: Tag): void {
    const end = tag.kind === 'value-close' ? this.#withoutBreak(reader, at) : this.#withoutIndent(reader, at);
    this.#put(reader, end - reader.at);
    this.#lost = { hold: reader.try(), sink: Object.assign(new Sink('string'), this.#sink), tag };
  }

  /** Whether this tag shows that the value had ended where its closer was lost. */
  #endsLost(lost: Lost, { kind }: Tag): boolean {
    if (!isCloser(lost.tag)) return kind === 'call-close' || kind === 'block-close' || kind === 'call-open';
    return this.#spelling.endsLostValue.includes(kind);
  }

  /** Whether the tag begins an argument that the call may still get: 1, NO or NOT_YET. */
  #beginsArgument(reader: Reader, at: number, tag: Tag): number {
    if (!reader.mayGoBack || this.#unwrap) return NO;
    if (tag.kind === 'key-open') return this.#beginsKey(reader, at + tag.length);
    if (tag.kind !== 'value-open' || tag.name === undefined || !this.#isOwn(tag)) return NO;
    return this.#isArgumentPlace(reader, at) && this.#isDue(reader, tag.name) ? 1 : NO;
  }

  #isArgumentPlace(reader: Reader, at: number): boolean {
    if (!this.#spelling.argumentLines || this.#withoutIndent(reader, at) < at) return true;
    return at === reader.at && this.#sink.last === '';
  }

  /** <arg_key> | key </arg_key>  */
  #beginsKey(reader: Reader, at: number): number {
    const end = this.keyEnd(reader, at);
    if (end === NOT_YET && !reader.ended) return NOT_YET;
    return end > 0 && this.#isDue(reader, reader.text.slice(at, end)) ? 1 : NO;
  }

  /** Gives where the key at `at` ends, text that runs up to a `key-close`: or NO, or NOT_YET. */
  keyEnd({ text }: Reader, at: number): number {
    const end = nextOf(text, this.#firsts, at);
    if (end - at > KEY_LIMIT) return NO;
    const tag = end >= text.length ? NOT_YET : this.#tagAt(text, end);
    if (tag === NO || tag === NOT_YET) return tag;
    return tag.kind === 'key-close' ? end : NO;
  }

  /** Half a tag where the text was cut is no content: the call is not delivered, and its markup not shown. */
  #tagAt(text: string, at: number, inside?: string): Found {
    return beginsTag(this.#firsts, text, at) ? this.#spelling.tag(text, at, false, inside) : NO;
  }

  #isOwn(tag: Tag): boolean {
    return !this.#open || tag.prefix === this.#open.prefix;
  }

  // ---------------------------------------------------------------- the end of a value

  #tryEnd(reader: Reader, at: number, tag: Tag): Mode {
    this.#put(reader, (this.#endsInLayout ? this.#withoutBreak(reader, at) : at) - reader.at);
    const hold = reader.try();
    reader.markup(at - reader.at + tag.length, tag.repair);
    return this.#fits(hold);
  }

  /** </arg_value> | <arg_key>  — the closer is held until a tag or the end shows that it was one. */
  #fits(hold: Hold): Mode {
    const fits: Mode = (reader) => {
      if (!passLayout(reader)) return undefined;
      const { text, at, ended } = reader;
      const tag = this.#tagAt(text, at);
      if ((at >= text.length || tag === NOT_YET) && !ended) return undefined;
      if (!reader.mayGoBack) return this.#end(reader, hold);
      const fitting = at >= text.length || tag !== NO;
      const isOfArgument = this.#lost !== undefined && !isCloser(this.#lost.tag);
      if (fitting && !isOfArgument) return this.#end(reader, hold);
      hold.undo();
      if (fitting && !(typeof tag === 'object' && tag.kind === 'value-close')) return this.#endAtLost(reader);
      const sink = this.#sink;
      if (sink.opens === 0) sink.excess ||= this.#split;
      else if (--sink.opens === 0) {
        sink.due = false;
        if (isOfArgument) this.#keepLost();
      }
      // It was content: so are the line break left for the closer, if any, and the closer's first character.
      this.#put(reader, spaceAhead(reader) + 1);
      return this.#content;
    };
    return fits;
  }

  #end(reader: Reader, hold: Hold): Mode {
    hold.keep();
    this.#keepLost();
    this.finish(reader);
    return this.#back();
  }

  #keepLost(): void {
    this.#lost?.hold.keep();
    this.#lost = undefined;
  }

  /** Ends the value where its closer was lost. The line break there is layout, unless another closer is in its place. */
  #endAtLost(reader: Reader, isLast?: boolean): Mode {
    const { hold, sink, tag } = this.#lost as Lost;
    const { length } = hold;
    this.#lost = undefined;
    hold.undo();
    this.#sink = sink;
    if (isLast && !this.#endsText(reader, tag)) {
      this.#put(reader, length);
      return this.#content;
    }
    const isMisspelt = tag.kind === 'value-close';
    if (isMisspelt && !this.#endsInLayout) this.#put(reader, spaceAhead(reader));
    this.#split ||= !isCloser(tag);
    // Behind a blank or a backtick, the tag may be quoted; so may the closer of the block, where that of the call is missing.
    sink.excess ||=
      sink.quotes || tag.kind === 'block-close' || (spaceAhead(reader) === 0 && /[ \t"'(]/.test(sink.last));
    reader.markup(spaceAhead(reader));
    if (isMisspelt) reader.markup(tag.length, 'other-closer');
    else reader.repair('missing-closer');
    this.finish(reader);
    return this.#back();
  }

  // ---------------------------------------------------------------- CDATA

  /** Ends a CDATA value at `]]>` and the closer together. */
  #decideCdata(reader: Reader, at: number): Mode | typeof NO | typeof NOT_YET {
    const { text, ended } = reader;
    if (text.charAt(at) !== ']') return NO;
    if (!text.startsWith(CDATA_END, at)) return !ended && CDATA_END.startsWith(text.slice(at)) ? NOT_YET : NO;
    const closer = at + CDATA_END.length;
    if (closer >= text.length) return ended ? NO : NOT_YET;
    const tag = this.#tagAt(text, closer, this.#key);
    if (tag === NO || tag === NOT_YET) return tag;
    if (tag.kind !== 'value-close') return NO;
    this.#put(reader, at - reader.at);
    const hold = reader.try();
    reader.markup(CDATA_END.length + tag.length);
    return this.#fits(hold);
  }

  // ---------------------------------------------------------------- broken markers

  /** < | \tool_call>  — see engine/markers.ts. */
  readonly #unbreak: Mode = (reader) => {
    const { text, at, ended } = reader;
    if (text.charAt(at) !== '\\') return this.#content;
    if (at + 1 >= text.length && !ended) return undefined;
    if (text.charAt(at + 1) === '\\') {
      this.#put(reader, 1);
      return this.#unbreak;
    }
    const tail = this.#spelling.markers.matchTail(this.#first, text, at + 1, ended);
    if (tail === NOT_YET) return undefined;
    if (tail === NO) this.#put(reader, 1);
    else reader.markup(1);
    return this.#content;
  };

  // ---------------------------------------------------------------- writing

  #put(reader: Reader, length: number): void {
    if (length <= 0) return;
    const sink = this.#sink;
    const text = reader.text.slice(reader.at, reader.at + length);
    sink.last = length === 1 ? text : text.charAt(length - 1);
    if (!sink.rich) sink.rich = text.includes('\n') || text.includes('<');
    if (!sink.quotes) sink.quotes = text.includes('`');
    if (sink.kind === 'string') {
      const quote = sink.opened ? '' : '"';
      sink.opened = true;
      reader.argument(quote + escapeText(text), length);
      return;
    }
    if (sink.collected.length + text.length > reader.limits.argumentLength) reader.exceed('too-long');
    else if (!reader.call?.exceeded) sink.collected += text;
    if (sink.head.length < HEAD) sink.head = (sink.head + text).trimStart().slice(0, HEAD);
    reader.argument('', length);
    if (sink.kind === 'guess' && !couldBeJson(sink.head)) this.#becomeString(reader);
  }

  #becomeString(reader: Reader): void {
    const sink = this.#sink;
    reader.argument(`"${escapeText(sink.collected)}`, 0);
    sink.kind = 'string';
    sink.opened = true;
    sink.collected = '';
  }

  /** Writes what is left of the value. */
  finish(reader: Reader): void {
    const sink = this.#sink;
    if (sink.kind === 'string') {
      this.#addText();
      reader.argument(sink.opened ? '"' : '""', 0);
      return;
    }
    if (reader.call?.exceeded) return;
    if (isDeeper(sink.collected, reader.limits.depth)) {
      reader.exceed('too-deep');
      return;
    }
    if (this.#unwrap && this.#finishWrapped(reader)) return;
    const { json, repair, issue, duplicates = [] } = this.#typed(sink, reader.limits.depth);
    if (repair && !(repair === 'python-word' && this.#spelling.pythonWords)) reader.repair(repair);
    if (issue) reader.issue(issue.code, `${this.#key}: ${issue.message}`);
    for (const key of duplicates) reader.duplicateKey(key);
    if (json.startsWith('"')) this.#addText();
    reader.argument(json, 0);
  }

  #addText(): void {
    this.#isText = true;
    this.texts.add(this.#key, this.#open);
  }

  #typed({ kind, collected }: Sink, depth: number): Coerced {
    if (kind === 'guess') return coerceText(collected, undefined, depth);
    // string="false" announces JSON, and a JSON string is JSON.
    if (this.#types === NOT_STRING && collected.trimStart().startsWith('"')) {
      const text = readJson(collected, { maxDepth: depth });
      if (text && text.repairs.length === 0) return { json: text.json };
    }
    return coerceText(collected, this.#types, depth);
  }

  #finishWrapped(reader: Reader): boolean {
    const unwrap = this.#unwrap as (object: string | undefined) => string;
    this.#unwrap = undefined;
    const read = readJson(this.#sink.collected, { maxDepth: reader.limits.depth });
    const object = read?.json.startsWith('{') ? read : undefined;
    for (const { key } of object?.duplicates ?? []) reader.duplicateKey(key);
    reader.argument(unwrap(object?.json), 0);
    return object !== undefined;
  }
}

function isCloser({ kind }: Tag): boolean {
  return kind === 'value-close' || kind === 'call-close' || kind === 'block-close';
}

/** Counts the white space that was left unread before a tag. */
function spaceAhead({ text, at }: Reader): number {
  return spaceEnd(text, at) - at;
}

/**
 * Whether a value without a schema may still turn out to be JSON other than a string. Runs for every chunk, and so
 * looks at the head alone: scanning the whole value each time would be quadratic.
 */
function couldBeJson(head: string): boolean {
  const first = head.charAt(0);
  if (first === '' || first === '{' || first === '[') return true;
  const trimmed = head.trimEnd();
  if (trimmed.length > 64) return false;
  if (first === '-' || (first >= '0' && first <= '9')) return /^[-+.0-9eE]*$/.test(trimmed);
  return ['true', 'false', 'null'].some((word) => word.startsWith(trimmed));
}

/** Whether JSON is nested deeper than the limit, by its brackets outside strings. */
function isDeeper(text: string, limit: number): boolean {
  if (text.length <= limit || !'{['.includes(text.trimStart().charAt(0))) return false;
  let depth = 0;
  for (let at = 0, inString = false; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '"') inString = !inString;
    else if (!inString && (char === '{' || char === '[') && ++depth > limit) return true;
    else if (!inString && (char === '}' || char === ']')) depth--;
  }
  return false;
}
