// A result is never read as that of another call: where a form cannot say whose it is, the row is set aside.

import { all } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { createConvertLine } from '../forms/convert.js';
import { type Form, RowError } from '../forms/form.js';
import { findForm, formOf } from '../forms/forms.js';
import { maskKinds } from '../train/training.js';

/** `calls`: the tool of each call. `results`: for each result, the index of its call. */
interface Case {
  calls: string[];
  results: number[];
}

const answered: Record<string, Case> = {
  'each call has one': { calls: ['f', 'f'], results: [0, 1] },
  'they came in another order': { calls: ['f', 'g'], results: [1, 0] },
  'the last call has none': { calls: ['f', 'f'], results: [0] },
};
const unanswered: Record<string, Case> = {
  'the first call has none': { calls: ['f', 'f'], results: [1] },
  'a call in the middle has none': { calls: ['f', 'f', 'f'], results: [2, 0] },
  'one call has two': { calls: ['f', 'f'], results: [0, 0, 1] },
};
/** Whether this can be told depends on whether results have the names of their tools. */
const named: Record<string, Case> = {
  'the first call, of another tool, has none': { calls: ['f', 'g'], results: [1] },
};

const tools = ['f', 'g'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { n: { type: 'integer' } } } },
}));

function rowOf({ calls, results }: Case): string {
  const made = calls.map((name, at) => ({
    id: `call_${at + 1}`,
    type: 'function',
    function: { name, arguments: `{"n": ${at}}` },
  }));
  const messages = [
    { role: 'user', content: 'Count.' },
    { role: 'assistant', content: null, tool_calls: made },
    ...results.map((at) => ({ role: 'tool', tool_call_id: `call_${at + 1}`, content: `counted ${at}` })),
    { role: 'assistant', content: 'Done.' },
  ];
  return JSON.stringify({ messages, tools });
}

const openai = findForm('openai');

/** Gives the arguments of the call of each result, by the text of the result; undefined if the row is set aside. */
function readBack(form: Form, one: Case): Map<string, unknown> | undefined {
  let text: string;
  try {
    text = createConvertLine({ from: openai, to: form })(rowOf(one)).text;
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    expect(error.message).toMatch(/this result of the call|would say something else|cannot be told apart/);
    expect(error.path).toMatch(/^messages/);
    return undefined;
  }
  const { messages } = JSON.parse(createConvertLine({ from: form, to: openai })(text).text) as {
    messages: {
      tool_calls?: { id: string; function: { arguments: string } }[];
      tool_call_id?: string;
      content: unknown;
    }[];
  };
  const calls = new Map(
    messages.flatMap(({ tool_calls = [] }) =>
      tool_calls.map(({ id, function: { arguments: input } }) => [id, JSON.parse(input).n] as const),
    ),
  );
  return new Map(
    messages.flatMap(({ tool_call_id: id, content }) =>
      id === undefined ? [] : [[String(content), calls.get(id)] as const],
    ),
  );
}

function expectOwnCalls(read: Map<string, unknown> | undefined, { results }: Case): void {
  for (const at of results) expect(read?.get(`counted ${at}`)).toBe(at);
}

const forms: [name: string, form: Form, ids: boolean][] = [
  ...['sharegpt', 'toolace', 'glaive'].map(
    (name) => [name, findForm(name), false] as [string, Form, boolean],
  ),
  ...all.dialects.flatMap((dialect) => {
    const { name, traits, render } = dialect;
    const messages: [string, Form, boolean] = [
      `messages:${name}`,
      findForm('messages', { dialect }),
      traits.ids,
    ];
    return render.back?.turns
      ? [messages, [`prompt:${name}`, findForm('prompt', { dialect }), traits.ids] as [string, Form, boolean]]
      : [messages];
  }),
];

describe.each(forms)('results in %s', (name, form, ids) => {
  it.each(Object.entries(answered))('are those of their calls where %s', (_, one) => {
    const read = readBack(form, one);
    // Nothing divides the results of command-r but a blank line.
    const isUndivided = name === 'messages:command-r' && one.results.length < one.calls.length;
    if (isUndivided) expect(read).toBeUndefined();
    else expectOwnCalls(read, one);
  });

  it.each(Object.entries(unanswered))('are given to no other call where %s', (_, one) => {
    const read = readBack(form, one);
    if (ids) expectOwnCalls(read, one);
    else expect(read).toBeUndefined();
  });

  it.each(Object.entries(named))('are given to no other call where %s', (_, one) => {
    const read = readBack(form, one);
    if (read) expectOwnCalls(read, one);
  });
});

const unread = all.dialects.filter(({ render }) => render.prompt && !render.back?.turns);

describe.each(unread.map((dialect) => [dialect.name, dialect] as const))('prompts of %s', (_, dialect) => {
  it('are not written where a result would be that of another call', () => {
    const to = formOf({ form: 'prompt', dialect: dialect.name }, { mask: maskKinds });
    const write = (one: Case) => createConvertLine({ from: openai, to })(rowOf(one)).text;
    for (const one of Object.values(answered)) expect(write(one)).toContain('counted 0');
    for (const one of Object.values(unanswered))
      if (!dialect.traits.ids) expect(() => write(one)).toThrow('this result of the call');
  });
});
