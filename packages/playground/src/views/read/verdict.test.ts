import { dialects } from '@dragoman/core';
import { expect, it } from 'vitest';
import { type ReadInput, readAll } from '../../reading/jobs.js';
import { en } from '../../words/en.js';
import { firstExample } from './examples.js';
import { verdictOf } from './verdict.js';

function verdictOn(text: string, more: Partial<ReadInput> = {}) {
  const job = readAll({ text, dialect: 'hermes', tools: [], thinking: false, ...more }, dialects);
  for (;;) {
    const { done, value } = job.next();
    if (done) return verdictOf(value.reading, text, en);
  }
}

const call = (json: string) => `<tool_call>\n${json}\n</tool_call>`;

it('counts the calls that can run, and explains the first problem as `dragoman explain` does', () => {
  const { tone, title, details } = verdictOn(firstExample.text, { tools: firstExample.tools });
  expect({ tone, title }).toEqual({ tone: 'bad', title: '2 calls can run, 1 cannot' });
  expect(details).toContain('No tool named "get_wether" was declared.');
  expect(details).toContain('Check the spelling, and that the tool was sent with the request.');
  expect(details).toContain('3 slips were repaired.');
});

it.each([
  ['', 'calm', 'Nothing to read yet'],
  ['Hello.', 'calm', 'No call in this text'],
  [call('{"name": "f", "arguments": {}}'), 'good', '1 call can run'],
  [call('{"name": "f", "arguments": {"a": 1,}}'), 'mended', '1 call can run'],
  ['<tool_call>\n{"name": "f", "argum', 'bad', 'The call cannot run'],
])('of %j it is %s: %s', (text, tone, title) => {
  expect(verdictOn(text)).toMatchObject({ tone, title });
});

it('counts no repairs in a call that is not delivered, as the legend does not', () => {
  const slips = '{"name": "f", "arguments": {a: 1, "b": True';
  const alone = verdictOn(`<tool_call>\n${slips}`);
  expect(alone.title).toBe('The call cannot run');
  expect(alone.details).not.toContain('repaired');
  const beside = verdictOn(`${call('{"name": "f", "arguments": {"a": 1,}}')}\n<tool_call>\n${slips}`);
  expect(beside.details).toContain('One slip was repaired.');
});

it('waits for the end of a text that still grows', () => {
  expect(verdictOn('<tool_call>\n{"name": "f', { growing: true })).toMatchObject({
    title: 'Still being written',
  });
});
