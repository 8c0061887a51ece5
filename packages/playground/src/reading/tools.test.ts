import { expect, it } from 'vitest';
import { readTools } from './tools.js';

it('takes any shape, and nothing at all', () => {
  expect(readTools('[{"name":"f"}]')).toMatchObject({ names: ['f'] });
  expect(readTools('[{"type":"function","function":{"name":"g"}}]')).toMatchObject({ names: ['g'] });
  expect(readTools(' \n')).toMatchObject({ names: [] });
});

it('says where JSON is broken', () => {
  const text = '[\n  {"name": }\n]';
  const read = readTools(text);
  expect(read).toMatchObject({ problem: { line: 2, column: 12, start: text.indexOf('}') } });
});

it('says where a tool is none', () => {
  const text = '[\n {"name": "f"},\n {"name": 7}\n]';
  const read = readTools(text);
  expect(read).toMatchObject({ problem: { line: 3, column: 11, start: text.indexOf('7') } });
  expect('problem' in read && read.problem.message).toContain('name');
});

it('points at the whole where a member is missing', () => {
  expect(readTools('[{"parameters": {}}]')).toMatchObject({ problem: { line: 1, column: 2, end: 19 } });
});

it('takes one tool without a list, and says where it is wrong', () => {
  expect(readTools('{"name":"f"}')).toMatchObject({ names: ['f'], tools: [{ name: 'f' }] });
  expect(readTools('{"type":"function","function":{"name":"g"}}')).toMatchObject({ names: ['g'] });
  const text = '{"name": "f",\n "description": 7}';
  expect(readTools(text)).toMatchObject({ problem: { line: 2, start: text.indexOf('7') } });
});
