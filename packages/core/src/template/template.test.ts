import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseExact, UsageError } from '../model/index.js';
import { renderTemplate as renderLater } from './lazy-template.js';
import { renderTemplate } from './template.js';

interface Fixture {
  variables: Record<string, unknown>;
  cases: { name: string; template: string; text?: string; error?: string }[];
}

const file = readFileSync(new URL('template.fixture.json', import.meta.url), 'utf8');
const fixture = parseExact(file) as unknown as Fixture;
const now = new Date(Date.UTC(2024, 2, 5, 7, 8, 9));
const hello = { messages: [{ role: 'user', content: 'hello' }] };

function faultOf(run: () => unknown): UsageError {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a template', () => {
  for (const { name, template, text } of fixture.cases) {
    const render = () =>
      renderTemplate(template, { messages: [] }, { variables: fixture.variables, now }).text;
    if (text !== undefined) it(`gives jinja2's bytes: ${name}`, () => expect(render()).toBe(text));
    else it(`ends in a UsageError where Python raises: ${name}`, () => expect(render).toThrow(UsageError));
  }

  it('carries the message of raise_exception', () => {
    const error = faultOf(() => renderTemplate("{{ raise_exception('no system role') }}", hello));
    expect(error).toMatchObject({ code: 'bad-template', message: 'no system role' });
  });

  it('says that it cannot be read', () => {
    for (const broken of [
      '{% if x %}',
      '{{',
      '{{ 1 +',
      '{% for %}',
      '{{ "a }}',
      '{% endif %}',
      '{{ a b }}',
    ]) {
      expect(faultOf(() => renderTemplate(broken, hello)).code, broken).toBe('bad-template');
    }
  });

  it('asks for the date only where it prints one', () => {
    expect(renderTemplate('{{ strftime_now is defined }}', hello).text).toBe('True');
    expect(faultOf(() => renderTemplate("{{ strftime_now('%Y') }}", hello)).code).toBe('bad-options');
  });

  it('is the same when it is loaded on demand', async () => {
    expect(await renderLater('{{ messages[0].content }}', hello)).toEqual({ text: 'hello' });
  });
});

describe('a tokenizer_config.json', () => {
  const config = {
    bos_token: '<s>',
    eos_token: { content: '</s>', lstrip: false },
    pad_token: null,
    add_bos_token: true,
    chat_template: '{{ bos_token }}{{ messages[0].content }}{{ eos_token }}{{ pad_token is defined }}',
  };
  const several = {
    chat_template: [
      { name: 'default', template: 'plain' },
      { name: 'tool_use', template: 'with tools' },
      { name: 'rag', template: 'with documents' },
    ],
  };
  const tools = [{ type: 'function', function: { name: 'f' } }];

  it('brings the special tokens, parsed or not', () => {
    expect(renderTemplate(config, hello).text).toBe('<s>hello</s>False');
    expect(renderTemplate(JSON.stringify(config, null, 2), hello).text).toBe('<s>hello</s>False');
  });

  it('offers one of several templates', () => {
    expect(renderTemplate(several, hello).text).toBe('plain');
    expect(renderTemplate(several, { ...hello, tools }).text).toBe('with tools');
    expect(renderTemplate(several, { ...hello, tools, tool_choice: 'none' }).text).toBe('plain');
    expect(renderTemplate(several, hello, { name: 'rag' }).text).toBe('with documents');
    expect(faultOf(() => renderTemplate(several, hello, { name: 'none' })).message).toContain(
      'default, tool_use, rag',
    );
    expect(faultOf(() => renderTemplate({}, hello)).code).toBe('bad-template');
  });
});

describe('a request', () => {
  const show = (request: unknown, template = '{{ messages | tojson }}{{ tools | tojson }}') =>
    renderTemplate(template, request).text;

  it('is data and never a template', () => {
    const hostile = '{{ 7*7 }}{% for x in messages %}{% endraw %}{#';
    expect(show({ messages: [{ role: 'user', content: hostile }] }, '{{ messages[0].content }}')).toBe(
      hostile,
    );
    const request = { ...hello, chat_template: 'evil', chat_template_kwargs: { a: 1 } };
    expect(show(request, '{{ a is defined }}{{ chat_template is defined }}')).toBe('FalseFalse');
  });

  it('has no content instead of None', () => {
    expect(show({ messages: [{ role: 'assistant', content: null }, { role: 'assistant' }] })).toBe(
      '[{"role": "assistant", "content": ""}, {"role": "assistant", "content": ""}]null',
    );
  });

  it('has arguments as an object, with its digits and the order of its keys', () => {
    const text = '{"items": 1, "10": 1.0, "2": 12345678901234567890, "__proto__": 1e16}';
    const message = {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'f', arguments: text } }],
    };
    expect(show({ messages: [message] }, '{{ messages[0].tool_calls[0].function.arguments | tojson }}')).toBe(
      '{"items": 1, "10": 1.0, "2": 12345678901234567890, "__proto__": 1e+16}',
    );
    const broken = { ...message, tool_calls: [{ function: { name: 'f', arguments: '{"a"' } }] };
    expect(faultOf(() => show({ messages: [broken] }))).toMatchObject({
      code: 'bad-conversation',
      path: 'messages[0].tool_calls[0].function.arguments',
    });
  });

  it('may be a conversation of ours', () => {
    const conversation = {
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'hm' },
            { type: 'tool-call', id: 'c1', name: 'f', input: { x: 1 }, raw: '{"x": 1.0}' },
          ],
        },
        { role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', name: 'f', output: { ok: true } }] },
      ],
      tools: [{ name: 'f', parameters: { type: 'object' } }],
      toolChoice: 'auto',
    };
    expect(show(conversation)).toBe(
      '[{"role": "user", "content": "ab"}, ' +
        '{"role": "assistant", "content": "", "reasoning_content": "hm", "tool_calls": [{"id": "c1", "type": ' +
        '"function", "function": {"name": "f", "arguments": {"x": 1.0}}}]}, ' +
        '{"role": "tool", "tool_call_id": "c1", "name": "f", "content": "{\\"ok\\": true}"}]' +
        '[{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]',
    );
  });

  it('may be one of Anthropic', () => {
    const request = {
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'r' }] },
      ],
    };
    expect(show(request, '{% for m in messages %}{{ m.role }}:{{ m.content }};{% endfor %}')).toBe(
      'system:Be brief.;user:q;assistant:;tool:r;',
    );
  });

  it('never makes ill-formed text', () => {
    expect(show({ messages: [{ role: 'user', content: 'a\ud83d', '\udc00': 1 }] })).toBe(
      '[{"role": "user", "content": "a\ufffd", "\ufffd": 1}]null',
    );
  });

  it('has no tools instead of an empty list', () => {
    expect(show({ messages: [], tools: [] })).toBe('[]null');
  });

  it('must have messages', () => {
    for (const request of [null, 1, 'x', {}, { messages: 'x' }, { messages: [1] }]) {
      expect(faultOf(() => renderTemplate('x', request)).code).toBe('bad-conversation');
    }
  });
});
