import type { Report } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { modeWords, reportLines, toReport } from './report-words.js';

const report: Report = {
  mode: 'emulate',
  dialect: 'hermes',
  issues: [{ code: 'unknown-tool', range: [0, 4], message: 'There is no tool named f.' }],
  repairs: [{ code: 'trailing-comma', range: [5, 6] }],
  reasks: [{ choice: 0, reasons: ['The call broke off.'], issues: [], text: '' }],
  ignored: ['logprobs'],
};

describe('a report in words', () => {
  it('says everything that was done, each in a sentence', () => {
    expect(reportLines(report).map(({ type, text }) => [type, text])).toEqual([
      ['issue', 'There is no tool named f.'],
      ['repair', 'A comma too many before a closing bracket. It is ignored.'],
      ['reask', 'The model was asked again: The call broke off.'],
      ['note', 'These had no effect: logprobs.'],
    ]);
    expect(modeWords(report)).toContain('hermes');
  });

  it('says which of several upstreams answered, and why another was left', () => {
    const moved = [{ from: 'gpu-1', reason: 'unknown-tool: There is no tool named f.' }];
    const lines = reportLines({
      mode: 'heal',
      issues: [],
      repairs: [],
      reasks: [],
      upstream: 'gpu-2',
      moved,
    });
    expect(lines.map(({ text }) => text)).toEqual([
      'The upstream gpu-1 was left: unknown-tool: There is no tool named f.',
      'The answer came from the upstream gpu-2.',
    ]);
  });

  it('says what of the conversation, of the request and of the answer was left out', () => {
    const lines = reportLines({
      ...{ mode: 'heal', issues: [], repairs: [], reasks: [] },
      refused: 'This response_format type is unavailable now',
      skippedItems: [{ path: 'input[1]', type: 'compaction' }],
      aside: 'Here it is:',
    });
    expect(lines.map(({ text }) => text)).toEqual([
      'The upstream refused what it was asked for, and was asked again without: This response_format type is unavailable now',
      'The model did not get the item at input[1], which it cannot read: compaction.',
      'Written beside the calls or the JSON, and not delivered: Here it is:',
    ]);
  });

  it('stays short, and says how many are not listed', () => {
    const issues = Array.from({ length: 1000 }, () => report.issues[0] as Report['issues'][number]);
    const lines = reportLines({ ...report, issues });
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)?.text).toBe('And 953 more.');
  });

  it('is not upset by a report that was cut, or by codes of a later version', () => {
    expect(toReport('[cut]')).toBeUndefined();
    const cut = toReport({ mode: 'emulate', repairs: [{ code: 'constructor' }] });
    expect(cut && reportLines(cut)).toEqual([{ type: 'repair', code: 'constructor', text: '' }]);
  });
});
