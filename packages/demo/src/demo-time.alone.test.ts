import { dialects, renderMessages } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { user, weather } from './demo.fixture.js';
import { readRequest } from './read-request.js';
import { writeReply } from './write-reply.js';

const [dialect] = dialects as [(typeof dialects)[number]];

describe('the time it takes', () => {
  const floods = [
    '<',
    '<a-b>',
    '{',
    '"',
    '# Tools\n',
    '北京和',
    '`',
    '(',
    '<tool_response>',
    ' in for of',
    '\\',
    '!unquote_start\n',
  ];
  it.each(floods)('grows as the prompt does: %j', (piece) => {
    const time = (length: number) => {
      const flood = piece.repeat(length / piece.length);
      const { messages } = renderMessages(dialect, {
        messages: [{ role: 'system', content: flood }, user(flood)],
        tools: [weather],
      });
      const lines = messages.map(({ role, content }) => ({ role, text: content }));
      let best = Infinity;
      for (let run = 0; run < 5; run++) {
        const start = performance.now();
        expect(writeReply(readRequest(lines, dialects), false)).not.toBe('');
        best = Math.min(best, performance.now() - start);
      }
      return best;
    };
    time(60_000);
    const [small, large] = [time(60_000), time(480_000)];
    // Eight times the text: quadratic work would take 64 times as long.
    expect(large / Math.max(small, 0.5)).toBeLessThan(24);
  });
});
