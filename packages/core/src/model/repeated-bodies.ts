// Bodies of requests, as text. An agent's next request begins with the text of the one before and mostly ends with the
// same tools: comparing the texts costs a hundredth of parsing them. What is equal is taken from the body before, and
// only the rest is parsed.
//
//   {"model":"m","messages":[ {…},{…},{…}   ],"tools":[…]}     the body before
//   {"model":"m","messages":[ {…},{…},{…},{…},{…} ],"tools":[…]}
//   |<------- equal text ------------>|<-parsed->|<- equal ->|

import { freezeConstant, isConstant, makeConstant } from './constants.js';
import { isObject, setMember } from './json.js';
import { endOfValue, endsAt, memberAt, skipSpace } from './json-spans.js';

/** The names of the lists that clients send again in every request. */
export interface RepeatedLists {
  /** Sent again as a whole: tools. */
  readonly whole: readonly string[];
  /** The list that grows: messages. */
  readonly items?: string;
}

type Body = Record<string, unknown>;

/** Keeps a list by its content; gives an equal one that was kept before. */
type KeepList = (list: unknown[]) => unknown[];

/** The most bodies with one beginning that a text is compared with. Sessions of one agent share their first message. */
const MOST_ALIKE = 64;

/** What a body costs besides its characters: without it, a great many small ones would take ten times their text. */
const ENTRY = 500;

/** Characters for each list and object, at least: of fewer, the value takes many times the memory of the text. */
const LEAST_EACH = 8;

/** Keeps the bodies that came last, up to so many characters in all. */
export class RepeatedBodies {
  /** By owner, and by the text up to the end of the first item, and of the second: those that came last. */
  readonly #byStart = new Map<string | undefined, Map<string, readonly KnownBody[]>>();
  /** Ordered by last use. */
  readonly #all = new Set<KnownBody>();
  characters = 0;
  hits = 0;
  misses = 0;

  constructor(
    readonly most: number,
    readonly keep: KeepList,
  ) {}

  get count(): number {
    return this.#all.size;
  }

  /**
   * Gives what JSON.parse gives. What came before is the same object as then, and frozen; throws as JSON.parse does.
   * `elements`: how many items and members the text has at most, where that is known.
   * Only bodies of the same owner are compared: how long it takes would tell what others sent.
   */
  read(text: string, lists: RepeatedLists, elements = Number.POSITIVE_INFINITY, owner?: string): unknown {
    const place = text.length > this.most / 2 ? undefined : listPlace(text, lists.items, owner);
    if (!place) return this.#kept(JSON.parse(text), lists);
    const nearest = this.#nearest(text, place);
    if (nearest?.known.text === text) return this.#again(nearest.known, lists);
    const body = nearest && this.#continued(text, nearest, lists);
    if (!body) return this.#fresh(text, place, lists, elements);
    this.#add(body);
    return { ...body.value, [place.list]: [...body.items] };
  }

  /** The old body stays: a new one each time would make the collector run through all that is kept. */
  #again(known: KnownBody, lists: RepeatedLists): Body {
    this.#remove(known);
    this.#add(known);
    const { items, value } = known;
    this.hits += items.length + this.#wholeOf(value, lists);
    return { ...value, [known.place.list]: [...items] };
  }

  #wholeOf(value: Body, { whole }: RepeatedLists): number {
    return whole.filter((name) => Object.hasOwn(value, name)).length;
  }

  #nearest(text: string, { starts, owner }: ListPlace): Shared | undefined {
    let nearest: Shared | undefined;
    for (const start of starts.toReversed())
      for (const known of this.#alike(owner, start).toReversed()) {
        const least = nearest ? nearest.count + 1 : 0;
        if (!known.shares(text, least)) continue;
        const count = known.sharedWith(text, least);
        if (known.isWorth(count)) nearest = { known, count };
      }
    return nearest;
  }

  /** What came once is only parsed and frozen: most of it never comes again. */
  #fresh(text: string, place: ListPlace, lists: RepeatedLists, elements: number): unknown {
    const value = this.#kept(JSON.parse(text), lists) as Body;
    const items = value[place.list];
    // Otherwise another member of the same name came later.
    if (!Array.isArray(items)) return value;
    this.misses += items.length;
    // Each list and object is an element.
    if (elements > text.length / LEAST_EACH && isDense(text)) return value;
    settle(value, place.list, freezeConstant);
    this.#add(new KnownBody(text, place, value));
    return { ...value, [place.list]: [...items] };
  }

  /** Undefined if the rest of the text cannot be read by itself: then the whole is parsed. */
  #continued(text: string, { known, count }: Shared, lists: RepeatedLists): KnownBody | undefined {
    if (!known.isSound) return undefined;
    try {
      const { place } = known;
      const items = known.items.slice(0, count);
      const ends = known.ends.slice(0, count);
      const close = this.#addItems(text, known, items, ends);
      const after = close < 0 ? undefined : this.#after(text, close, known, lists);
      if (!after) return undefined;
      this.hits += count;
      if (count >= known.items.length - 1) this.#remove(known);
      else this.#renew(known);
      const value = after(items);
      return new KnownBody(text, startsOf(text, place, ends), value, ends, known.before);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Adds the items after the shared ones. Gives the place of the closing bracket, or -1. */
  #addItems(text: string, known: KnownBody, items: unknown[], ends: number[]): number {
    for (;;) {
      const from = ends.at(-1) ?? known.place.start;
      let at = skipSpace(text, from);
      if (text[at] === ']') return at;
      if (items.length > 0) {
        if (text[at] !== ',') return -1;
        at = skipSpace(text, at + 1);
      }
      const end = endOfValue(text, at);
      if (end < 0) return -1;
      const before = known.textAt(items.length) === text.slice(from, end);
      items.push(
        before ? known.items[items.length] : settleValue(JSON.parse(text.slice(at, end)), makeConstant),
      );
      ends.push(end);
      if (before) this.hits++;
      else this.misses++;
    }
  }

  /** Gives a function that makes the body of its items, with the members before and after the list. */
  #after(text: string, close: number, known: KnownBody, lists: RepeatedLists) {
    const { list } = known.place;
    if (text.slice(close) === known.tail) {
      this.hits += this.#wholeOf(known.value, lists);
      return (items: unknown[]): Body => ({ ...known.value, [list]: items });
    }
    const after = membersAfter(text, close + 1, list);
    return (
      after &&
      ((items: unknown[]): Body => {
        const value: Body = { ...known.before, [list]: items };
        for (const [key, member] of Object.entries(after)) setMember(value, key, member);
        return settle(this.#kept(value, lists) as Body, list, makeConstant);
      })
    );
  }

  #kept(value: unknown, { whole }: RepeatedLists): unknown {
    if (!isObject(value)) return value;
    for (const name of whole) {
      const list = Object.hasOwn(value, name) ? value[name] : undefined;
      if (Array.isArray(list) && list.length > 0 && !isConstant(list)) value[name] = this.keep(list);
    }
    return value;
  }

  #add(body: KnownBody): void {
    this.#all.add(body);
    this.characters += body.text.length + ENTRY;
    const { owner, starts } = body.place;
    for (const start of starts) {
      const alike = [...this.#alike(owner, start), body];
      const oldest = alike.length > MOST_ALIKE ? alike.shift() : undefined;
      this.#index(owner, start, alike);
      // One that has a longer beginning is still found by that.
      if (oldest?.place.starts.at(-1) === start) this.#remove(oldest);
    }
    for (const oldest of this.#all) {
      if (this.characters <= this.most) break;
      this.#remove(oldest);
    }
  }

  #renew(body: KnownBody): void {
    this.#all.delete(body);
    this.#all.add(body);
  }

  #remove(body: KnownBody): void {
    if (!this.#all.delete(body)) return;
    this.characters -= body.text.length + ENTRY;
    const { owner, starts } = body.place;
    for (const start of starts)
      this.#index(
        owner,
        start,
        this.#alike(owner, start).filter((other) => other !== body),
      );
  }

  #alike(owner: string | undefined, start: string): readonly KnownBody[] {
    return this.#byStart.get(owner)?.get(start) ?? [];
  }

  /** The key is a part of a text: one of these bodies must hold it, or an old text stays in memory. */
  #index(owner: string | undefined, start: string, alike: readonly KnownBody[]): void {
    const own = this.#byStart.get(owner) ?? new Map<string, readonly KnownBody[]>();
    this.#byStart.set(owner, own);
    own.delete(start);
    const key = alike.at(-1)?.place.starts.find((one) => one === start);
    if (key !== undefined) own.set(key, alike);
    if (own.size === 0) this.#byStart.delete(owner);
  }
}

/** Whether the text has more lists and objects than are worth keeping. */
function isDense(text: string): boolean {
  let left = text.length / LEAST_EACH;
  for (const opener of ['{', '['])
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1))
      if (--left < 0) return true;
  return false;
}

interface Shared {
  known: KnownBody;
  /** How many items are the same, from the first on. */
  count: number;
}

/** Where the list that grows is. */
interface ListPlace {
  owner: string | undefined;
  list: string;
  /** After its opening bracket. */
  start: number;
  /** The text up to the end of the first item, and of the second. */
  starts: readonly string[];
}

/** Undefined if the body is no object with a list of this name that has an item. */
function listPlace(text: string, list?: string, owner?: string): ListPlace | undefined {
  const open = skipSpace(text, 0);
  if (list === undefined || text[open] !== '{') return undefined;
  let member = memberAt(text, open + 1, true, list);
  while (member && member.key !== list) member = memberAt(text, member.end, false, list);
  if (!member || text[member.start] !== '[') return undefined;
  const start = member.start + 1;
  const ends: number[] = [];
  while (ends.length < 2 && addEnd(text, start, ends));
  return ends.length === 0 ? undefined : startsOf(text, { owner, list, start }, ends);
}

function startsOf(
  text: string,
  { owner, list, start }: Omit<ListPlace, 'starts'>,
  ends: readonly number[],
): ListPlace {
  return { owner, list, start, starts: ends.slice(0, 2).map((end) => text.slice(0, end)) };
}

/** Adds the end of the next item. False if there is none. */
function addEnd(text: string, start: number, ends: number[]): boolean {
  let at = skipSpace(text, ends.at(-1) ?? start);
  if (ends.length > 0 && text[at] === ',') at = skipSpace(text, at + 1);
  if (text[at] === ']') return false;
  const end = endOfValue(text, at);
  if (end > at) ends.push(end);
  return end > at;
}

/** Whether one of these members comes again after the list, or anything that cannot be read. */
function comesAgain(text: string, from: number, before: Body): boolean {
  let at = skipSpace(text, from);
  while (text[at] !== '}') {
    const member = memberAt(text, at, false);
    if (!member || Object.hasOwn(before, member.key)) return true;
    at = skipSpace(text, member.end);
  }
  return false;
}

/** Reads the members after the list. Undefined if one of them is the list again, or if they cannot be read. */
function membersAfter(text: string, from: number, list: string): Body | undefined {
  const members: Body = {};
  let at = skipSpace(text, from);
  while (text[at] !== '}') {
    const member = memberAt(text, at, false);
    if (!member || member.key === list) return undefined;
    setMember(members, member.key, JSON.parse(text.slice(member.start, member.end)));
    at = skipSpace(text, member.end);
  }
  return skipSpace(text, at + 1) === text.length ? members : undefined;
}

/** Freezes what the members hold. The items of the list are constants of their own. */
function settle(body: Body, list: string, freeze: (value: object) => object): Body {
  for (const item of body[list] as unknown[]) settleValue(item, freeze);
  for (const member of Object.values(body)) settleValue(member, freeze);
  return body;
}

function settleValue(value: unknown, freeze: (value: object) => object): unknown {
  return typeof value === 'object' && value !== null ? freeze(value) : value;
}

class KnownBody {
  #isSettled = false;
  #before: Body | undefined;
  #tail: string | undefined;
  #isSound: boolean | undefined;

  constructor(
    readonly text: string,
    readonly place: ListPlace,
    /** Of a body that came once, what it holds is only frozen. */
    readonly parsed: Body,
    /** Where items end: as far as they were looked for. */
    readonly ends: number[] = [],
    before?: Body,
  ) {
    this.#before = before;
    // One that continues another was read in parts.
    if (!before) return;
    this.#isSound = true;
    this.#isSettled = true;
  }

  get value(): Body {
    if (!this.#isSettled) settle(this.parsed, this.place.list, makeConstant);
    this.#isSettled = true;
    return this.parsed;
  }

  get items(): readonly unknown[] {
    return this.value[this.place.list] as unknown[];
  }

  /** Whether sharing so many items is worth reading a body that came once. */
  isWorth(count: number): boolean {
    return this.#isSettled || 2 * count >= this.ends.length;
  }

  /** Whether no member comes twice: the later one would replace the items, or what came before them. */
  get isSound(): boolean {
    this.#isSound ??= this.#checkMembers();
    return this.#isSound;
  }

  #checkMembers(): boolean {
    this.#findEnds();
    return this.ends.length === this.items.length && !comesAgain(this.tail, 1, this.before);
  }

  /** The members before the list, and the list. Those that hold something are the body's own. */
  get before(): Body {
    this.#before ??= this.#readBefore();
    return this.#before;
  }

  #readBefore(): Body {
    const members = JSON.parse(`${this.text.slice(0, this.place.start)}]}`) as Body;
    for (const [key, member] of Object.entries(members))
      if (typeof member === 'object') setMember(members, key, this.value[key]);
    return members;
  }

  /** The text after the items. */
  get tail(): string {
    this.#findEnds();
    this.#tail ??= this.text.slice(skipSpace(this.text, this.ends.at(-1) ?? this.place.start));
    return this.#tail;
  }

  /** Whether the text has the first `count` items, too. */
  shares(text: string, count: number): boolean {
    this.#findEnds(count);
    const end = count === 0 ? this.place.start : this.ends[count - 1];
    if (end === undefined || text.slice(0, end) !== this.text.slice(0, end)) return false;
    // A number goes on where its text ends.
    return count === 0 || endsAt(text, end);
  }

  /** Gives how many items are the same, from the first on: at least `least`. */
  sharedWith(text: string, least: number): number {
    this.#findEnds();
    let [low, high] = [least, this.ends.length];
    if (this.shares(text, high)) return high;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.shares(text, middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The text of an item, with the comma before it. */
  textAt(index: number): string | undefined {
    this.#findEnds(index + 1);
    const start = index === 0 ? this.place.start : this.ends[index - 1];
    const end = this.ends[index];
    return start === undefined || end === undefined ? undefined : this.text.slice(start, end);
  }

  #findEnds(count = Number.POSITIVE_INFINITY): void {
    while (this.ends.length < count && addEnd(this.text, this.place.start, this.ends));
  }
}
