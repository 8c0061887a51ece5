import { expect, it } from 'vitest';
import { firstExample } from './examples.js';
import { fromLink, toState } from './state.js';

it('begins with an example, whose dialect is guessed', () => {
  expect(fromLink(undefined)).toMatchObject({ text: firstExample.text, dialect: 'auto' });
});

it('keeps what it wrote', () => {
  const state = { ...toState(firstExample), at: 7 };
  expect(fromLink(JSON.parse(JSON.stringify(state)))).toEqual(state);
});

it('takes nothing that it does not know', () => {
  expect(fromLink({ text: 7, dialect: '__proto__', tools: [], thinking: 'yes', at: -1 })).toEqual({
    text: '',
    dialect: 'auto',
    tools: '[]',
    thinking: false,
  });
  expect(fromLink('text')).toMatchObject({ text: firstExample.text });
});
