// An answer that is taken for prose is what the parser would have read.

import { createRandom, ingredients, markerMix, NO, nextOf, parse, readText } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { isFullyTried, representatives } from '../../../core/src/dialects/every.fixture.js';

import { isProse } from './read-assistant.js';

const samples = ['Sure. <x>\n```json\n{"name": "f", "arguments": {"s": "a < b"}}\n```\n- [link](to) | b'];

describe.each(representatives.map((dialect) => ({ name: dialect.name, dialect })))(
  'in $name',
  ({ dialect }) => {
    const random = createRandom(11);
    const pieces = ingredients(dialect, samples);
    const texts = Array.from({ length: isFullyTried(dialect) ? 2000 : 1000 }, () =>
      markerMix(random, pieces, 1 + random.int(6)),
    );

    it('the parser finds no call, thought, issue or repair in prose, and all of its text', () => {
      const prose = texts.filter((text) => isProse(dialect, text));
      expect(prose.length).toBeGreaterThan(100);
      for (const text of prose) {
        const { calls, reasoning, issues, repairs } = parse(dialect, text, { tools: [{ name: 'f' }] });
        const said = { calls, reasoning, issues, repairs, text: readText(dialect, text) };
        // As text first, which is faster.
        const all = { calls: [], reasoning: '', issues: [], repairs: [], text };
        if (JSON.stringify(said) !== JSON.stringify(all)) expect(said).toEqual(all);
      }
    });

    it('a marker is found in a whole text exactly where a match at some place finds it', () => {
      const { markers } = dialect;
      for (const text of texts) {
        let found = false;
        for (
          let at = nextOf(text, markers.firsts, 0);
          at < text.length;
          at = nextOf(text, markers.firsts, at + 1)
        ) {
          let tail = at + 1;
          while (text.charAt(tail) === '\\') tail++;
          if (markers.match(text, at, true, tail) !== NO) found = true;
        }
        if (markers.stands(text) !== found) expect([text, markers.stands(text)]).toEqual([text, found]);
      }
    });
  },
);
