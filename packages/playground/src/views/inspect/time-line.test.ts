import type { ExchangeRecord, ParseRecord } from '@dragoman/gateway';
import { describe, expect, it } from 'vitest';
import { timeLine } from './time-line.js';

const text = '<tool_call>f</tool_call>';
const event = (
  type: string,
  range: [number, number],
  at: [number, number],
  more: Partial<ParseRecord> = {},
) => ({
  type,
  range,
  at,
  count: 1,
  ...more,
});

const record: ExchangeRecord = {
  id: 'a',
  time: '2026-01-01T00:00:00.000Z',
  api: 'chat',
  stream: true,
  open: false,
  status: 200,
  firstByte: 12,
  duration: 40,
  received: text.length,
  calls: 1,
  issues: 0,
  repairs: 1,
  reasks: 0,
  attempts: [
    {
      choice: 0,
      attempt: 0,
      at: 1,
      textAt: [10, 30],
      sent: { prompt: '' },
      settings: {},
      text,
      events: [
        event('markup', [0, 11], [11, 11]),
        event('call-start', [11, 12], [14, 14], { name: 'f', id: 'c' }),
        event('call-end', [12, 24], [30, 30], { name: 'f', repairs: [{ code: 'missing-arguments' }] }),
      ],
    },
  ],
  answer: [],
  cut: [],
};

describe('the time line of an exchange', () => {
  it('has everything that happened, in the order of its time', () => {
    const { rows, end, more } = timeLine(record);
    expect(rows.map(({ from, title, detail }) => [from, title, detail])).toEqual([
      [0, 'Request arrived', 'chat, streamed'],
      [1, 'Asked the model', ''],
      [10, 'Text arrived', '24 characters'],
      [11, 'Markup', '<tool_call>'],
      [12, 'First byte to the client', ''],
      [14, 'Call begins', 'f'],
      [30, 'Call complete', '</tool_call>'],
      [40, 'Answer complete', ''],
    ]);
    expect([end, more]).toEqual([40, 0]);
  });

  it('marks what was repaired', () => {
    expect(timeLine(record).rows.find(({ title }) => title === 'Call complete')?.kind).toBe('repaired');
  });

  it('is bounded in rows and in what each shows', () => {
    const [attempt] = record.attempts;
    const long = 'x'.repeat(100_000);
    const events = Array.from({ length: 5000 }, (_, at) =>
      event('text-delta', [at, at + 1], [at, at], { text: long }),
    );
    const line = timeLine({ ...record, attempts: [{ ...attempt, text: long, events } as never] });
    expect(line.rows).toHaveLength(300);
    expect(line.more).toBe(5005 - 300);
    expect(Math.max(...line.rows.map(({ detail }) => detail.length))).toBeLessThan(130);
  });

  it('goes on to now while the exchange is open', () => {
    const { duration, firstByte, ...rest } = record;
    const line = timeLine({ ...rest, open: true });
    expect(line.end).toBe(30);
    expect(line.rows.map(({ title }) => title)).not.toContain('Answer complete');
  });
});
