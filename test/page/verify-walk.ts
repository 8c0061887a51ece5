// Verify, as a person uses it: a run that is stopped, and the report of one with faults.

import type { VerifyEvent, VerifyReport } from '@dragoman/verify';
import { expect } from 'vitest';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

export async function walkVerify(watched: WatchedPage): Promise<void> {
  const { page } = watched;
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Verify' }).click();
  await page.getByRole('combobox', { name: 'Model' }).selectOption('demo/hermes');
  await page.getByRole('combobox', { name: 'API' }).selectOption({ index: 1 });
  await watched.examine('verify first');

  await page.getByRole('button', { name: 'Verify' }).click();
  await soon(() => page.getByRole('status').textContent()).toMatch(/^[1-9]\d* of \d+ probes are judged/);
  await watched.examine('verify running');
  await page.getByRole('button', { name: 'Stop' }).click();
  await soon(() => page.getByRole('status').textContent()).toMatch(/^Stopped: \d+ of/);

  // The demo has no faults, and a whole run takes long.
  await page.route('**/verify', (route) => {
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    return route.fulfill({ contentType: 'text/event-stream', body });
  });
  await page.getByRole('button', { name: 'Verify' }).click();
  await soon(() => page.getByRole('heading', { level: 2 }).textContent()).toBe(
    '1 of 2 checks fails, 1 cannot be judged.',
  );
  const fault = page.getByRole('region', { name: 'call-leak' });
  expect(await fault.locator('.read-as.call-name').textContent()).toBe('echo');
  expect(await fault.textContent()).toContain('A call of echo stands in the text');
  await fault.getByText('What came').click();
  await watched.examine('verify report');
  expect(await page.locator('.verify script').count()).toBe(0);
}

const text = '<tool_call>{"name": "echo", "arguments": {"text": "<script>alert(1)</script>"}}</tool_call>';
const at = (part: string) => text.indexOf(part);

const report: VerifyReport = {
  endpoint: { url: 'http://localhost/v1', api: 'any', model: 'demo/hermes' },
  date: '2026-01-02T03:04:05.000Z',
  version: '0.1.0',
  suite: 'quick',
  seed: 1,
  runs: 1,
  requests: { done: 2, planned: 2 },
  scores: {
    success_rate: { value: 1, low: 0.3, high: 1, of: 2 },
    trigger_f1: 0.5,
    trigger_against: 'labels',
    counts: {
      requests: 2,
      answered: 2,
      triggered: 0,
      valid: 0,
      true_positive: 0,
      false_positive: 0,
      false_negative: 1,
      true_negative: 1,
    },
  },
  latency: { first_byte: { median: 120, p90: 300, max: 310, of: 2 } },
  checks: [
    {
      id: 'answers',
      title: 'answers a plain question',
      required: true,
      status: 'pass',
      passed: 1,
      of: 1,
      examples: [],
    },
    {
      id: 'call-leak',
      title: 'leaves no call in the text',
      required: true,
      status: 'fail',
      passed: 0,
      of: 1,
      advice: 'Switch the parser on.\nvLLM: --enable-auto-tool-choice.',
      examples: [
        {
          probe: 'calls-tool/suite.1-en',
          message: 'A call of echo stands in the text, in the dialect hermes.',
          request: '{"model": "demo/hermes"}',
          response: text,
          reading: {
            dialect: 'hermes',
            text,
            spans: [
              { start: 0, end: at('echo'), role: 'markup' },
              { start: at('echo'), end: at('echo') + 4, role: 'name' },
              { start: at('echo') + 4, end: at('{"text"'), role: 'markup' },
              { start: at('{"text"'), end: at('}</tool_call>'), role: 'argument' },
              { start: at('}</tool_call>'), end: text.length, role: 'markup' },
            ],
          },
        },
      ],
    },
    {
      id: 'calls-tool',
      title: 'calls a tool when it is told to',
      required: true,
      status: 'skipped',
      passed: 0,
      of: 0,
      reason: 'It cannot be judged while call-leak fails.',
      examples: [],
    },
  ],
};

const events: VerifyEvent[] = [
  { type: 'start', endpoint: report.endpoint, planned: 2 },
  { type: 'answer', done: 1, planned: 2, check: 'answers', probe: 'plain', findings: [] },
  { type: 'report', report },
];
