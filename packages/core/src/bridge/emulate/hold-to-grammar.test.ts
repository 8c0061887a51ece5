import { describe, expect, test } from 'vitest';
import { findDialect } from '../../dialects/index.js';
import { acceptTools, type ModelRequest, type ToolChoice } from '../../model/index.js';
import { grammarMembers, spellRequest } from './spell-request.js';

const tools = acceptTools([
  { name: 'now', parameters: { type: 'object', properties: {} } },
  { name: 'stop' },
]);

const request = (toolChoice: ToolChoice, parallelCalls = true): ModelRequest => ({
  model: 'm',
  conversation: { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }], tools, toolChoice },
  settings: { parallelCalls },
  stream: true,
});

const members = (name: string, choice: ToolChoice, format: Parameters<typeof grammarMembers>[2]['format']) =>
  grammarMembers(request(choice), findDialect(name), { format, reasoning: 'no' });

describe('an upstream that takes a grammar', () => {
  test('is sent GBNF as llama.cpp takes it, lazy where text may come first', () => {
    expect(members('hermes', 'auto', 'gbnf')).toMatchObject({
      grammar_lazy: true,
      grammar_triggers: [{ type: 1, value: '<tool_call>' }],
      preserved_tokens: ['<tool_call>'],
    });
    expect(Object.keys(members('hermes', 'required', 'gbnf'))).toEqual(['grammar']);
  });
  test('is sent the texts with which an answer may begin a call, if it takes them', () => {
    const lazily = (name: string, beginnings: boolean) =>
      grammarMembers(request('auto'), findDialect(name), { format: 'gbnf', reasoning: 'no', beginnings });
    expect(lazily('harmony', true)).toMatchObject({
      grammar: expect.stringContaining('root ::= ("<|start|>assistant")? '),
      grammar_triggers: [
        { type: 1, value: '<|channel|>commentary to=functions.' },
        { type: 1, value: '<|start|>assistant to=functions.' },
      ],
      grammar_beginnings: [' to=functions.'],
    });
    expect(lazily('functionary-v3.2', true)).toMatchObject({ grammar_beginnings: ['now\n', 'stop\n'] });
    expect(lazily('harmony', false)).not.toHaveProperty('grammar_beginnings');
    expect(lazily('hermes', true)).not.toHaveProperty('grammar_beginnings');
    const required = { format: 'gbnf', reasoning: 'no', beginnings: true } as const;
    const held = grammarMembers(request('required'), findDialect('harmony'), required);
    expect(Object.keys(held)).toEqual(['grammar']);
    expect(held.grammar).not.toMatch(/^root ::= \("<\|start\|>assistant"\)\?/);
  });
  test('may end a call of harmony before the closer, which is the end of the turn', () => {
    const { grammar } = members('harmony', 'required', 'gbnf');
    expect(grammar).toMatch(/^root ::= .*\("<\|call\|>"\)\?$/m);
    expect(grammar).toContain('"<|call|><|start|>assistant"');
  });
  test('is sent a structural tag as response_format', () => {
    expect(members('hermes', 'auto', 'structural-tag')).toMatchObject({
      response_format: {
        type: 'structural_tag',
        format: { type: 'triggered_tags', triggers: ['<tool_call>'] },
      },
    });
  });
  test('is sent Lark as structured_outputs', () => {
    expect(members('hermes', 'required', 'lark')).toMatchObject({
      structured_outputs: { grammar: expect.stringContaining('%llguidance') },
    });
  });
  test('is sent a schema where the calls are nothing but JSON, and nothing where they are not', () => {
    expect(members('tool-calls-json', { name: 'now' }, 'json-schema')).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { strict: true } },
    });
    expect(members('hermes', 'required', 'json-schema')).toEqual({});
    expect(members('tool-calls-json', 'auto', 'json-schema')).toEqual({});
  });
  test('is sent none where no tool is to be called', () => {
    expect(members('hermes', 'none', 'gbnf')).toEqual({});
  });
  test('gets it in the request that is spelled; others get none', () => {
    const upstream = { takes: 'messages', tools: false, media: false, ask: () => [] as never } as const;
    const spell = (grammar?: 'gbnf') =>
      spellRequest(
        request({ name: 'now' }),
        findDialect('hermes'),
        { ...upstream, ...(grammar && { grammar }) },
        {},
        [],
      );
    expect(spell('gbnf').request.members?.grammar).toContain('\\"name\\": \\"now\\"');
    expect(spell('gbnf').request.members?.grammar).not.toContain('stop');
    expect(spell().request.members).toBeUndefined();
  });
});
