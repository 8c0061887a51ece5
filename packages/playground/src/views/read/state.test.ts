import { expect, it } from 'vitest';
import { firstExample } from './examples.js';
import { fromExample, fromLink, toLink } from './state.js';

const names = ['hermes', 'glm-4.5'];

it("begins with an example, whose tools are not those of a text of one's own", () => {
  expect(fromLink(undefined, names)).toEqual(fromExample(firstExample));
  expect(fromExample(firstExample).context.example).toBe(true);
});

it('keeps what it wrote', () => {
  const doc = { ...fromExample(firstExample), ends: [3, 9] };
  const state = JSON.parse(JSON.stringify(toLink(doc, 7)));
  expect(fromLink(state, names)).toEqual({ ...doc, context: { ...doc.context, example: false }, at: 7 });
});

it('takes nothing that it does not know', () => {
  const odd = { text: 7, dialect: '__proto__', tools: [], thinking: 'yes', at: -1, ends: [3, 2], growing: 1 };
  expect(fromLink(odd, names)).toEqual({
    text: '',
    context: { dialect: 'auto', tools: '', thinking: false, example: false },
    ends: [],
    growing: false,
  });
  expect(fromLink('text', names)).toMatchObject({ text: firstExample.text });
});
