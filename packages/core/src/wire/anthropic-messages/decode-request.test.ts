import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../model/index.js';
import { decodeRequest } from './decode-request.js';

const fixture = readFileSync(new URL('./agent-request.fixture.json', import.meta.url), 'utf8');
const agentBody = (): Record<string, unknown> => JSON.parse(fixture);

const ask = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
const says = (content: unknown, role = 'user') => ({ ...ask, messages: [{ role, content }] });

function refusal(body: unknown): { path: string | undefined; message: string } {
  try {
    decodeRequest(body);
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    const { code, path, message } = error as ApiError;
    expect(code).toBe('bad-request');
    return { path, message };
  }
  throw new Error('expected a refusal');
}

describe('decodeRequest', () => {
  it('reads what a coding agent sends', () => {
    const request = decodeRequest(agentBody());
    const { messages, tools, toolChoice } = request.conversation;
    expect(messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(messages[3]?.parts).toMatchObject([
      { callId: 'toolu_01', name: 'Bash', output: 'a.ts\nb.ts' },
      { callId: 'toolu_02', name: 'Read', output: 'File does not exist.', isError: true },
    ]);
    expect(messages[2]?.parts[0]).toMatchObject({ type: 'reasoning', extra: { signature: 'EqQBCgIYAhIM' } });
    expect(tools).toHaveLength(11);
    expect(request.skippedTools).toEqual([{ path: 'tools[10]', type: 'web_search_20250305' }]);
    expect(toolChoice).toBe('auto');
    expect(request).toMatchObject({ api: 'anthropic-messages', stream: true });
    expect(request.settings).toEqual({ maxTokens: 32000, temperature: 1, thinking: true });
  });

  it('reads settings, and what a choice says of parallel calls', () => {
    const request = decodeRequest({
      ...ask,
      top_p: 0.5,
      top_k: 3,
      stop_sequences: ['x'],
      thinking: { type: 'disabled' },
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    expect(request.settings).toEqual({
      maxTokens: 10,
      topP: 0.5,
      topK: 3,
      stop: ['x'],
      thinking: false,
      parallelCalls: false,
    });
    expect(request.conversation.toolChoice).toBe('required');
    expect(request.stream).toBe(false);
  });

  it.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['any', 'required'],
  ])('reads the choice %s as %s', (type, expected) => {
    expect(decodeRequest({ ...ask, tool_choice: { type } }).conversation.toolChoice).toBe(expected);
  });

  it('does without max_tokens', () => {
    const { max_tokens: _, ...rest } = ask;
    expect(decodeRequest(rest).settings).toEqual({});
  });

  it.each([
    [null, undefined, 'a request'],
    [{ ...ask, model: undefined }, 'model', 'the name of a model'],
    [{ ...ask, model: '' }, 'model', 'the name of a model'],
    [{ ...ask, messages: undefined }, 'messages', 'at least one message, found nothing'],
    [{ ...ask, messages: [] }, 'messages', 'at least one message, found an empty list'],
    [{ ...ask, messages: ['hi'] }, 'messages[0]', 'a message'],
    [{ ...ask, messages: [{ content: 'hi' }] }, 'messages[0].role', "'user'"],
    [says('hi', 'tool'), 'messages[0].role', "'user'"],
    [says(null), 'messages[0].content', 'a string or a list of blocks, found null'],
    [says([{ text: 'hi' }]), 'messages[0].content[0].type', 'the type of a block'],
    [says([{ type: 'text' }]), 'messages[0].content[0].text', 'a string'],
    [
      says([{ type: 'tool_result', content: '' }]),
      'messages[0].content[0].tool_use_id',
      'the id of the call',
    ],
    [
      says([{ type: 'tool_result', tool_use_id: 'a', content: 5 }]),
      'messages[0].content[0].content',
      'a string or',
    ],
    [
      says([{ type: 'tool_result', tool_use_id: 'a', is_error: 'no' }]),
      'messages[0].content[0].is_error',
      'true or',
    ],
    [says([{ type: 'tool_use', id: 'a', name: 'b', input: {} }]), 'messages[0].content[0].type', 'assistant'],
    [says([{ type: 'tool_use', name: 'b', input: {} }], 'assistant'), 'messages[0].content[0].id', 'the id'],
    [
      says([{ type: 'tool_use', id: 'a', name: '', input: {} }], 'assistant'),
      'messages[0].content[0].name',
      'name',
    ],
    [says([{ type: 'tool_result', tool_use_id: 'a' }], 'assistant'), 'messages[0].content[0].type', 'user'],
    [{ ...ask, system: [{ type: 'image' }] }, 'system[0].type', "'text'"],
    [{ ...ask, system: 5 }, 'system', 'a string or a list of blocks'],
    [{ ...ask, max_tokens: 1.5 }, 'max_tokens', 'a whole number'],
    [{ ...ask, temperature: 'hot' }, 'temperature', 'a number from 0 to 2'],
    [{ ...ask, stop_sequences: ['a', 1] }, 'stop_sequences[1]', 'a string'],
    [{ ...ask, stop_sequences: Array(33).fill('a') }, 'stop_sequences', 'at most 32 strings'],
    [{ ...ask, stream: 'yes' }, 'stream', 'true or false'],
    [{ ...ask, thinking: true }, 'thinking', 'enabled'],
    [{ ...ask, tools: {} }, 'tools', 'a list of tools'],
    [{ ...ask, tools: [{ input_schema: {} }] }, 'tools[0].name', "the tool's name"],
    [{ ...ask, tools: [{ name: 'a b', input_schema: {} }] }, 'tools[0].name', 'a name of'],
    [{ ...ask, tools: [{ name: 'a', input_schema: 5 }] }, 'tools[0].input_schema', 'a JSON Schema'],
    [{ ...ask, tools: [{ type: 'function', function: { name: 'a' } }] }, 'tools[0].type', "'custom'"],
    [{ ...ask, tool_choice: 'auto' }, 'tool_choice', "{type: 'auto'"],
    [{ ...ask, tool_choice: { type: 'tool' } }, 'tool_choice.name', 'the name of a tool'],
    [{ ...ask, tool_choice: { type: 'some' } }, 'tool_choice.type', "'auto'"],
  ])('says what is wrong with %j', (body, path, expected) => {
    const found = refusal(body);
    expect(found.path || undefined).toBe(path);
    expect(found.message).toContain(expected);
    expect(found.message.startsWith(path === undefined ? 'expected' : `${path}: `)).toBe(true);
  });

  it('refuses values without end, with their place', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 600; level++) deep = [deep];
    expect(refusal({ ...ask, metadata: { deep } }).path).toBe('metadata');
  });
});
