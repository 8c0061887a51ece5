import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../model/index.js';
import { decodeRequest } from './decode-request.js';
import { encodeRequest } from './encode-request.js';

const { codex, sdk } = JSON.parse(readFileSync(new URL('./bodies.fixture.json', import.meta.url), 'utf8'));

const seed = 20260301;

describe('what clients send', () => {
  it.each([
    ['Codex', codex],
    ['the SDK', sdk],
    ['the least', { model: 'm', input: '' }],
  ])('%s: comes out as it came in', (_, body) => {
    expect(encodeRequest(decodeRequest(structuredClone(body)))).toStrictEqual(body);
  });

  it('names the items that are only referred to, and keeps them at their places', () => {
    const input = [
      { type: 'item_reference', id: 'rs_1' },
      { role: 'user', content: 'Go on.' },
      { id: 'msg_2' },
    ];
    const request = decodeRequest({ model: 'm', input });
    expect(request.references).toEqual([
      { path: 'input[0]', id: 'rs_1' },
      { path: 'input[2]', id: 'msg_2' },
    ]);
    expect(encodeRequest(request).input).toEqual(input);
    expect(decodeRequest({ model: 'm', input: 'Hi' })).not.toHaveProperty('references');
    expect(caught(() => decodeRequest({ model: 'm', input: [{ type: 'item_reference' }] }))).toMatchObject({
      path: 'input[0].id',
    });
  });

  it('Codex: turns with their calls open together, nothing unreadable among them', () => {
    const { conversation, settings, stream } = decodeRequest(codex);
    expect(
      conversation.messages.map(({ role, parts }) => [role, parts.map((part) => part.type).join(' ')]),
    ).toEqual([
      ['system', 'text'],
      ['system', 'text'],
      ['user', 'text'],
      ['assistant', 'reasoning text tool-call text tool-call'],
      ['tool', 'tool-result tool-result'],
      ['assistant', 'tool-call'],
      ['tool', 'tool-result'],
    ]);
    expect(conversation.messages[4]?.parts).toMatchObject([
      { callId: 'call_1', output: 'a.ts' },
      { callId: 'call_2', output: 'ok' },
    ]);
    expect(conversation.messages[5]?.parts).toMatchObject([
      { name: 'apply_patch', input: { input: '*** Begin Patch' } },
    ]);
    expect(settings).toEqual({ parallelCalls: true, thinking: true, effort: 'medium' });
    expect(stream).toBe(true);
  });

  it('Codex: functions and freeform tools are taken, also from namespaces; the others are listed', () => {
    const { conversation, skippedTools } = decodeRequest(codex);
    expect(conversation.tools.map((tool) => tool.name)).toEqual([
      'shell',
      'collab__spawn',
      'collab__x',
      'apply_patch',
    ]);
    expect(conversation.messages[3]?.parts.at(-1)).toMatchObject({ id: 'call_2', name: 'collab__spawn' });
    expect(conversation.tools[0]).toMatchObject({
      extra: { strict: false },
      source: { type: 'function', function: { name: 'shell' } },
    });
    expect(skippedTools).toEqual([{ path: 'tools[2]', type: 'web_search' }]);
  });

  it('Codex: tools that an item brings are taken from it and go back into it', () => {
    const [shell] = codex.tools;
    const item = {
      type: 'additional_tools',
      role: 'developer',
      tools: [{ type: 'custom', name: 'exec' }, shell, { type: 'local_shell' }],
    };
    const body = { model: 'm', input: [item, { role: 'user', content: 'a' }] };
    const request = decodeRequest(body);
    expect(request.conversation.tools).toMatchObject([{ name: 'exec' }, { name: 'shell' }]);
    expect(request.skippedTools).toEqual([{ path: 'input[0].tools[2]', type: 'local_shell' }]);
    expect(encodeRequest(request)).toStrictEqual(body);
  });

  it('the SDK: settings are read, the rest is kept where it can be seen', () => {
    const { settings, extra } = decodeRequest(sdk);
    expect(settings).toEqual({ maxTokens: 100, temperature: 0, topP: 1 });
    expect(extra).toMatchObject({ previous_response_id: 'resp_1', text: { format: { name: 'a' } } });
  });

  it('a call whose arguments were cut off stays in the history', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{"path": "a' };
    const request = decodeRequest({ model: 'm', input: [item] });
    expect(request.conversation.messages[0]?.parts).toMatchObject([{ input: { arguments: '{"path": "a' } }]);
  });

  it('two texts side by side are two turns, unless calls are open', () => {
    const says = (content: string) => ({ role: 'assistant', content });
    const calls = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' };
    const shape = (...input: object[]) =>
      decodeRequest({ model: 'm', input }).conversation.messages.map(({ parts }) => parts.length);
    expect(shape(says('a'), says('b'))).toEqual([1, 1]);
    expect(shape(says('a'), calls, says('b'), says('c'), { ...calls, call_id: 'd' })).toEqual([5]);
  });

  const read = { type: 'function', name: 'read' };
  it.each<[unknown, unknown]>([
    ['required', 'required'],
    [read, { name: 'read' }],
    [{ ...read, namespace: 'crm' }, { name: 'crm__read' }],
    [{ type: 'allowed_tools', mode: 'required', tools: [read] }, { name: 'read' }],
    [{ type: 'allowed_tools', mode: 'auto', tools: [read] }, 'auto'],
    [{ type: 'allowed_tools', mode: 'required', tools: [read, read] }, 'required'],
    [{ type: 'web_search_preview' }, 'auto'],
    [null, 'auto'],
  ])('the choice of tools %j is read as %j', (tool_choice, choice) => {
    expect(decodeRequest({ model: 'm', input: '', tool_choice }).conversation.toolChoice).toEqual(choice);
  });

  it.each([
    [{ effort: 'none' }, false],
    [{ effort: 'minimal' }, true],
    [{ summary: 'auto' }, undefined],
    [null, undefined],
  ])('reasoning %j: thinking is %s', (reasoning, thinking) => {
    expect(decodeRequest({ model: 'm', input: '', reasoning }).settings.thinking).toBe(thinking);
  });
});

describe('a request that is wrong', () => {
  const message = { role: 'user', content: 'a' };
  it.each<[unknown, string, string]>([
    [[], '', 'a request'],
    [{ input: 'a' }, 'model', 'the name of a model'],
    [{ model: 'm' }, 'input', 'a string or a list of items'],
    [{ model: 'm', input: 5 }, 'input', 'found 5'],
    [{ model: 'm', input: [message, 'x'] }, 'input[1]', 'an item'],
    [{ model: 'm', input: [{}] }, 'input[0]', 'an item with a type'],
    [{ model: 'm', input: [{ role: 'robot', content: 'a' }] }, 'input[0].role', "'user'"],
    [{ model: 'm', input: [{ role: 'user' }] }, 'input[0].content', 'a list of parts'],
    [
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_text' }] }] },
      'input[0].content[0].text',
      'a string',
    ],
    [
      { model: 'm', input: [{ role: 'system', content: [{ type: 'input_image' }] }] },
      'input[0].content[0]',
      'text',
    ],
    [
      { model: 'm', input: [message, { type: 'function_call', name: 'a', arguments: '' }] },
      'input[1].call_id',
      'the id',
    ],
    [
      { model: 'm', input: [{ type: 'function_call', call_id: 'a', name: '', arguments: '' }] },
      'input[0].name',
      'the name',
    ],
    [
      { model: 'm', input: [{ type: 'function_call_output', call_id: 'a', output: {} }] },
      'input[0].output',
      'a string or a list',
    ],
    [{ model: 'm', input: 'a', tools: {} }, 'tools', 'a list of tools'],
    [
      { model: 'm', input: 'a', tools: [{ type: 'web_search' }, { type: 'function', name: 'a b' }] },
      'tools[1].name',
      'characters',
    ],
    [
      { model: 'm', input: 'a', tools: [{ type: 'function', name: 'a', parameters: 1 }] },
      'tools[0].parameters',
      'a JSON Schema',
    ],
    [
      { model: 'm', input: 'a', tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function' }] }] },
      'tools[0].tools[0].name',
      'name',
    ],
    [{ model: 'm', input: 'a', tool_choice: 'maybe' }, 'tool_choice', "'auto'"],
    [{ model: 'm', input: 'a', tool_choice: { type: 'function' } }, 'tool_choice.name', 'name'],
    [{ model: 'm', input: 'a', temperature: 3 }, 'temperature', 'from 0 to 2'],
    [{ model: 'm', input: 'a', max_output_tokens: 0 }, 'max_output_tokens', 'at least 1'],
    [{ model: 'm', input: 'a', stream: 'yes' }, 'stream', 'true or false'],
    [{ model: 'm', input: 'a', reasoning: 'high' }, 'reasoning', 'effort'],
    [{ model: 'm', input: 'a', reasoning: { effort: 1 } }, 'reasoning.effort', 'a string'],
    [{ model: 'm', input: 'a', instructions: ['a'] }, 'instructions', 'a string'],
    [{ model: 'm', input: 'a', metadata: nested(600) }, 'metadata', 'levels'],
  ])('%j is refused with the path and what was expected', (given, path, said) => {
    const error = caught(() => decodeRequest(given));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'bad-request', path, message: expect.stringContaining(said) });
  });

  it('is never anything but a bad request', () => {
    const keys = fc.constantFrom(
      'model',
      'input',
      'tools',
      'role',
      'content',
      'type',
      'name',
      'call_id',
      'output',
      'arguments',
      'reasoning',
      'tool_choice',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('function', 'message', 'user', 'm', null, 1),
        fc.dictionary(keys, tie('tree')),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const error = caught(() =>
          decodeRequest({ model: 'm', input: [value], tools: [value], tool_choice: value }),
        );
        if (error !== undefined)
          expect(error).toMatchObject({ code: 'bad-request', path: expect.any(String) });
      }),
      { seed, numRuns: 500 },
    );
  });
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

function caught(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}
