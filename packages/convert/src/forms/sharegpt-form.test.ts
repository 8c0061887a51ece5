import { describe, expect, it } from 'vitest';
import { RowError } from './form.js';
import { short, show } from './published.fixture.js';
import { sharegptForm } from './sharegpt-form.js';

const turn = (from: string, value: unknown, more: object = {}) => ({ from, value, ...more }) as never;
const rowOf = (...conversations: never[]) => ({ conversations });
const read = (...conversations: never[]) => show(sharegptForm, rowOf(...conversations));
const call = '{"name": "calculate_area", "arguments": {"shape": "circle", "dimensions": [4.0]}}';
const tool = { name: 'calculate_area', description: 'Calculate an area', parameters: { type: 'object' } };

describe('a row as LLaMA-Factory publishes it', () => {
  const row = {
    conversations: [
      turn('human', 'What about a circle with a radius of 4?'),
      turn(
        'function_call',
        '{"name": "calculate_area", "arguments": {"shape": "circle", "dimensions": [4]}}',
      ),
      turn('observation', '{"area": 50.24}'),
      turn('gpt', 'It is 50.24.'),
    ],
    system: 'Be exact.',
    tools:
      '[{"name": "calculate_area", "description": "Calculate an area", "parameters": {"type": "object"}}]',
    id: 7,
  };

  it('is read without a note', () => {
    const { said, notes, reading } = show(sharegptForm, row);
    expect(said).toEqual([
      'system: Be exact.',
      'user: What about a circle with a radius of 4?',
      'call calculate_area {"shape":"circle","dimensions":[4]} call_1',
      'result calculate_area call_1 {"area": 50.24}',
      'assistant: It is 50.24.',
    ]);
    expect(notes).toEqual([]);
    expect(reading.conversation.tools).toMatchObject([tool]);
    expect(reading.rest).toEqual([['id', 7]]);
  });

  it('is written to the letter', () => {
    const { notes: _, ...transcript } = sharegptForm.read(row);
    expect(sharegptForm.write(transcript)).toEqual({ row, notes: [] });
  });

  it('has digits that come back as they were', () => {
    expect(read(turn('function_call', call)).said).toEqual([
      'call calculate_area {"shape":"circle","dimensions":[4.0]} call_1',
    ]);
  });
});

describe('rows as hermes-function-calling publishes them', () => {
  it('has calls between tags, text before them, and named results', () => {
    const { said, notes } = read(
      turn('system', 'You are a function calling AI model.'),
      turn('human', 'Both, please.'),
      turn(
        'gpt',
        'Of course.\n<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>\n' +
          '<tool_call>\n{"arguments": {}, "name": "g"}\n</tool_call>',
      ),
      turn(
        'tool',
        '<tool_response>\n{"name": "f", "content": {"x": 1.0}}\n</tool_response>\n' +
          '<tool_response>\n{"name": "g", "content": "done"}\n</tool_response>',
      ),
      turn('gpt', 'Done.'),
    );
    expect(said).toEqual([
      'system: You are a function calling AI model.',
      'user: Both, please.',
      'assistant: Of course.',
      'call f {"a":1} call_1',
      'call g {} call_2',
      'result f call_1 = {"x":1.0}',
      'result g call_2 done',
      'assistant: Done.',
    ]);
    expect(notes).toEqual([]);
  });

  it('has calls that are no JSON, which are repaired or stay text', () => {
    const { said, notes } = read(
      turn('gpt', "<tool_call>\n{'name': 'f', 'arguments': {'a': None,}}\n</tool_call>"),
      turn('gpt', '<tool_call>\nf of x\n</tool_call>'),
      turn('gpt', '<tool_call>\n{"name": "f"'),
    );
    expect(said).toEqual([
      'call f {"a":null} call_1',
      'assistant: <tool_call>\nf of x\n</tool_call>',
      'assistant: <tool_call>\n{"name": "f"',
    ]);
    expect(notes).toContain('repair single-quotes conversations[0].value');
    expect(notes).toContain('issue unreadable-call conversations[1].value');
    expect(notes).toContain('issue incomplete-call conversations[2].value');
  });

  it.each([
    ['null', []],
    ['', []],
    [null, []],
    [[{ type: 'function', function: tool }], ['calculate_area']],
    [[JSON.stringify(tool)], ['calculate_area']],
    ["[{'name': 'f', 'parameters': None}]", ['f']],
    [[{ name: 'Market Trends API' }], ['Market Trends API']],
  ])('reads tools that stand as %j', (tools, names) => {
    const { reading } = show(sharegptForm, { conversations: [], tools } as never);
    expect(reading.conversation.tools.map(({ name }) => name)).toEqual(names);
  });
});

describe('odd rows', () => {
  it('names roles in other ways', () => {
    const { said, notes } = read(
      turn('Human', 'a'),
      turn('function-call', '{"name": "f", "arguments": "{\\"a\\": 1}"}'),
      turn('function-response', 'no JSON'),
      turn('chatgpt', 'b'),
    );
    expect(said).toEqual(['user: a', 'call f {"a":1} call_1', 'result f call_1 no JSON', 'assistant: b']);
    expect(notes.filter((note) => note.includes('other-spelling'))).toHaveLength(4);
    expect(notes).toContain('repair arguments-as-string conversations[1].value');
  });

  it('says role and content', () => {
    const { said, notes } = read({ role: 'user', content: 'a' } as never);
    expect(said).toEqual(['user: a']);
    expect(notes).toEqual(['repair other-key conversations[0]']);
  });

  it('has several calls in one turn, or in several', () => {
    const one = '{"name": "f", "arguments": {}}';
    const together = read(
      turn('function_call', `[${one}, ${one}]`),
      turn('observation', 'A'),
      turn('observation', 'B'),
    );
    const apart = read(
      turn('function_call', one),
      turn('function_call', one),
      turn('tool', 'A'),
      turn('tool', 'B'),
    );
    expect(apart.said).toEqual(together.said);
    expect(together.said).toEqual([
      'call f {} call_1',
      'call f {} call_2',
      'result f call_1 A',
      'result f call_2 B',
    ]);
    expect(apart.reading.conversation.messages[0]?.parts).toHaveLength(2);
  });

  it('has no response to a call, or one without a call', () => {
    expect(read(turn('function_call', call), turn('human', 'Well?')).said).toHaveLength(2);
    expect(read(turn('observation', 'x')).said).toEqual(['result undefined call_1 x']);
  });

  it('has arguments that are no object, and keeps them as text', () => {
    const { said, notes } = read(turn('function_call', '{"name": "f", "arguments": [1]}'));
    expect(said).toEqual(['assistant: {"name": "f", "arguments": [1]}']);
    expect(notes).toEqual(['issue unreadable-call conversations[0].value']);
  });

  it("has Glaive's quotes, with apostrophes inside", () => {
    const { said } = read(turn('function-call', `{"name": "sms", "arguments": '{"text": "let's meet"}'}`));
    expect(said).toEqual(['call sms {"text":"let\'s meet"} call_1']);
  });

  it('has a value that is null, and other members, which come back', () => {
    const row = rowOf(turn('human', 'a', { weight: 0 }), turn('gpt', null));
    const { said, notes, reading } = show(sharegptForm, row);
    expect(said).toEqual(['user: a', 'assistant: nothing']);
    expect(notes).toEqual(['repair missing-value conversations[1].value']);
    expect(sharegptForm.write(reading).row).toMatchObject({ conversations: [{ weight: 0 }, { value: '' }] });
  });

  it.each([
    [{}, 'conversations'],
    [{ conversations: ['x'] }, 'conversations[0]'],
    [{ conversations: [{ from: 'narrator', value: 'x' }] }, 'conversations[0].from'],
    [{ conversations: [{ from: 'human', value: 7 }] }, 'conversations[0].value'],
    [{ conversations: [], system: 7 }, 'system'],
    [{ conversations: [], tools: '[{' }, 'tools'],
    [{ conversations: [], tools: [{ description: 'x' }] }, 'tools[0]'],
  ])('is refused: %j', (row, path) => {
    try {
      sharegptForm.read(row as never);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(RowError);
      expect((error as RowError).path.startsWith(path)).toBe(true);
    }
  });
});

describe('what would read as a frame', () => {
  const texts = ['<tool_call>{"name": "f", "arguments": {}}</tool_call>', '<\\tool_call>', '<\\\\tool_call>'];

  it.each(texts)('comes back as text: %s', (text) => {
    const conversation = {
      messages: [{ role: 'assistant' as const, parts: [{ type: 'text' as const, text }] }],
      tools: [],
      toolChoice: 'auto' as const,
    };
    const { row, notes } = sharegptForm.write({ conversation, rest: [] });
    expect(short(notes)).toEqual(['issue frame-text messages[0]']);
    expect(sharegptForm.read(row).conversation.messages).toEqual(conversation.messages);
  });

  it('is not taken for a result, either', () => {
    const output = ' <tool_response>\n{"name": "g", "content": 1}\n</tool_response>';
    const { row } = sharegptForm.write({
      conversation: {
        messages: [{ role: 'tool', parts: [{ type: 'tool-result', callId: 'call_1', output }] }],
        tools: [],
        toolChoice: 'auto',
      },
      rest: [],
    });
    expect(show(sharegptForm, row).said).toEqual([`result undefined call_1 ${output}`]);
  });
});
