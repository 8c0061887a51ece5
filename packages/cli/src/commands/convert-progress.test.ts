import { describe, expect, it } from 'vitest';
import { progressText } from './convert-progress.js';
import { duration } from './report-words.js';
import { reportText } from './run-convert.js';

describe('the line of progress', () => {
  it('says how much is done, how fast, and how long it will take', () => {
    const counts = { skipped: 100e6, done: 200e6, total: 1000e6, rows: 50_000, bad: 3, seconds: 10 };
    expect(progressText(counts)).toBe(' 30 %  300 of 1,000 MB  5,000 rows/s  20 MB/s  35 s left  3 bad');
  });

  it('says what can be said of a pipe', () => {
    const counts = { skipped: 0, done: 5e6, total: 0, rows: 10, bad: 0, seconds: 1 };
    expect(progressText(counts)).toBe('5.0 MB  10 rows/s  5.0 MB/s');
    expect(progressText({ ...counts, seconds: 0 })).toBe('5.0 MB  0 rows/s  0.0 MB/s');
  });

  it.each([
    [0.2, '1 s'],
    [61, '1 min 1 s'],
    [7325, '2 h 2 min'],
  ])('calls %d seconds %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});

describe('the report', () => {
  it('lists repairs, issues and losses with the first place of each', () => {
    const example = { row: 3, path: 'messages[1]' };
    const report = {
      rows: 1200,
      badRows: 1,
      calls: 1,
      repairs: { 'trailing-comma': { count: 2, example } },
      issues: {},
      losses: { 'call-ids': { count: 1200, example: { row: 1, path: '' } } },
    };
    const text = reportText({
      report,
      bytes: 4e6,
      rows: 1200,
      seconds: 2,
      bad: ['o.bad.jsonl'],
      to: 'prompt:hermes',
    });
    expect(text).toBe(`1,200 rows converted, 1 call, 1 row set aside
  4.0 MB in 2 s: 2.0 MB/s, 600 rows/s
  set aside in o.bad.jsonl
  read generously (repairs)
    trailing-comma  2  first in row 3, messages[1]
      A comma too many before a closing bracket. It is ignored.
  what prompt:hermes cannot say (losses)
    call-ids  1,200  first in row 1
      The ids of calls. Results follow the order of the calls.`);
  });

  it('tells issues of the rows that were written from those of the source', () => {
    const found = { count: 1, example: { row: 1, path: '' } };
    const issues = {
      'prefix-break': found,
      'duplicate-tool': found,
      'nothing-learnt': found,
      'text-arguments': found,
    };
    const report = { rows: 1, badRows: 0, calls: 0, repairs: {}, issues, losses: {} };
    const text = reportText({ report, bytes: 1, rows: 1, seconds: 1, bad: [], to: 'prompt:hermes' });
    const titles = text.split('\n').filter((line) => /^ {2,4}[a-z]/.test(line));
    expect(titles.map((line) => line.trim().replace(/ {2}.*/, ''))).toEqual([
      'wrong in the source (issues)',
      'duplicate-tool',
      'in the rows that were written (issues)',
      'prefix-break',
      'nothing-learnt',
      'text-arguments',
    ]);
  });
});
