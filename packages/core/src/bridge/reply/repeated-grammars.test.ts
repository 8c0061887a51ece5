// A client sends its tools as fresh JSON with every request. The grammar of equal tools is made once.

import { describe, expect, it } from 'vitest';
import { findDialect } from '../../dialects/index.js';
import type { Dialect } from '../../engine/dialect.js';
import { samplingRules } from '../../families/constrain.js';
import { RepeatedValues } from '../../model/repeated-values.js';
import { scriptedUpstream } from '../upstream/scripted-upstream.fixture.js';
import { createResponder } from './respond.js';

/** A dialect that counts how often a grammar is made of its rules. */
function countingDialect(): { dialect: Dialect; made: () => number } {
  const hermes = findDialect('hermes');
  const rules = samplingRules(hermes);
  if (!rules) throw new Error('hermes has rules');
  let made = 0;
  const calls: typeof rules.calls = (...of) => {
    made++;
    return rules.calls(...of);
  };
  return { dialect: { ...hermes, constrain: { ...rules, calls } }, made: () => made };
}

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const names = ['weather', 'time'];

const apis = [
  {
    path: 'chat/completions',
    body: (description: string) => ({
      messages: [{ role: 'user', content: 'Hi.' }],
      tools: names.map((name) => ({ type: 'function', function: { name, description, parameters } })),
    }),
  },
  {
    path: 'messages',
    body: (description: string) => ({
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi.' }],
      tools: names.map((name) => ({ name, description, input_schema: parameters })),
    }),
  },
  {
    path: 'responses',
    body: (description: string) => ({
      store: false,
      input: 'Hi.',
      tools: [
        ...names.map((name) => ({ type: 'function', name, description, parameters })),
        { type: 'custom', name: 'sum', format: { type: 'grammar', syntax: 'regex', definition: '[0-9+]+' } },
      ],
    }),
  },
];

describe.each(apis)('equal tools in requests to $path', ({ path, body }) => {
  /** Sends each of the bodies. Gives the grammars that the upstream got, and how many were made. */
  async function grammarsFor(descriptions: readonly string[], repeated?: RepeatedValues) {
    const { dialect, made } = countingDialect();
    const upstream = { ...scriptedUpstream(['Fine.']), grammar: 'gbnf' as const };
    const respond = createResponder({ mode: 'emulate', dialect, upstream, ...(repeated && { repeated }) });
    for (const description of descriptions) {
      const text = JSON.stringify({ model: 'm', ...body(description) });
      const request = new Request(`http://bridge.test/v1/${path}`, { method: 'POST', body: text });
      expect((await respond(request)).status).toBe(200);
    }
    return { grammars: upstream.asked.map(({ members }) => members?.grammar), made: made() };
  }

  it('have one grammar, which is made once', async () => {
    const once = await grammarsFor(['Tells it.']);
    expect(once.grammars).toEqual([expect.stringContaining('root ::=')]);
    const { grammars, made } = await grammarsFor(['Tells it.', 'Tells it.', 'Tells it.']);
    expect(grammars).toEqual([...once.grammars, ...once.grammars, ...once.grammars]);
    expect(made).toBe(once.made);
  });

  it('have one for each request where nothing is remembered, and other tools have their own', async () => {
    const once = await grammarsFor(['Tells it.']);
    const forgotten = await grammarsFor(['Tells it.', 'Tells it.'], new RepeatedValues(0));
    expect(forgotten.made).toBe(2 * once.made);
    const changed = await grammarsFor(['Tells it.', 'Tells more.', 'Tells it.', 'Tells more.']);
    expect(changed.made).toBe(2 * once.made);
  });
});
