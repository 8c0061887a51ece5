import { acceptConversation, findDialect } from '@dragoman/core';
import { expect, it } from 'vitest';
import { toRequest } from './draft.js';
import { example } from './example.js';
import { dropIn, hostileTexts } from './hostile.js';
import { withoutMarkers } from './without-markers.js';

it('leaves no character with which a marker could begin, and changes no shape', () => {
  const draft = hostileTexts.reduce((now, text) => dropIn(now, text).draft, structuredClone(example));
  const call = draft.messages[2]?.parts.find((part) => part.type === 'tool-call');
  if (call?.type === 'tool-call') call.input = '{"place": ["<a>", {"<k>": "[b]"}], "n": 1.0}';
  const made = toRequest(draft);
  if ('problem' in made) throw new Error(made.problem.message);
  const before = acceptConversation(made.request);
  const after = acceptConversation(
    withoutMarkers(made.request, { ...findDialect('hermes').markers, firsts: '<[!' }),
  );
  const strings: string[] = [];
  JSON.stringify(after.messages, (key, value) => {
    if (typeof value === 'string' && key !== 'raw') strings.push(value);
    return value;
  });
  expect(strings.filter((text) => /[<[!]/.test(text))).toEqual([]);
  expect(after.tools[0]?.description).not.toMatch(/</);
  expect(after.messages.map(({ role, parts }) => [role, parts.length])).toEqual(
    before.messages.map(({ role, parts }) => [role, parts.length]),
  );
  expect(JSON.stringify(after)).toContain('"·k>":"·b]"');
});
