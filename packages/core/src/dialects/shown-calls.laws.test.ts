// A whole call in inline code, in quotation marks or in a fence is a call, as in serving engines, which do not look at
// Markdown: models wrap their calls in it. Only a call that has to begin a line is none inside one. (Healing, where the
// model was taught nothing, has rules of its own: bridge/heal.)

import { describe, expect, it } from 'vitest';
import type { Dialect } from '../engine/dialect.js';
import { collect, parse } from '../engine/parse.js';
import { createParser } from '../engine/parser.js';
import { Writer } from '../engine/writer.js';
import { acceptTools } from '../model/index.js';
import { eventsOf } from '../testing/index.js';
import { dialects } from './every.fixture.js';

const tools = acceptTools([
  {
    name: 'get_weather',
    parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  },
]);
const options = { tools, thinking: false };
const input = { city: 'Rome' };

/** Dialects whose calls begin a line, because nothing else tells them from prose. */
const BEGINS_A_LINE = ['xlam', 'fenced-json', 'bare-json', 'tool-calls-json', 'pythonic', 'react', 'muse'];

function callIn(dialect: Dialect): string {
  const out = new Writer(dialect.markers);
  dialect.render.calls(out, [{ type: 'tool-call', id: 'call_1', name: 'get_weather', input }], {
    tools,
    afterText: false,
  });
  return out.text;
}

const thinking = dialects.filter(
  ({ traits }) => traits.reasoning && traits.callsInReasoning === 'if-unclosed',
);

describe.each(thinking)('a whole call in reasoning of $name that does not end', (dialect) => {
  const text = `${dialect.traits.reasoning?.open}\nPerhaps:\n${callIn(dialect)}\nor not`;
  const read = (pieces: readonly string[], cut: boolean) => {
    const parser = createParser(dialect, options);
    const events = pieces.flatMap((piece) => parser.feed(piece));
    return collect([...events, ...parser.finish({ cut })]);
  };

  it('is none where the token limit cut the reasoning', () => {
    const { calls, reasoning } = read([text], true);
    expect(calls).toEqual([]);
    expect(reasoning).toContain('or not');
    expect(read([...text], true)).toEqual(read([text], true));
  });

  it('is one where the text ended by itself', () => {
    expect(read([text], false).calls.map((one) => one.input)).toEqual([input]);
  });
});

describe.each(dialects)('a whole call in $name', (dialect) => {
  const call = callIn(dialect);
  const expected = BEGINS_A_LINE.includes(dialect.name) ? [] : [input];

  it.each([
    ['inside a line', `You write ${call}`],
    ['in inline code', `You write \`${call}\` for it.`],
    ['in inline code alone', `\`${call}\``],
    ['in quotation marks', `You write "${call}" for it.`],
  ])('counts as anywhere in a line: %s', (_, text) => {
    const { calls } = parse(dialect, text, options);
    expect(calls.map((one) => one.input)).toEqual(expected);
    expect(collect(eventsOf(dialect, [...text], options)).calls).toEqual(calls);
  });
});
