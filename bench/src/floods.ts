// Floods: every marker of every dialect, whole and in halves, and the tokens of JSON, JavaScript and tags, repeated, in
// plain text, after an opener, inside an argument and inside reasoning.

import { type Dialect, dialects, renderMessages, renderPrompt } from '@dragoman/core';
import { callText, longConversation, tagsIn } from './inputs.js';
import { DOUBLING } from './limits.js';
import { cpuOf, raceFor, upToThrice } from './measure.js';
import { readWith } from './read.js';

export interface Flood {
  dialect: Dialect;
  /** The text before the flood. */
  before: string;
  place: string;
  unit: string;
}

const COMMON = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '"',
    "'",
    '`',
    '\\',
    ',',
    ':',
    '/',
    '\n',
    ' ',
    '<',
    '</',
    '<!',
    '>',
    '!',
    '|',
  ],
  ...[
    '\\"',
    '\\u',
    '\\n',
    '{"',
    '{"a":',
    '["',
    '",',
    '"}',
    '{"name":',
    '/*',
    '//',
    '${',
    '```\n',
    'a(',
    'a=',
    '1e',
  ],
  ...['<\\', '<think>', '</think>', '<![CDATA[', ']]>', '\ud800', 'a\n', '12', 'true'],
];

/** The markers of a dialect, as its own prompts and calls show them. */
function markersOf(dialect: Dialect): string[] {
  const { head, tail } = callText(dialect, 'x');
  const { reasoning } = dialect.traits;
  const markers = [
    ...tagsIn(shownBy(dialect)).filter((tag) => dialect.markers.match(tag, 0, true) > 0),
    ...tagsIn(head),
    ...tagsIn(tail),
    ...(dialect.grammar.drop ?? []).map(({ marker }) => marker),
    ...(dialect.grammar.notice ?? []).map(({ marker }) => marker),
    ...(reasoning ? [reasoning.open, reasoning.close] : []),
    head,
    tail,
    head + tail,
  ];
  return [...new Set(markers)];
}

/** Everything the dialect writes for a conversation with calls and results. */
function shownBy(dialect: Dialect): string {
  const conversation = longConversation(1);
  const taught = renderMessages(dialect, conversation).messages.map(({ content }) => content);
  return [...taught, dialect.render.prompt ? renderPrompt(dialect, conversation).text : ''].join('\n');
}

function unitsOf(dialect: Dialect, thorough: boolean): string[] {
  const units = markersOf(dialect).flatMap((marker) => [
    marker,
    marker.slice(0, Math.ceil(marker.length / 2)),
    ...(thorough ? [marker.slice(0, -1), `${marker}\n`] : []),
  ]);
  return [...new Set([...COMMON, ...units])].filter((unit) => unit !== '');
}

/** All of them; `thorough` adds more ways to cut a marker short. */
export function floods(thorough = true, from: readonly Dialect[] = dialects): Flood[] {
  return distinct(from).flatMap((dialect) => {
    const { head } = callText(dialect, 'x');
    const { reasoning } = dialect.traits;
    const places = {
      text: '',
      opener: tagsIn(head)[0] ?? '',
      argument: head,
      reasoning: reasoning?.open ?? '',
    };
    return unitsOf(dialect, thorough).flatMap((unit) =>
      Object.entries(places).map(([place, before]) => ({ dialect, before, place, unit })),
    );
  });
}

/** Dialects that share a grammar read alike: one of them is enough. */
function distinct(from: readonly Dialect[]): Dialect[] {
  const seen = new Set<unknown>();
  return from.filter(({ grammar }) => {
    const isNew = !seen.has(grammar);
    seen.add(grammar);
    return isNew;
  });
}

export interface FloodResult {
  dialect: string;
  place: string;
  unit: string;
  /** Characters of a delta; 0: the whole text at once. */
  delta: number;
  /** Milliseconds for `length` characters. */
  once: number;
  twice: number;
  length: number;
  ratio: number;
}

/** Nanoseconds a character from which on a flood is approached in steps, so that the bench comes to an end. */
const SLOW = 400;
/** Milliseconds from which on a time is no noise. */
const CERTAIN = 10;

/** `least`: the milliseconds a first look takes. Only what looks bad is looked at again, and longer each time. */
function floodSpeed(flood: Flood, length: number, delta: number, least: number): FloodResult {
  const eighth = cpuOf(() => readWith(flood.dialect, deltasOf(flood, length / 8, delta)));
  const isSlow = (eighth * 1e6) / (length / 8) > SLOW;
  let result = lookAt(flood, isSlow ? length / 8 : length, delta, least);
  while (!isCertain(result) && result.length < length)
    result = lookAt(flood, 2 * result.length, delta, least);
  return result;
}

function lookAt(flood: Flood, length: number, delta: number, least: number): FloodResult {
  const { dialect, place, unit } = flood;
  const one = deltasOf(flood, length, delta);
  const two = deltasOf(flood, 2 * length, delta);
  const arms = { once: () => readWith(dialect, one), twice: () => readWith(dialect, two) };
  const best = { once: Number.POSITIVE_INFINITY, twice: Number.POSITIVE_INFINITY };
  for (let tries = 0; tries < 3; tries++) {
    raceFor(arms, best, least * 4 ** tries);
    if (best.twice <= DOUBLING * best.once) break;
  }
  const { once, twice } = best;
  return { dialect: dialect.name, place, unit, delta, once, twice, length, ratio: twice / once };
}

/** Far too steep, and not for noise. */
const isCertain = ({ ratio, once }: FloodResult) => ratio > 1.2 * DOUBLING && once > CERTAIN;
const isSteep = ({ ratio }: FloodResult) => ratio > DOUBLING;

interface FloodLooks {
  /** Characters of the first look, and the milliseconds it takes at least. */
  first: number;
  least: number;
  /** From this ratio on there is a second look. */
  doubt: number;
  /** Characters of the second look. */
  second: number;
  /** One flood whole and the next in deltas, instead of each both ways. */
  inTurns?: boolean;
}

const DELTAS = [0, 16];

/**
 * All floods, whole (0) and in deltas of 16. What is in doubt at the first look gets a longer second one, up to three
 * times: there what is quadratic only shows more, and noise goes.
 */
export function floodSpeeds(
  list: readonly Flood[],
  { first, least, doubt, second, inTurns = false }: FloodLooks,
  tell: (done: number) => void = () => {},
): FloodResult[] {
  return list.flatMap((flood, n) => {
    tell(n);
    // Four places to a unit: each place sees every second unit whole, and its neighbour the others.
    const deltas = inTurns ? [DELTAS[(n + (n >> 2)) % 2] as number] : DELTAS;
    return deltas.map((delta) => {
      const result = floodSpeed(flood, first, delta, least);
      if (result.ratio <= doubt || isCertain(result)) return result;
      return upToThrice(
        () => floodSpeed(flood, second, delta, 5),
        (again) => !isSteep(again) || isCertain(again),
      );
    });
  });
}

/** Cut as it is: a flood may hold half a surrogate pair, which no copy by way of bytes would keep. */
function deltasOf({ before, unit }: Flood, length: number, delta: number): string[] {
  const text = before + unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  if (delta === 0) return [text];
  const deltas: string[] = [];
  for (let at = 0; at < text.length; at += delta) deltas.push(text.slice(at, at + delta));
  return deltas;
}
