import { acceptTools, parse } from '@dragoman/core';
import { expect, it } from 'vitest';
import { declareTool } from './declare-tool.js';
import { nearestName } from './nearest-name.js';

it('declares a tool that its call fits', () => {
  const raw = '{"city":"Oslo","days":3,"of":["wind"],"exact":1.5,"in":{"x":null},"now":true}';
  const tools = declareTool('[{"name": "other"}]', 'look', raw);
  expect(acceptTools(JSON.parse(tools)).map(({ name }) => name)).toEqual(['other', 'look']);
  const text = `<tool_call>\n{"name": "look", "arguments": ${raw}}\n</tool_call>`;
  expect(parse('hermes', text, { tools: JSON.parse(tools) })).toMatchObject({ issues: [], repairs: [] });
});

it('begins a list where there is none that can be read', () => {
  expect(JSON.parse(declareTool('[{', 'look', '{"a'))).toEqual([
    { name: 'look', parameters: { type: 'object', properties: {} } },
  ]);
});

it('finds the nearest name only if it is near', () => {
  expect(nearestName('get_wether', ['get_forecast', 'get_weather'])).toBe('get_weather');
  expect(nearestName('look', ['get_forecast', 'get_weather'])).toBeUndefined();
});
