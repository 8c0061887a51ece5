import { describe, expect, it } from 'vitest';
import { hermes } from '../dialects/hermes/hermes.js';
import type { Dialect, Grammar, Mode, Opener, Render } from '../engine/dialect.js';
import { matchLiteral, NO, NO_MARKERS, NOT_YET } from '../engine/markers.js';
import type { ParseEvent } from '../model/index.js';
import {
  chunking,
  coalesce,
  createRandom,
  eventsOf,
  fingerprint,
  ingredients,
  type LawReport,
  markerMix,
  monotone,
  noForgery,
  noLeak,
  nothingLost,
  promptText,
  pure,
  randomCuts,
  randomTurn,
  roundTrip,
  type Sample,
  spellTurn,
  total,
  truncation,
} from './index.js';

// The laws hold for every dialect of the list: test/laws.test.ts. Here: that each of them can fail.

const OPEN = '<tool_call>';
const sound = '<tool_call>\n{"name": "f", "arguments": {"n": 12}}\n</tool_call>';
const samples: Sample[] = [
  { text: 'Hello, a < b.' },
  { text: `Hi.\n${sound}` },
  { text: `<think>So.</think>\n\nHi.\n${sound}\n${sound}<|im_end|>` },
];
const words = ['hello', ' ', '\n', '<', OPEN, '</tool_call>', '{"a":1}', '<|im_end|>', 'x'];

function broken(grammar: Partial<Grammar>, render: Partial<Render> = {}): Dialect {
  return { ...hermes, grammar: { ...hermes.grammar, ...grammar }, render: { ...hermes.render, ...render } };
}

/** Hermes with one more opener, `~`, that does something a grammar should not. */
function withTilde(
  open: Mode,
  match: Opener['match'] = (text, at, ended) => matchLiteral(text, at, '~', ended),
) {
  return broken({ openers: [{ firsts: '~', match, open }, ...hermes.grammar.openers] });
}

const tilde: Sample[] = [{ text: 'a ~bcd~ e' }];

/** One report of each law, on small samples. */
function reports(dialect: Dialect, texts: readonly Sample[] = samples): Record<string, LawReport> {
  const random = createRandom(1);
  const plain = texts.map(({ text }) => text);
  return {
    chunking: chunking(dialect, texts, random, { twoCuts: 80, random: 5 }),
    nothingLost: nothingLost(dialect, texts),
    roundTrip: roundTrip(dialect, words, random, 200),
    noLeak: noLeak(dialect, texts),
    noForgery: noForgery(dialect, words, random, 50),
    total: total(dialect, plain, random),
    promptText: promptText(dialect, ['some words, and more'], 40),
    pure: pure(dialect, texts),
    monotone: monotone(dialect, texts),
    truncation: truncation(dialect, texts),
  };
}

/** The laws that are broken, by name. */
function brokenLaws(dialect: Dialect, texts?: readonly Sample[]): string[] {
  return Object.entries(reports(dialect, texts))
    .filter(([, { failures }]) => failures.length > 0)
    .map(([name]) => name);
}

describe('a dialect that keeps the laws', () => {
  it('breaks none, and something was tried for each', () => {
    for (const [name, { tried, failures }] of Object.entries(reports(hermes))) {
      expect(failures, name).toEqual([]);
      expect(tried, name).toBeGreaterThan(0);
    }
  });
});

describe('a dialect that breaks a law is told so', () => {
  it('1. events that depend on the cutting', () => {
    // It does not wait for the rest of its opener, so a cut opener is none.
    const hasty = hermes.grammar.openers.map((opener) => ({
      ...opener,
      match: (text: string, at: number) => Math.max(NO, opener.match(text, at, true)),
    }));
    expect(brokenLaws(broken({ openers: hasty }))).toEqual(expect.arrayContaining(['chunking', 'total']));
    // It takes what is there for the whole.
    const greedy = withTilde((reader) => {
      reader.markup(reader.text.length - reader.at);
      reader.keepAll();
      return reader.plain;
    });
    expect(brokenLaws(greedy, tilde)).toContain('chunking');
  });

  it('2. a character that is lost', () => {
    const losing = withTilde((reader) => {
      reader.at += 1;
      reader.keepAll();
      return reader.plain;
    });
    expect(brokenLaws(losing, tilde)).toEqual(expect.arrayContaining(['nothingLost', 'total']));
    expect(nothingLost(losing, tilde).failures).toEqual(['ranges do not tile "a ~bcd~ e"']);
    expect(nothingLost(losing, [{ text: 'a~' }]).failures).toEqual(['ranges do not tile "a~"']);
  });

  it('2. a call that begins inside another', () => {
    const nesting = withTilde((reader) => {
      reader.beginCall('f', 1);
      reader.identify();
      reader.beginCall('g', 0);
      reader.endCall();
      reader.keepAll();
      return reader.plain;
    });
    expect(nothingLost(nesting, tilde).failures).toEqual([
      expect.stringContaining('calls do not open and close'),
    ]);
    expect(brokenLaws(nesting, tilde)).toContain('total');
  });

  it('2. a call without an id', () => {
    const nameless = withTilde((reader) => {
      reader.beginCall('f', 1);
      reader.keepAll();
      reader.takeEvents();
      return reader.plain;
    });
    expect(nothingLost(nameless, tilde).failures).not.toEqual([]);
  });

  it('3. calls that are written otherwise than they are read', () => {
    const forgetful: Render['calls'] = (out, calls, context) =>
      hermes.render.calls(out, calls.slice(1), context);
    const misnaming: Render['calls'] = (out, calls, context) =>
      hermes.render.calls(
        out,
        calls.map((call) => ({ ...call, name: `${call.name}_` })),
        context,
      );
    const changing: Render['calls'] = (out, calls, context) => {
      hermes.render.calls(
        out,
        calls.map((call) => ({ ...call, input: {}, raw: '{}' })),
        context,
      );
    };
    for (const calls of [forgetful, misnaming, changing])
      expect(brokenLaws(broken({}, { calls }))).toEqual(['roundTrip']);
  });

  it('3. calls that only a repair can read', () => {
    const calls: Render['calls'] = (out, given) => {
      for (const call of given)
        out
          .ours(`${OPEN}{"name": `)
          .json(call.name, 'name')
          .ours(', "parameters": ')
          .json(call.input, 'input')
          .ours('}</tool_call>');
    };
    expect(roundTrip(broken({}, { calls }), words, createRandom(1), 200).failures).toContainEqual(
      expect.stringContaining('it is read with repairs: other-key'),
    );
  });

  it('3. text that is not broken on its way in', () => {
    const bare = { ...hermes, markers: NO_MARKERS };
    expect(roundTrip(bare, words, createRandom(1), 200).failures).not.toEqual([]);
  });

  it('4. a marker that is left in the text', () => {
    const leaking = broken({ drop: [] });
    expect(noLeak(leaking, [{ text: 'Bye.<|im_end|>' }]).failures).toEqual([
      expect.stringContaining('<|im_end|>'),
    ]);
    expect(noLeak(hermes, [{ text: 'Bye.<|im_end|>' }]).failures).toEqual([]);
  });

  it('4. text from outside that forms a marker', () => {
    const trusting: Render['results'] = (out, results) => {
      for (const { output } of results) out.outside(String(output), 'output', NO_MARKERS);
    };
    expect(brokenLaws(broken({}, { results: trusting }))).toEqual(['noForgery']);
  });

  it('4. text that is placed in a way of its own, and forms a call', () => {
    const placed = (text: Render['text'] & {}) =>
      noForgery(broken({}, { text }), [sound], createRandom(1), 3).failures;
    expect(placed((out, said, field) => void out.outside(said, field))).toEqual([]);
    expect(placed((out, said) => void out.ours(said))).not.toEqual([]);
  });

  it('5. a throw', () => {
    const throwing = withTilde(() => {
      throw new Error('no such thing');
    });
    expect(total(throwing, ['a', '~'], createRandom(1))).toEqual({
      law: 'total',
      tried: 2,
      failures: ['throws Error: no such thing: "~"'],
    });
  });

  it('5. text that is held back', () => {
    const waiting = broken({
      openers: [{ firsts: 's', match: (_, __, ended) => (ended ? NO : NOT_YET), open: () => undefined }],
    });
    expect(promptText(waiting, ['a so long a wait'], 5).failures).toHaveLength(1);
    expect(promptText(hermes, ['a so long a wait'], 5).failures).toEqual([]);
  });

  it('6. a memory that parsers share', () => {
    let seen = 0;
    const remembering = withTilde((reader) => {
      if (++seen % 2) reader.markup(1);
      else reader.say(1);
      reader.keepAll();
      return reader.plain;
    });
    expect(pure(remembering, [{ text: 'a~b' }]).failures).toHaveLength(1);
  });

  it('7. deltas that do not make up the arguments', () => {
    const hiding = withTilde((reader) => {
      const call = reader.beginCall('f', 1);
      reader.identify();
      call.raw.add('{"secret":1}');
      reader.endCall();
      reader.keepAll();
      return reader.plain;
    });
    expect(brokenLaws(hiding, tilde)).toEqual(expect.arrayContaining(['monotone', 'total']));
  });

  it('8. a call that is delivered before it is complete', () => {
    /** ~12~ is f({"n": 12}), and at the end of the text it takes what is there. */
    const eager = withTilde((reader) => {
      const end = reader.text.indexOf('~', reader.at + 1);
      const digits = reader.text.slice(reader.at + 1, end < 0 ? undefined : end);
      if (end < 0 && !reader.ended) return undefined;
      reader.beginCall('f', 1);
      reader.identify();
      reader.argument(`{"n":${digits || 0}}`, digits.length);
      reader.endCall(end < 0 ? 0 : 1);
      reader.keepAll();
      return reader.plain;
    });
    const numbers: Sample[] = [{ text: 'a ~123~' }];
    expect(brokenLaws(eager, numbers)).toEqual(['truncation']);
    expect(truncation(eager, numbers).failures[0]).toContain('"a ~');
  });

  it('by at most five failures, however many there are', () => {
    const losing = withTilde((reader) => {
      reader.at += 1;
      reader.keepAll();
      return reader.plain;
    });
    const many = Array.from({ length: 20 }, (_, n) => ({ text: `~${n}` }));
    const { tried, failures } = nothingLost(losing, many);
    expect(tried).toBe(60);
    expect(failures).toHaveLength(5);
  });
});

describe('the material of the laws', () => {
  it('repeats: the same seed gives the same numbers, another seed others', () => {
    const draw = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 20 }, () => random.int(1000));
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(draw(3).every((number) => number >= 0 && number < 1000)).toBe(true);
  });

  it('draws evenly enough', () => {
    const random = createRandom(7);
    const heads = Array.from({ length: 10_000 }, () => random.chance(0.3)).filter(Boolean).length;
    expect(heads).toBeGreaterThan(2700);
    expect(heads).toBeLessThan(3300);
    expect(new Set(Array.from({ length: 200 }, () => random.pick(['a', 'b', 'c'])))).toEqual(
      new Set(['a', 'b', 'c']),
    );
  });

  it('cuts a text into pieces that make it up, none of them empty', () => {
    const random = createRandom(1);
    for (let n = 0; n < 200; n++) {
      const text = markerMix(random, words, random.int(12));
      const pieces = randomCuts(random, text);
      expect(pieces.join('')).toBe(text);
      expect(pieces).not.toContain('');
    }
  });

  it('holds the markers of a dialect, halves of them, broken ones, and pieces of what it writes', () => {
    const pieces = ingredients(hermes, [sound]);
    for (const piece of ['<|im_end|>', '<|im_end|', '|im_end|>', '<\\|im_end|>', sound, OPEN, '{"a":1}'])
      expect(pieces, piece).toContain(piece);
    expect(pieces).not.toContain('');
  });

  it('spells turns as a model would: what is read of them is the turn', () => {
    const random = createRandom(5);
    for (let n = 0; n < 50; n++) {
      const turn = randomTurn(random, ['a', 'b ', 'c']);
      const { text, thinking } = spellTurn(hermes, turn);
      expect(thinking).toBe(turn.reasoning !== '');
      for (const { name } of turn.calls) expect(text).toContain(name);
      expect(turn.calls.every(({ name }) => turn.tools.some((tool) => tool.name === name))).toBe(true);
    }
  });
});

describe('what every cutting must agree on', () => {
  const whole = eventsOf(hermes, [samples[2]?.text ?? '']);
  const single = eventsOf(hermes, [...(samples[2]?.text ?? '')]);

  it('is the same for a whole text and for single characters', () => {
    expect(single.length).toBeGreaterThan(whole.length);
    expect(coalesce(single)).toEqual(coalesce(whole));
    expect(fingerprint(single)).toBe(fingerprint(whole));
  });

  it('leaves the events as they were', () => {
    const before = structuredClone(single);
    coalesce(single);
    expect(single).toEqual(before);
    expect(coalesce(coalesce(single))).toEqual(coalesce(single));
  });

  it('differs where a character, a place, a repair or a call differs', () => {
    const base: ParseEvent = { type: 'text-delta', text: 'a', range: [0, 1] };
    const others: ParseEvent[] = [
      { ...base, text: 'b' },
      { ...base, range: [0, 2] },
      { ...base, aside: true },
      { ...base, repairs: [{ code: 'comment', range: [0, 1] }] },
      { type: 'reasoning-delta', text: 'a', range: [0, 1] },
    ];
    for (const other of others) expect(fingerprint([other])).not.toBe(fingerprint([base]));
  });
});
