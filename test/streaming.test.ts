// Arguments arrive while they are written: how far delivery lags behind what was fed.

import { describe, expect, it } from 'vitest';
import { createParser, dialects, renderMessages } from '../packages/core/src/index.js';

const VALUE = 'The quick brown fox, if (a < b) { return; } </div> 北京 and so on, for a while.';
const LAG = 20;

const tools = [
  {
    name: 'write_file',
    parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
];

/** A turn with one call, as the dialect writes it. */
function spelled(dialect: (typeof dialects)[number], value: string): string {
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'write_file', arguments: JSON.stringify({ content: value }) },
  };
  const { messages } = renderMessages(dialect, {
    messages: [{ role: 'assistant', content: '', tool_calls: [call] }],
  });
  return messages.at(-1)?.content ?? '';
}

describe('the argument of a call', () => {
  it.each(dialects.filter(({ traits }) => traits.streams))(
    `is delivered within ${LAG} characters of being fed in $name`,
    (dialect) => {
      const text = spelled(dialect, VALUE);
      const start = text.indexOf('The quick');
      const parser = createParser(dialect, { tools });
      let delivered = '';
      for (let at = 0; at < text.length; at++) {
        for (const event of parser.feed(text.charAt(at)))
          if (event.type === 'call-delta') delivered += event.text;
        const fed = at + 1 - start;
        if (fed <= LAG || fed > VALUE.length) continue;
        const expected = VALUE.slice(0, fed - LAG);
        expect(contentOf(delivered).startsWith(expected), `${fed} fed: ${delivered}`).toBe(true);
      }
    },
  );

  it.each(dialects.filter(({ traits }) => !traits.streams))(
    'comes with its call, whole and at once, in $name',
    (dialect) => {
      const parser = createParser(dialect, { tools });
      const fed = [...spelled(dialect, VALUE)].map((char) => parser.feed(char).map(({ type }) => type));
      const told = fed.filter((types) => types.some((type) => type.startsWith('call')));
      expect(told.length).toBe(1);
      expect(told[0]).toEqual(expect.arrayContaining(['call-start', 'call-delta', 'call-end']));
    },
  );
});

/** The string value in the unfinished JSON, as far as it is there. Nothing in it is escaped. */
function contentOf(json: string): string {
  const open = json.indexOf('":"');
  return open < 0 ? '' : json.slice(open + 3);
}
