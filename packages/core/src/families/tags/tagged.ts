// Family: tagged arguments. One element for each call, one for each argument, values as raw text.
//
//   <tool_calls> <invoke name="f"> <parameter name="k"> value </parameter> </invoke> </tool_calls>
//                ^ #firstCall      ^ #body              ^ TaggedValue      ^ #body   ^ #between
//   <tool_call>  f  <arg_key> k </arg_key> <arg_value> value </arg_value> </tool_call>
//                ^ #nameInText   ^ #key    ^ #beforeValue
//   |<--- held --->| until the call counts: an argument or its end follows its tag, or a name is inside (glm)
//
// A dialect gives the tags; the machine below reads them in any layout and with the mistakes models make. A call
// outside of a block, where the dialect has one, is held until it is closed.
//
// The hard part is to find where a value ends: its text is unescaped and may hold anything, so a closer counts only if
// a fitting tag follows it. See tagged-value.ts.

import type { Opener } from '../../engine/dialect.js';
import type { Hold, OpenerHold } from '../../engine/hold.js';
import { NO, NOT_YET, nextOf, restore } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import type { RepairCode } from '../../model/index.js';
import type { JsonFailure } from '../../text/json.js';
import { streamedArguments } from '../json/streamed-arguments.js';
import type { NestedValue } from './nested-value.js';
import { beginsTag, passLayout, skipLayout, type Tag, type TaggedSpelling } from './tagged-spelling.js';
import { KEY_LIMIT, TaggedValue } from './tagged-value.js';

const NAME_LIMIT = 256;
const FENCE = '```';

export function taggedOpeners(spelling: TaggedSpelling): Opener[] {
  const begins = (tag: Tag) =>
    tag.kind === 'block-open' || (tag.kind === 'call-open' && (!spelling.block || !!spelling.bareCalls));
  return [
    {
      firsts: spelling.firsts ?? '<',
      ...(spelling.next && { next: spelling.next }),
      match: (text, at, ended) => {
        const tag = (spelling.opener ?? spelling.tag)(text, at, ended);
        if (tag === NO || tag === NOT_YET) return tag;
        return begins(tag) ? tag.length : NO;
      },
      open: (reader, hold) => new TaggedBlock(spelling, hold).open(reader),
    },
  ];
}

class TaggedBlock {
  readonly #spelling: TaggedSpelling;
  readonly #value: TaggedValue;
  readonly #nested: NestedValue | undefined;
  /** The first characters of tags. */
  readonly #firsts: string;
  /** Open until the call counts. Before that, everything may become text; after that, an unreadable call fails. */
  readonly #hold: OpenerHold;
  /** Whether the call is outside a block: then it counts only when it is closed. */
  #bare = false;
  /** Whether a space follows the opener. */
  #loose = false;
  #keys = new Set<string>();
  #members = 0;
  /** Whether the arguments are one JSON object. */
  #whole = false;
  /** Whether it was reported that a value of the call may be cut. */
  #doubted = false;
  /** Keys that were written before the value of the key before them: their values follow that one. */
  #later: string[] = [];
  /** Open while it is not certain that the values of `#later` follow. */
  #laterHold: Hold | undefined;
  /** Where keys without values were found not to be such. */
  #noLaterAt = -1;

  constructor(spelling: TaggedSpelling, hold: OpenerHold) {
    this.#spelling = spelling;
    this.#hold = hold;
    this.#firsts = spelling.firsts ?? '<';
    this.#value = new TaggedValue(
      spelling,
      () => this.#nested?.after ?? this.#body,
      (key) => !this.#keys.has(key),
    );
    this.#nested = spelling.nest?.(spelling, this.#value, () => this.#body);
  }

  open(reader: Reader): Mode {
    const { opener, tag: any } = this.#spelling;
    const tag = (opener ?? any)(reader.text, reader.at, false) as Tag;
    reader.unfinished = 'incomplete';
    if (tag.kind === 'block-open') {
      this.#value.block = tag;
      reader.markup(tag.length, tag.repair);
      return this.#firstCall;
    }
    const { block, nameInText } = this.#spelling;
    return block && !nameInText ? this.#openBare(reader, tag) : this.#enterCall(reader, tag);
  }

  /** | <call>  — outside of a block. */
  #openBare(reader: Reader, tag: Tag): Mode {
    this.#bare = true;
    reader.unfinished = 'text';
    if (this.#spelling.bareCalls === 'if-declared' && !reader.setup.tools.has(tag.name ?? ''))
      return this.#hold.reject();
    reader.repair('missing-wrapper');
    return this.#openCall(reader, tag);
  }

  #tag(reader: Reader, at = reader.at): Tag | typeof NO | typeof NOT_YET {
    // Inside a block, half a tag at the end is a tag that was cut, never text. So the match runs as if more text came.
    if (at >= reader.text.length) return NOT_YET;
    return beginsTag(this.#firsts, reader.text, at) ? this.#spelling.tag(reader.text, at, false) : NO;
  }

  // ---------------------------------------------------------------- blocks

  /** <block> | <call  — a block counts only if a call begins in it, and not if both are only mentioned. */
  readonly #firstCall: Mode = (reader) => {
    if (!passLayout(reader)) return undefined;
    const tag = this.#tag(reader);
    if (tag === NOT_YET) return undefined;
    if (tag === NO) return this.#jsonCall(reader);
    if (tag.kind === 'call-open') return this.#enterCall(reader, tag);
    if (tag.kind === 'frame') {
      reader.markup(tag.length);
      return this.#firstCall;
    }
    if (tag.kind !== 'block-close') return this.#hold.reject();
    this.#hold.keep();
    return this.#closeBlock(reader, tag);
  };

  /** <block> | {"name": …}  — the whole call as JSON. */
  #jsonCall(reader: Reader): Mode {
    const { jsonCall } = this.#spelling;
    if (!jsonCall || reader.text.charAt(reader.at) !== '{') return this.#hold.reject();
    reader.repair('json-body');
    return jsonCall(reader, {
      closer: this.#closer,
      hold: this.#hold,
      done: this.#behindJsonCall,
      reject: () => this.#hold.reject(),
    });
  }

  readonly #behindJsonCall: Mode = (reader) => {
    this.#hold.settle();
    reader.unfinished = 'missing-closer';
    return this.#spelling.block ? this.#between : this.#closeJsonCall;
  };

  /** <tool_call> {…} | </tool_call>  — where no block is around it. */
  readonly #closeJsonCall: Mode = (reader) => {
    if (!passLayout(reader)) return undefined;
    const tag = this.#tag(reader);
    if (tag === NOT_YET) return undefined;
    if (tag === NO || tag.kind !== 'call-close') return reader.leaveOpen();
    return this.#closeBlock(reader, tag);
  };

  /** Matches a tag, which ends JSON that is incomplete. */
  readonly #closer = (text: string, at: number, ended: boolean): number => {
    if (!beginsTag(this.#firsts, text, at)) return NO;
    const tag = this.#spelling.tag(text, at, ended);
    return tag === NO || tag === NOT_YET ? tag : tag.length;
  };

  #closeBlock(reader: Reader, tag: Tag): Mode {
    reader.markup(tag.length, tag.repair);
    reader.unfinished = 'nothing';
    return reader.plain;
  }

  /** </call> | <call or </block>  */
  readonly #between: Mode = (reader) => {
    if (!passLayout(reader)) return undefined;
    const tag = this.#tag(reader);
    if (tag === NOT_YET) return undefined;
    if (tag === NO) return this.#prose;
    switch (tag.kind) {
      case 'call-open':
        reader.unfinished = 'incomplete';
        return this.#enterCall(reader, tag);
      case 'block-close':
        return this.#closeBlock(reader, tag);
      case 'block-open':
        reader.repair('missing-closer');
        reader.unfinished = 'nothing';
        return reader.plain;
      default:
        if (this.#value.texts.couldClose(tag)) reader.reportLeftover(tag.length);
        return this.#pass(reader, tag, 'stray-closer', this.#between);
    }
  };

  /** Skips a tag that means nothing here. */
  #pass(reader: Reader, { kind, length, repair }: Tag, otherwise: RepairCode, back: Mode): Mode {
    const noted = kind === 'token' ? (repair ?? 'role-token') : otherwise;
    reader.markup(length, kind === 'frame' ? undefined : noted);
    return back;
  }

  /** </call> | text  — among the calls of a block, up to the next tag. */
  readonly #prose: Mode = (reader) => {
    const { text, at } = reader;
    const next = nextOf(text, this.#firsts, at);
    reader.say(next - at);
    if (next >= text.length) return undefined;
    const tag = this.#tag(reader);
    if (tag === NOT_YET) return undefined;
    if (tag !== NO) return this.#between;
    reader.say(1);
    return this.#prose;
  };

  // ---------------------------------------------------------------- calls

  #enterCall(reader: Reader, tag: Tag): Mode {
    if (!this.#spelling.nameInText) return this.#openCall(reader, tag);
    reader.markup(tag.length, tag.repair);
    this.#loose = false;
    return this.#nameInText;
  }

  #openCall(reader: Reader, tag: Tag): Mode {
    const { name = '', nameAt = 0, nameLength = name.length } = tag;
    reader.markup(nameAt);
    reader.beginCall(name, nameLength);
    reader.identify();
    reader.markup(tag.length - nameAt - nameLength, tag.repair);
    this.#reset();
    return tag.selfClosing ? this.#endCall(reader) : this.#body;
  }

  /** Makes the call count: an argument, or the call's end, follows its tag. Events stream from here on. */
  #commit(): void {
    if (!this.#bare) this.#hold.settle();
  }

  /** <tool_call> | name  — glm: the name is text, up to the first tag. */
  readonly #nameInText: Mode = (reader) => {
    const loose = reader.text.charAt(reader.at) === ' ';
    this.#loose ||= loose;
    if (!passLayout(reader)) return undefined;
    const { text, at } = reader;
    if (this.#spelling.jsonCall && text.charAt(at) === '{') return this.#jsonCall(reader);
    let end = at;
    while (end < text.length && isToolNameChar(text.charAt(end))) end++;
    if (end - at > NAME_LIMIT) return this.#refuseName(reader);
    const literal = text.indexOf('\\n', at);
    if (literal >= 0 && literal < end) end = literal;
    const follow = skipLayout(text, end);
    if (follow >= text.length || (text.charAt(follow) === '\\' && follow + 1 >= text.length))
      return undefined;
    const name = text.slice(at, end);
    if (!/[\p{L}\p{N}_]/u.test(name)) return this.#refuseName(reader);
    return this.#behindName(reader, name, follow);
  };

  /** <tool_call>name | <arg_key> or </tool_call>, or what models write instead. */
  #behindName(reader: Reader, name: string, follow: number): Mode | undefined {
    const declared = reader.setup.tools.has(name);
    // `<tool_call> and </tool_call>` in prose: a name has no spaces around it, unless a tool of that name is declared.
    const spaced = this.#loose || reader.text.charAt(reader.at + name.length) === ' ';
    const tag = this.#tag(reader, follow);
    if (spaced && !declared) {
      // Unless a whole key follows, which no prose has.
      reader.unfinished = 'text';
      if (tag === NOT_YET) return undefined;
      const isKey = tag !== NO && tag.kind === 'key-open';
      return this.#ifKey(reader, isKey ? follow + tag.length : -1, name);
    }
    if (reader.text.charAt(follow) === '{') return this.#named(reader, name);
    if (tag === NOT_YET) return undefined;
    if (tag === NO) return this.#ifKey(reader, declared ? follow : -1, name);
    switch (tag.kind) {
      case 'key-open':
      case 'call-close':
      case 'value-close':
      case 'frame':
        return this.#named(reader, name);
      case 'key-close':
        return this.#fused(reader, name, tag);
      case 'call-open':
        return this.#ifKey(reader, follow + tag.length, name);
      default:
        return this.#refuseName(reader);
    }
  }

  /** Begins the call if a key follows at `at` whose opener is lost or misspelt. */
  #ifKey(reader: Reader, at: number, name: string): Mode | undefined {
    const key = at < 0 ? NO : this.#value.keyEnd(reader, at);
    if (key === NOT_YET) return undefined;
    return key === NO ? this.#refuseName(reader) : this.#named(reader, name);
  }

  #named(reader: Reader, name: string): Mode {
    reader.unfinished = 'incomplete';
    reader.beginCall(name, name.length);
    reader.identify();
    this.#hold.settle();
    this.#reset();
    return this.#body;
  }

  /** Rejects an opener without a name: it was only mentioned, or, among calls, it is an unreadable call. */
  #refuseName(reader: Reader): Mode {
    return this.#fail(reader, 'unreadable-call', 'A call has no name.');
  }

  #reset(): void {
    this.#members = 0;
    this.#whole = false;
    this.#doubted = false;
    this.#later = [];
    this.#laterHold = undefined;
    this.#keys.clear();
    this.#value.reset();
  }

  /** Reports that a value of the call may be cut, once. */
  #doubt(reader: Reader): void {
    if (!this.#doubted) reader.issue('ambiguous-value', this.#value.texts.message);
    this.#doubted = true;
  }

  /** Reports that the last value of the call may be two: it holds the tag of another argument. */
  #doubtLast(reader: Reader): void {
    if (this.#value.holdsCloser || this.#value.mayHold) this.#doubt(reader);
  }

  /** Splits `get_weathercity</arg_key>`, where the key's opener is lost, after the longest declared name. */
  #fused(reader: Reader, text: string, tag: Tag): Mode {
    let name = '';
    for (const declared of reader.setup.tools.keys())
      if (text.startsWith(declared) && declared.length > name.length && declared.length < text.length)
        name = declared;
    if (name === '') return this.#refuseName(reader);
    this.#named(reader, name);
    reader.repair('fused-name');
    return this.#endKey(reader, text.slice(name.length), text.length - name.length, tag.length);
  }

  /** <call> | <argument or </call>  */
  readonly #body: Mode = (reader) => {
    if (!passLayout(reader)) return undefined;
    if (this.#later.length > 0) return this.#laterValue;
    if (this.#members === 0 && !this.#whole && reader.text.charAt(reader.at) === '{')
      return this.#openJson(reader);
    const tag = this.#tag(reader);
    if (tag === NOT_YET) return undefined;
    if (tag === NO) return this.#textInCall(reader);
    this.#commit();
    switch (tag.kind) {
      case 'value-open':
        return tag.name === undefined ? this.#keylessValue(reader, tag) : this.#openValue(reader, tag);
      case 'key-open':
        reader.markup(tag.length, tag.repair);
        return this.#key;
      case 'call-close':
        return this.#endCall(reader, tag);
      case 'block-close':
        return this.#lostCallCloser(reader);
      case 'call-open':
        return this.#callInCall(reader, tag);
      case 'block-open':
        return this.#pass(reader, tag, 'doubled-opener', this.#body);
      default:
        if (this.#value.mayGoOn && this.#value.texts.couldClose(tag)) this.#doubt(reader);
        return this.#pass(reader, tag, 'stray-closer', this.#body);
    }
  };

  #callInCall(reader: Reader, tag: Tag): Mode | undefined {
    if (!this.#spelling.nameInText) return this.#lostCallCloser(reader);
    const key = this.#value.keyEnd(reader, reader.at + tag.length);
    if (key === NOT_YET) return undefined;
    if (key === NO) return this.#lostCallCloser(reader);
    reader.markup(tag.length, 'other-spelling');
    return this.#key;
  }

  /** Ends the call where its closer is missing: the next call, or the block's end, follows. */
  #lostCallCloser(reader: Reader): Mode {
    if (this.#hold.isOpen) return this.#hold.reject();
    reader.repair('missing-closer');
    return this.#endCall(reader);
  }

  #textInCall(reader: Reader): Mode | undefined {
    if (this.#spelling.nameInText) {
      // A key whose opener is lost: `date</arg_key>`.
      const key = this.#value.keyEnd(reader, reader.at);
      if (key === NOT_YET) return undefined;
      if (key > 0) {
        reader.repair('missing-opener');
        return this.#key;
      }
    } else if (this.#members === 0 && !this.#whole) return this.#textForArguments(reader);
    return this.#junk;
  }

  /** <call> | text  — a code fence around a JSON body, or a tag that was only mentioned, or unreadable text. */
  #textForArguments(reader: Reader): Mode | undefined {
    const { text, at } = reader;
    if (text.startsWith(FENCE, at)) return this.#fence(reader);
    return FENCE.startsWith(text.slice(at)) ? undefined : this.#refuseText(reader);
  }

  #refuseText(reader: Reader): Mode {
    return this.#fail(reader, 'unreadable-call', 'Text stands where the arguments are due.');
  }

  /** ```json | {  */
  #fence(reader: Reader): Mode | undefined {
    const { text, at } = reader;
    let end = at + FENCE.length;
    while (end < text.length && end - at < 16 && /[a-z]/i.test(text.charAt(end))) end++;
    const json = skipLayout(text, end);
    if (json - at > NAME_LIMIT) return this.#refuseText(reader);
    if (json >= text.length) return undefined;
    if (text.charAt(json) !== '{') return this.#refuseText(reader);
    reader.markup(end - at, 'text-in-block');
    return this.#body;
  }

  /** Skips text where an argument or the call's closer is expected, up to the next tag. */
  readonly #junk: Mode = (reader) => {
    const { text, at } = reader;
    const next = nextOf(text, this.#firsts, at);
    reader.markup(next - at, next === at ? undefined : 'text-in-block');
    if (next >= text.length) return undefined;
    const tag = this.#tag(reader);
    if (tag === NOT_YET) return undefined;
    if (tag !== NO) return this.#body;
    reader.markup(1, 'text-in-block');
    return this.#junk;
  };

  #endCall(reader: Reader, tag?: Tag): Mode {
    this.#doubtLast(reader);
    if (!this.#whole) reader.argument(this.#members > 0 ? '}' : '{}', 0);
    if (tag?.repair) reader.repair(tag.repair);
    reader.endCall(tag?.length ?? 0);
    this.#watch(reader);
    this.#hold.settle();
    const inBlock = this.#spelling.block && !this.#bare;
    reader.unfinished = inBlock ? 'missing-closer' : 'nothing';
    if (inBlock) return this.#between;
    return this.#bare ? this.#behindBare : reader.plain;
  }

  #watch(reader: Reader): void {
    const leftover = this.#doubted ? undefined : this.#value.texts.leftover(this.#spelling);
    if (leftover) reader.watchFor(leftover);
  }

  /** </call> | </block>  — of a block that was never opened. Anything else is plain text. */
  readonly #behindBare: Mode = (reader) => {
    const at = skipLayout(reader.text, reader.at);
    const tag = this.#tag(reader, at);
    if (tag === NOT_YET) return reader.ended || at - reader.at > NAME_LIMIT ? reader.plain : undefined;
    if (tag !== NO && tag.kind === 'block-close') reader.markup(at - reader.at + tag.length, 'stray-closer');
    return reader.plain;
  };

  // ---------------------------------------------------------------- keys and values

  /** <arg_key> | key </arg_key>  */
  readonly #key: Mode = (reader) => {
    const { text, at, ended } = reader;
    for (let end = nextOf(text, this.#firsts, at); ; end = nextOf(text, this.#firsts, end + 1)) {
      if (end >= text.length) return text.length - at > KEY_LIMIT ? this.#unendedKey(reader) : undefined;
      const tag = this.#spelling.tag(text, end, ended);
      if (tag === NOT_YET) return undefined;
      if (tag === NO) continue;
      if (tag.kind === 'key-close') return this.#endKey(reader, text.slice(at, end), end - at, tag.length);
      if (tag.kind === 'key-open' && end === at) {
        reader.markup(tag.length, 'doubled-opener');
        return this.#key;
      }
      if (tag.kind !== 'value-open') return this.#unendedKey(reader);
      reader.repair('missing-closer');
      return this.#endKey(reader, text.slice(at, end).trimEnd(), end - at, 0);
    }
  };

  #unendedKey(reader: Reader): Mode {
    return this.#fail(reader, 'unreadable-call', 'A key does not end.');
  }

  #endKey(reader: Reader, key: string, length: number, closer: number): Mode {
    this.#argument(reader, this.#knownKey(reader, restore(key, this.#spelling.markers)), length);
    reader.markup(closer);
    return this.#beforeValue;
  }

  /** Gives the key as written, or without the white space around it if only that is declared. */
  #knownKey(reader: Reader, key: string): string {
    const trimmed = key.trim();
    return trimmed !== key && reader.setup.tools.size > 0 && this.#value.declares(reader, trimmed)
      ? trimmed
      : key;
  }

  /** Writes `{"key":` of the next argument. */
  #argument(reader: Reader, key: string, length: number): void {
    if (this.#value.holdsOpener || this.#value.holdsCloser) this.#doubt(reader);
    this.#value.begin(reader, key);
    if (this.#keys.has(key)) reader.duplicateKey(key);
    this.#keys.add(key);
    reader.argument(`${this.#members++ > 0 ? ',' : '{'}${JSON.stringify(key)}:`, length);
  }

  /** </arg_key> | <arg_value>  */
  readonly #beforeValue: Mode = (reader) => {
    if (!passLayout(reader)) return undefined;
    const tag = this.#tag(reader);
    if (tag === NOT_YET) return undefined;
    if (tag !== NO && tag.kind === 'value-open') {
      reader.markup(tag.length, tag.repair);
      return this.#value.start(reader, tag);
    }
    if (tag === NO) {
      reader.repair('missing-opener');
      if (this.#value.mayGoOn) this.#doubt(reader);
      return this.#value.start(reader, undefined);
    }
    if (tag.kind === 'key-close') {
      reader.markup(tag.length, 'stray-closer');
      return this.#beforeValue;
    }
    if (tag.kind === 'key-open' && reader.mayGoBack && reader.position !== this.#noLaterAt) {
      this.#laterHold = reader.try();
      return this.#laterKey;
    }
    reader.repair('missing-value');
    this.#value.finish(reader);
    return this.#body;
  };

  // ---------------------------------------------------------------- all keys, then all values

  /** <arg_key>a</arg_key> | <arg_key>b</arg_key> <arg_value>1</arg_value> <arg_value>2</arg_value>  */
  readonly #laterKey: Mode = (reader) => {
    if (!passLayout(reader)) return undefined;
    const tag = this.#tag(reader);
    if (tag === NOT_YET) return undefined;
    if (tag !== NO && tag.kind === 'value-open') {
      reader.markup(tag.length, tag.repair);
      return this.#value.start(reader, tag);
    }
    const start = reader.at + (tag === NO ? 0 : tag.length);
    const end = tag !== NO && tag.kind === 'key-open' ? this.#value.keyEnd(reader, start) : NO;
    if (end === NOT_YET) return undefined;
    if (end === NO) return this.#noLater(reader);
    this.#later.push(this.#knownKey(reader, restore(reader.text.slice(start, end), this.#spelling.markers)));
    reader.markup(end - reader.at);
    reader.markup((this.#tag(reader) as Tag).length);
    return this.#laterKey;
  };

  /** <arg_value>1</arg_value> | <arg_value>2</arg_value>  — of the next key that waits. */
  readonly #laterValue: Mode = (reader) => {
    const tag = this.#tag(reader);
    if (tag === NOT_YET) return undefined;
    const isValue = tag !== NO && tag.kind === 'value-open';
    if (!isValue && this.#laterHold?.isOpen) return this.#noLater(reader);
    this.#laterHold?.settle();
    if (isValue) reader.repair('other-spelling');
    else reader.repair('missing-value');
    this.#argument(reader, this.#later.shift() as string, 0);
    if (isValue) {
      reader.markup(tag.length, tag.repair);
      return this.#value.start(reader, tag);
    }
    this.#value.finish(reader);
    return this.#body;
  };

  /** <arg_value>1</arg_value> | <arg_value>2</arg_value>  — of no key: left out, and reported. */
  #keylessValue(reader: Reader, tag: Tag): Mode {
    reader.issue('ambiguous-value', 'A value has no key; it is left out.');
    this.#doubted = true;
    reader.markup(tag.length, 'text-in-block');
    return this.#junk;
  }

  /** The values do not follow: the first key has none. */
  #noLater(reader: Reader): Mode {
    this.#laterHold?.undo();
    this.#later = [];
    this.#noLaterAt = reader.position;
    this.#value.again(reader);
    return this.#beforeValue;
  }

  // ---------------------------------------------------------------- arguments whose key is in the tag

  /** <parameter name="k"> | value  — the key is in the tag. */
  #openValue(reader: Reader, tag: Tag): Mode {
    const { name: key = '', nameAt = 0, nameLength = key.length } = tag;
    const wrapper =
      this.#members === 0 && this.#spelling.wrappers?.includes(key) && this.#canWrap(reader, key);
    reader.markup(nameAt);
    if (wrapper) {
      this.#value.begin(reader, key);
      this.#value.wrap((inner) => this.#unwrap(reader, key, inner));
      reader.argument('', nameLength);
    } else this.#argument(reader, restore(key, this.#spelling.markers), nameLength);
    reader.markup(tag.length - nameAt - nameLength, tag.repair);
    return this.#nested ? this.#nested.start(reader, tag) : this.#value.start(reader, tag);
  }

  #canWrap(reader: Reader, key: string): boolean {
    return reader.call?.tool !== undefined && !this.#value.declares(reader, key);
  }

  /** Unwraps one parameter that held all arguments. If its value is no object, it is an ordinary parameter. */
  #unwrap(reader: Reader, key: string, object: string | undefined): string {
    if (object === undefined) return `${this.#members++ > 0 ? ',' : '{'}${JSON.stringify(key)}:`;
    reader.repair('wrapped-arguments');
    if (object === '{}') return '';
    return `${this.#members++ > 0 ? ',' : '{'}${object.slice(1, -1)}`;
  }

  // ---------------------------------------------------------------- a JSON body, and giving up

  /** <call> | {…}  */
  #openJson(reader: Reader): Mode {
    this.#whole = true;
    this.#commit();
    const reading = streamedArguments(reader, {
      closer: this.#closer,
      done: () => this.#body,
      fail: (r, code, message) => this.#fail(r, code, `The arguments could not be read: ${message}.`),
    });
    if (!this.#spelling.whole) reader.repair('json-body');
    return reading;
  }

  #fail(reader: Reader, code: JsonFailure['code'], message: string): Mode {
    if (this.#hold.isOpen) return this.#hold.reject();
    reader.failCall(code, message);
    reader.unfinished = 'missing-closer';
    return this.#skip;
  }

  /** Skips a call that could not be read, up to its closer or whatever begins next. */
  readonly #skip: Mode = (reader) => {
    const { text, at } = reader;
    const next = nextOf(text, this.#firsts, at);
    reader.markup(next - at);
    const tag = this.#tag(reader);
    if (tag === NOT_YET || reader.at >= text.length) return undefined;
    if (tag === NO || !(tag.kind.startsWith('call') || tag.kind.startsWith('block'))) {
      reader.markup(tag === NO ? 1 : tag.length);
      return this.#skip;
    }
    reader.unfinished = this.#spelling.block ? 'missing-closer' : 'nothing';
    if (tag.kind === 'call-close') reader.markup(tag.length);
    return this.#spelling.block ? this.#between : reader.plain;
  };
}

/** Whether a tool's name may have this character, read leniently: no white space, no brackets, no quotes. */
function isToolNameChar(char: string): boolean {
  return !' \t\r\n<>{}[]()"\'`,;=|'.includes(char);
}
