import { expect, it } from 'vitest';
import type { Issue, IssueCode, Repair, RepairCode, ToolFault } from '../../model/index.js';
import { countFaults, lastingFault, toolFaults } from './tool-faults.js';

const issue = (code: IssueCode): Issue => ({ code, range: [0, 0], message: code });
const repair = (code: RepairCode): Repair => ({ code, range: [0, 0] });
const reask = (...codes: IssueCode[]) => ({ choice: 0, reasons: [], issues: codes.map(issue), text: '' });
const clean = { issues: [], repairs: [], reasks: [] };

it('each of the four kinds is found in issues, repairs and reasks', () => {
  const cases: [ToolFault, Partial<Parameters<typeof toolFaults>[0]>][] = [
    ['invalid-json', { issues: [issue('unreadable-call')] }],
    ['invalid-json', { repairs: [repair('trailing-comma')] }],
    ['invalid-json', { reasks: [reask('incomplete-call')] }],
    ['unknown-tool', { issues: [issue('unknown-tool')] }],
    ['schema-mismatch', { reasks: [reask('schema-mismatch')] }],
    ['schema-mismatch', { repairs: [repair('string-as-scalar')] }],
    ['invalid-json', { repairs: [repair('rescued-call')] }],
    // The endpoint could not read its model's call.
    ['invalid-json', { reasks: [reask()] }],
    ['leak', { repairs: [repair('leaked-call')] }],
    ['leak', { issues: [issue('foreign-format')] }],
    // The endpoint left out the tokens that calls are made of.
    ['leak', { issues: [issue('stripped-markers')] }],
  ];
  for (const [kind, notes] of cases) expect(toolFaults({ ...clean, ...notes })).toEqual([kind]);
});

it('other notes are no faults of a tool call', () => {
  const issues = [issue('missing-call'), issue('suspected-echo'), issue('text-after-calls')];
  expect(toolFaults({ ...clean, issues, repairs: [repair('missing-closer')] })).toEqual([]);
  expect(lastingFault({ issues, reasks: [] })).toBe(undefined);
});

it('a call that the token limit cut is no fault; one that stays cut after a reask is', () => {
  const issues = [issue('incomplete-call')];
  expect([toolFaults({ ...clean, issues }), lastingFault({ issues, reasks: [] })]).toEqual([[], undefined]);
  const reasks = [reask('incomplete-call')];
  expect(toolFaults({ ...clean, issues, reasks })).toEqual(['invalid-json', 'invalid-json']);
  expect(lastingFault({ issues, reasks })).toBe(issues[0]);
});

it('a kind counts once in an attempt, however many repairs its calls needed', () => {
  const repairs = [repair('single-quotes'), repair('trailing-comma'), repair('string-as-scalar')];
  expect(toolFaults({ ...clean, repairs })).toEqual(['invalid-json', 'schema-mismatch']);
  const reasks = [reask('unknown-tool', 'unknown-tool'), reask('unknown-tool')];
  expect(toolFaults({ ...clean, reasks })).toEqual(['unknown-tool', 'unknown-tool']);
});

it('faults are counted by kind', () => {
  expect(countFaults(['leak', 'unknown-tool', 'leak'])).toEqual({ leak: 2, 'unknown-tool': 1 });
});
