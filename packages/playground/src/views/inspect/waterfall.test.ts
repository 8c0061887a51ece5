import type { ExchangeRecord, ParseRecord } from '@dragoman/gateway';
import { expect, it } from 'vitest';
import { waterfall } from './waterfall.js';

const event = (type: string, at: [number, number], more: Partial<ParseRecord> = {}): ParseRecord => ({
  type,
  range: [0, 5],
  count: 1,
  at,
  ...more,
});
const attempt = (number: number, at: number, events: ParseRecord[], reasons?: string[]) => ({
  choice: 0,
  attempt: number,
  at,
  sent: { prompt: '' },
  settings: {},
  text: '',
  events,
  ...(reasons && { reasons }),
});

it('shows where the time went: waits, thoughts, calls, re-asks, and the answer', () => {
  const first = [
    event('reasoning-delta', [100, 200], { text: 'Hm.' }),
    event('text-delta', [201, 201], { text: '\n' }),
    event('call-start', [210, 210], { name: 'look' }),
    event('call-delta', [220, 280]),
    event('call-end', [290, 290], { issues: [{}] }),
  ];
  const second = [event('call-start', [400, 400], { name: 'look' }), event('call-end', [450, 450])];
  const record = {
    attempts: [attempt(0, 2, first, ['It was wrong.']), attempt(1, 300, second)],
    firstByte: 410,
    duration: 500,
  } as unknown as ExchangeRecord;
  const { rows, end } = waterfall(record);
  expect(end).toBe(500);
  expect(rows.map(({ type, from, to, kind }) => [type, from, to, kind])).toEqual([
    ['wait', 2, 100, undefined],
    ['reasoning', 100, 200, 'reasoning'],
    ['call', 210, 290, 'at-fault'],
    ['again', 300, 400, undefined],
    ['call', 400, 450, 'call-name'],
    ['sent', 410, 500, undefined],
  ]);
  expect(rows[2]?.detail).toBe('look It was wrong.');
});

it('is short for an exchange without an answer', () => {
  expect(waterfall({ attempts: [] } as unknown as ExchangeRecord)).toEqual({ rows: [], more: 0, end: 1 });
});
