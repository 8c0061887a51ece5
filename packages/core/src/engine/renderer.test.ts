import { describe, expect, it } from 'vitest';
import type { Dialect, Render } from './dialect.js';
import { defineMarkers } from './markers.js';
import { orderResults, resultText } from './message-text.js';
import { renderMessages, renderPrompt } from './renderer.js';
import { Writer } from './writer.js';

/** A dialect of brackets: calls as [name], results as [=output]. */
const render: Render = {
  instructions: (out, tools) => out.ours(`[tools: ${tools.map((tool) => tool.name).join(' ')}]`),
  calls: (out, calls, { afterText }) =>
    out.ours(`${afterText ? ' ' : ''}${calls.map((call) => `[${call.name}]`).join('')}`),
  results: (out, results) => {
    for (const result of results) out.ours('[=').outside(resultText(result), 'result').ours(']');
  },
  stop: ['[end]'],
};
const dialect = (resultRole: 'user' | 'tool' = 'user') =>
  ({
    name: 'brackets',
    render,
    markers: defineMarkers(['[=', '[tools']),
    traits: { resultRole },
  }) as unknown as Dialect;

const tools = [
  { name: 'f', parameters: {} },
  { name: 'g', parameters: {} },
];
const called = {
  role: 'assistant',
  content: 'Both.',
  tool_calls: [
    { id: '1', type: 'function', function: { name: 'f', arguments: '{}' } },
    { id: '2', type: 'function', function: { name: 'g', arguments: '{}' } },
  ],
};
const result = (tool_call_id: string, content: string) => ({ role: 'tool', tool_call_id, content });

const said = (messages: unknown[], rest: object = { tools }, role: 'user' | 'tool' = 'user') =>
  renderMessages(dialect(role), { messages, ...rest }).messages.map(({ role, content }) => [role, content]);

describe('renderMessages', () => {
  it('puts the leading system texts and the instructions into one system message', () => {
    const messages = [
      { role: 'system', content: 'A' },
      { role: 'system', content: 'B' },
      { role: 'user', content: 'Hi' },
    ];
    expect(said(messages)).toEqual([
      ['system', 'A\n\nB\n\n[tools: f g]'],
      ['user', 'Hi'],
    ]);
  });

  it('has no system message where there is nothing to say', () => {
    expect(said([{ role: 'user', content: 'Hi' }], {})).toEqual([['user', 'Hi']]);
  });

  it('leaves later system messages where they are', () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Be brief.' },
    ];
    expect(said(messages, {})).toEqual([
      ['user', 'Hi'],
      ['system', 'Be brief.'],
    ]);
  });

  it('writes text and calls of a turn, and not its reasoning', () => {
    const messages = [{ ...called, reasoning_content: 'Hm.' }];
    expect(said(messages).at(-1)).toEqual(['assistant', 'Both. [f][g]']);
  });

  it('gathers results into one message, in the order of the calls, those of unknown calls last', () => {
    const messages = [called, result('9', 'nine'), result('2', 'two'), result('1', 'one')];
    expect(said(messages).at(-1)).toEqual(['user', '[=one][=two][=nine]']);
  });

  it('puts user text that follows results into their message', () => {
    const messages = [
      called,
      result('1', 'one'),
      { role: 'user', content: 'Go on.' },
      { role: 'user', content: 'Now.' },
    ];
    expect(said(messages).slice(-2)).toEqual([
      ['user', '[=one]\n\nGo on.'],
      ['user', 'Now.'],
    ]);
  });

  it('keeps user text apart from results that have a role of their own', () => {
    const messages = [called, result('1', 'one'), { role: 'user', content: 'Go on.' }];
    expect(said(messages, { tools }, 'tool').slice(-2)).toEqual([
      ['tool', '[=one]'],
      ['user', 'Go on.'],
    ]);
  });

  it('gives media back beside the text', () => {
    const image = { type: 'image_url', image_url: { url: 'data:,' } };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Look' }, image] }];
    const [message] = renderMessages(dialect(), { messages }).messages;
    expect(message).toMatchObject({ content: 'Look', media: [{ type: 'media', media: image }] });
  });

  it('joins parts before it looks for markers', () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '[' },
          { type: 'text', text: '=x]' },
        ],
      },
    ];
    expect(said(messages, {})).toEqual([['user', '[\\=x]']]);
  });

  it('says where to stop', () => {
    expect(renderMessages(dialect(), { messages: [] })).toEqual({ messages: [], stop: ['[end]'] });
  });
});

describe('renderPrompt', () => {
  it('sends dialects without a prompt to renderMessages', () => {
    expect(() => renderPrompt(dialect(), { messages: [] })).toThrow(/brackets .*use renderMessages/);
  });

  it.each([
    [{}, undefined],
    [{ thinking: false }, false],
    [{ template: { enable_thinking: true } }, true],
    [{ template: { thinking: false } }, false],
    [{ thinking: true, template: { enable_thinking: false } }, true],
  ])('takes the words of templates for `thinking`: %j', (options, expected) => {
    let seen: boolean | undefined;
    const prompt: Render['prompt'] = (_, __, { thinking }) => {
      seen = thinking;
    };
    renderPrompt({ ...dialect(), render: { ...render, prompt } }, { messages: [] }, options);
    expect(seen).toBe(expected);
  });
});

describe('resultText', () => {
  const text = (output: unknown, more: object = {}) =>
    resultText({ type: 'tool-result', callId: '1', output: output as string, ...more });

  it.each([
    ['as it is', 'as it is'],
    ['', ''],
    [{ t: 22, list: [1, 'é'] }, '{"t": 22, "list": [1, "é"]}'],
    [null, 'null'],
  ])('writes %j as %j', (output, expected) => expect(text(output)).toBe(expected));

  it('says that an error is one, unless it does so itself', () => {
    expect(text('no such file', { isError: true })).toBe('Error: no such file');
    expect(text('ERROR 404', { isError: true })).toBe('ERROR 404');
  });

  it('separates blocks where it still has them', () => {
    const extra = { content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] };
    const result = { type: 'tool-result', callId: '1', output: 'ab', extra } as const;
    expect(resultText(result)).toBe('ab');
    expect(resultText(result, '\n\n')).toBe('a\n\nb');
    expect(resultText({ ...result, output: 'edited' }, '\n\n')).toBe('edited');
  });
});

describe('orderResults', () => {
  it('keeps the order of results that answer nothing', () => {
    const results = ['b', 'a'].map((callId) => ({ type: 'tool-result', callId, output: '' }) as const);
    expect(orderResults(results, [])).toEqual(results);
  });
});

describe('Writer', () => {
  const markers = defineMarkers(['<a>', '[b]']);

  it('neutralises texts that follow each other as one', () => {
    const out = new Writer(markers).outside('x<', 'one').outside('a>', 'two').ours('<a>');
    expect(out.text).toBe('x<\\a><a>');
    expect(out.spans).toEqual([
      { start: 0, end: 5, origin: 'outside' },
      { start: 5, end: 8, origin: 'ours' },
    ]);
  });

  it('escapes markers in JSON and leaves its own brackets', () => {
    const value = ['<a>', '[b]', ['<c>']];
    const { text } = new Writer(markers).json(value, 'value');
    expect(text).toBe('["\\u003ca>", "\\u005bb]", ["<c>"]]');
    expect(JSON.parse(text)).toEqual(value);
  });
});

describe('what is rendered belongs to the caller', () => {
  const plain = dialect();
  const request = {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi.' },
    ],
  };

  it('and is not shared with the next one', () => {
    const [first] = renderMessages(plain, request).messages;
    if (!first) throw new Error('there is no message');
    first.content += ' Changed.';
    first.spans.length = 0;
    const [second] = renderMessages(plain, request).messages;
    expect([second?.content, second?.spans.length]).toEqual(['Be brief.', 1]);
  });

  it('and is made of any options of a template', () => {
    expect(() => renderMessages(plain, request, { template: { n: 1n } })).not.toThrow();
  });

  it('without a message for a tool message without results', () => {
    const messages = [
      { role: 'user', parts: [{ type: 'text', text: 'x' }] },
      { role: 'tool', parts: [] },
      { role: 'user', parts: [{ type: 'text', text: 'y' }] },
    ];
    const rendered = renderMessages(plain, { messages, tools: [], toolChoice: 'auto' }).messages;
    expect(rendered.map(({ content }) => content)).toEqual(['x', 'y']);
  });
});
