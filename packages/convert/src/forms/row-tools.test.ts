// A row whose tools are known is read as any other.

import { stringifyJson } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, writeJson } from '../quick/plain-json.js';
import { toolsOfList } from '../quick/shared-tools.js';
import { openaiForm } from './api-form.js';
import { anyTranscript } from './conversations.fixture.js';
import { isRow, memberOf } from './members.js';
import { parseJsonRow } from './row-tools.js';
import { readTools } from './tools.js';

const tool = '{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}';
const tail = `,"tools":[${tool}]}`;

/** Often enough for a list to be kept. */
function thrice(text: string): unknown[] {
  return [1, 2, 3].map(() => {
    try {
      return parseJsonRow(text);
    } catch (error) {
      return String(error);
    }
  });
}

function once(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    return String(error);
  }
}

describe('a row that ends with tools', () => {
  it('shares them from the second time on', () => {
    const rows = thrice(`{"messages":[]${tail}`);
    const lists = rows.map((row) => (isRow(row) ? memberOf(row, 'tools') : undefined));
    expect(lists.map((list) => Array.isArray(list) && toolsOfList(list) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
    expect(lists[2]).toBe(lists[1]);
    expect(readTools(lists[2], 'tools')).toEqual(readTools(lists[0], 'tools'));
  });

  it.each([
    '{',
    '{"a":1,',
    '[1',
    '"',
    '{"a":"',
    '{"a":[{"b":1}',
    '{"a":{"b":1}',
    '{"a":{"b":1',
    '{"tools":[1],"a":2',
    '{"a":1.0',
    '{"a":12345678901234567890',
    '{"2":1,"1":2',
    '{"__proto__":1',
    '{"a":"x\\"',
    '{"a":"\\',
    ' { "a" : 1 ',
    '{"a":1}',
    '',
  ])('is read the same with %j before them', (head) => {
    const text = head + tail;
    thrice(`{"messages":[]${tail}`);
    for (const row of thrice(text)) expect(row).toEqual(once(text));
  });

  it.each([
    ',"tools":[{"a":{"b":1.0}}]}',
    ',"tools":[{"a":{"2":1,"1":2}}]}',
    ',"tools":[{"a":{"__proto__":2}}]}',
    ',"tools":[{"a": {"b":1}}]}',
    ',"tools":[{"a":{"b":1},"a":{}}]}',
    ',"tools":[1,{"a":{}}]}',
    ',"tools":[{"type":"web_search","x":{}}]}',
    `,"tools":[${tool},{"type":"function","function":{"name":"g","strict":true,"parameters":{}}}]}`,
    ',"tools":[{"type":"function","function":{"name":"","parameters":{}}}]}',
    ',"tools":[{"type":"function","function":{"name":7,"parameters":{}}}]}',
    ',"tools":[{"a":[{"b":{}}]}',
    ',"tools":[}}]}',
    ',"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}]}',
    ',"tools":[{"type":"custom","name":"f","input_schema":{"a":{}}}]}',
  ])('is read the same, whatever stands there: %j', (other) => {
    const text = `{"messages":[]${other}`;
    for (const row of thrice(text)) expect(row).toEqual(once(text));
  });

  it('is read and written as the same bytes, whoever spoke', () => {
    let shared = 0;
    for (const transcript of fc.sample(anyTranscript, { numRuns: 200, seed: 3 })) {
      const text = stringifyJson(openaiForm.write({ ...transcript, rest: [] }).row as never, 'compact');
      for (const row of thrice(text)) {
        expect(row).toEqual(once(text));
        expect(writeJson(row as never)).toBe(text);
        const list = isRow(row) ? memberOf(row, 'tools') : undefined;
        if (Array.isArray(list) && toolsOfList(list)) shared++;
      }
    }
    expect(shared).toBeGreaterThan(50);
  });
});
