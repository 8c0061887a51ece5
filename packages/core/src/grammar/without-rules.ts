// Rules for text that contains none of some strings. GBNF and EBNF cannot express "not this string", so the
// Aho-Corasick automaton, which searches for all of them at once, is written out, one rule for each state:
//
//   without "</a>"     s0 ::= [^<] s0 | "<" s1 |            nothing seen
//                      s1 ::= [^</] s0 | "<" s1 | "/" s2 |   "<" seen
//                      s2 ::= [^<a] s0 | "<" s1 | "a" s3 |   "</" seen
//                      s3 ::= [^<>] s0 | "<" s1 |            "</a" seen: ">" would end it
//
// With a length limit, there is one rule for each state and length so far. Where that would be too many rules, the
// first characters of the strings are forbidden instead: that excludes more text than needed, but it is safe.

import { charsOf, codeOf, except } from './char-ranges.js';
import {
  type CharRanges,
  chars,
  choice,
  EMPTY,
  NEVER,
  type Node,
  ref,
  repeat,
  sequence,
  type Without,
} from './node.js';
import type { RuleBook } from './rule-book.js';

/** The most rules: states times lengths. */
const MAX_STATES = 2_000;

export function expandWithout(node: Without, book: RuleBook): Node {
  const unit = node.escape ? choice(chars(node.ranges), node.escape) : chars(node.ranges);
  const strings = node.strings.filter((string) => spellable(string, node));
  if (strings.length === 0) return repeat(unit, node.from, node.to);
  const machine = machineOf(strings);
  const lengths = (node.to ?? node.from) + 1;
  if (machine.states.length * lengths > MAX_STATES) return strict(node, strings, machine, book);
  return book.named(keyOf(node, strings), 'text', (name) => {
    const states: States = { node, machine, ways: machine.ways(node.ranges), name, book, made: new Map() };
    return stateRule(states, 0, 0);
  });
}

/** Whether the string can occur at all: all its characters must be in the allowed ranges. */
function spellable(string: string, { ranges }: Without): boolean {
  return string !== '' && except(charsOf(string), ranges).length === 0;
}

function keyOf(node: Without, strings: readonly string[]): string {
  const { from, to, ranges } = node;
  return JSON.stringify(['without', strings, from, to ?? -1, ranges, node.escape ?? 0]);
}

/** Forbids the first characters of the strings, where states times lengths are too many rules. */
function strict(node: Without, strings: readonly string[], machine: Machine, book: RuleBook): Node {
  const firsts = strings.map((string) => string.slice(0, codeOf(string) > 0xffff ? 2 : 1)).join('');
  const safe = chars(except(node.ranges, charsOf(firsts)));
  const unit = node.escape ? choice(safe, node.escape) : safe;
  if (node.to !== undefined || machine.states.length > MAX_STATES) {
    book.limit(
      'maxLength',
      `a text with a bound on its length is written without ${[...new Set(firsts)].join(' ')}`,
    );
    return repeat(unit, node.from, node.to);
  }
  return sequence(repeat(unit, node.from, node.from), expandWithout({ ...node, from: 0 }, book));
}

interface States {
  node: Without;
  machine: Machine;
  ways(state: number): Ways;
  name: string;
  book: RuleBook;
  made: Map<string, string>;
}

/** Gives a reference to the rule of one state; makes the rule on first use. */
function stateRef(states: States, state: number, length: number): Node {
  if (state === 0 && length === 0) return ref(states.name);
  const key = `${state}-${length}`;
  const known = states.made.get(key);
  if (known) return ref(known);
  const name = states.book.reserve(states.name);
  states.made.set(key, name);
  states.book.define(name, stateRule(states, state, length));
  return ref(name);
}

function stateRule(states: States, state: number, length: number): Node {
  const { node, machine } = states;
  const ways: Node[] = [];
  const counted = node.to !== undefined || length < node.from;
  if (node.to === undefined || length < node.to) {
    const next = (to: number) => stateRef(states, to, counted ? length + 1 : length);
    const { moves, others } = states.ways(state);
    for (const [char, to] of moves) ways.push(sequence(char, next(to)));
    if (others) ways.unshift(sequence(others, next(0)));
    if (node.escape) ways.push(sequence(node.escape, next(0)));
  }
  if (length >= node.from && machine.mayEnd(state)) ways.push(EMPTY);
  return ways.length === 0 ? NEVER : choice(...ways);
}

/** The characters with a transition from a state, and all others, which lead back to the first state. */
interface Ways {
  moves: readonly [char: Node, to: number][];
  others: Node | undefined;
}

function waysFrom(moves: ReadonlyMap<string, number | undefined>, ranges: CharRanges): Ways {
  const others = except(ranges, charsOf([...moves.keys()].join('')));
  const open = [...moves].flatMap(([char, to]): [Node, number][] =>
    to === undefined ? [] : [[chars(charsOf(char)), to]],
  );
  return { moves: open, others: others.length > 0 ? chars(others) : undefined };
}

// --- the automaton -------------------------------------------------------------------------------------

interface Machine {
  states: readonly State[];
  /** The transitions as nodes, for characters in these ranges. */
  ways(ranges: CharRanges): (state: number) => Ways;
  /** Maps a character to the next state; undefined if it would complete a forbidden string. */
  moves(state: number): Map<string, number | undefined>;
  /** Whether the text may end here: if any of the strings follows, the first match must be that string itself. */
  mayEnd(state: number): boolean;
}

interface State {
  next: Map<string, number>;
  fail: number;
  /** A string ends in this state, or in a state that its failure links lead to. */
  ends: boolean;
}

/** The machines of the last grammars: a structural tag has a grammar for each value, all without the same strings. */
const machines = new Map<string, Machine>();
const MOST_MACHINES = 16;

function machineOf(strings: readonly string[]): Machine {
  const key = JSON.stringify(strings);
  const machine = machines.get(key) ?? createMachine(strings);
  if (machines.size >= MOST_MACHINES) machines.clear();
  // A long one would be kept for nothing: it is too large to be written out.
  if (machine.states.length <= MAX_STATES) machines.set(key, machine);
  return machine;
}

function createMachine(strings: readonly string[]): Machine {
  const states: State[] = [{ next: new Map(), fail: 0, ends: false }];
  for (const string of strings) addString(states, string);
  const queue = [...(states[0] as State).next.values()];
  for (const at of queue) {
    const state = states[at] as State;
    state.ends ||= (states[state.fail] as State).ends;
    for (const [char, to] of state.next) {
      (states[to] as State).fail = step(states, state.fail, char);
      queue.push(to);
    }
  }
  const moves = onceEach((state) => movesOf(states, state));
  const ways = new WeakMap<CharRanges, (state: number) => Ways>();
  return {
    states,
    moves,
    ways(ranges) {
      const known = ways.get(ranges) ?? onceEach((state) => waysFrom(moves(state), ranges));
      ways.set(ranges, known);
      return known;
    },
    mayEnd: onceEach((state) => strings.every((string) => endsOnlyAtItsEnd(states, state, string))),
  };
}

/** Caches `make` by state, because it is called once for every length of text. */
function onceEach<T>(make: (state: number) => T): (state: number) => T {
  const made = new Map<number, T>();
  return (state) => {
    const known = made.get(state) ?? make(state);
    made.set(state, known);
    return known;
  };
}

function addString(states: State[], string: string): void {
  let at = 0;
  for (const char of string) {
    const state = states[at] as State;
    const found = state.next.get(char);
    at = found ?? states.push({ next: new Map(), fail: 0, ends: false }) - 1;
    if (found === undefined) state.next.set(char, at);
  }
  (states[at] as State).ends = true;
}

function step(states: readonly State[], from: number, char: string): number {
  let at = from;
  while (at !== 0 && !(states[at] as State).next.has(char)) at = (states[at] as State).fail;
  return (states[at] as State).next.get(char) ?? 0;
}

function movesOf(states: readonly State[], from: number): Map<string, number | undefined> {
  const moves = new Map<string, number | undefined>();
  for (let at = from; ; at = (states[at] as State).fail) {
    for (const char of (states[at] as State).next.keys()) {
      if (moves.has(char)) continue;
      const to = step(states, from, char);
      moves.set(char, (states[to] as State).ends ? undefined : to);
    }
    if (at === 0) return moves;
  }
}

function endsOnlyAtItsEnd(states: readonly State[], from: number, string: string): boolean {
  let at = from;
  const letters = [...string];
  for (const [index, char] of letters.entries()) {
    at = step(states, at, char);
    if ((states[at] as State).ends)
      return index === letters.length - 1 || !startsInside(states, from, letters, index);
  }
  return true;
}

/** Whether the match that ends early began before the end of the text. */
function startsInside(
  states: readonly State[],
  from: number,
  letters: readonly string[],
  index: number,
): boolean {
  let alone = 0;
  for (const char of letters.slice(0, index + 1)) alone = step(states, alone, char);
  return from !== 0 && !(states[alone] as State).ends;
}
