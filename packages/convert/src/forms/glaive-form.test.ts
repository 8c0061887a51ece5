import { describe, expect, it } from 'vitest';
import { glaiveForm } from './glaive-form.js';
import { short, show } from './published.fixture.js';

const lead =
  'SYSTEM: You are a helpful assistant with access to the following functions. Use them if required -\n';
const fn = (name: string) =>
  `{\n    "name": "${name}",\n    "description": "Does it.",\n    "parameters": {}\n}\n`;
const end = ' <|endoftext|>';
const call = (name: string, input: string) => `<functioncall> {"name": "${name}", "arguments": '${input}'}`;
const chatOf = (...turns: string[]) => turns.map((turn) => `${turn}\n\n\n`).join('');
const read = (...turns: string[]) => show(glaiveForm, { system: '', chat: chatOf(...turns) });

describe('a row as it is published', () => {
  const row = {
    system: `${lead}${fn('get_rate')}`,
    chat: chatOf(
      'USER: How much is a euro?',
      `ASSISTANT: ${call('get_rate', '{"from": "EUR", "amount": 1.0}')}${end}`,
      'FUNCTION RESPONSE: {"rate": 1.1}',
      `ASSISTANT: A euro is 1.10 dollars.\n\nAnything else?${end}`,
    ),
  };

  it('is read without a note', () => {
    const { said, notes, reading } = show(glaiveForm, row);
    expect(said).toEqual([
      'user: How much is a euro?',
      'call get_rate {"from":"EUR","amount":1.0} call_1',
      'result get_rate call_1 {"rate": 1.1}',
      'assistant: A euro is 1.10 dollars.\n\nAnything else?',
    ]);
    expect(notes).toEqual([]);
    expect(reading.conversation.tools).toMatchObject([{ name: 'get_rate', parameters: {} }]);
  });

  it('is written to the letter', () => {
    const { notes: _, ...transcript } = glaiveForm.read(row);
    expect(glaiveForm.write(transcript)).toEqual({ row, notes: [] });
  });

  it('has two empty lines behind each of several functions', () => {
    const several = { system: `${lead}${fn('a')}\n${fn('b')}\n`, chat: chatOf('USER: x') };
    const { notes: _, ...transcript } = glaiveForm.read(several);
    expect(transcript.conversation.tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(glaiveForm.write(transcript).row).toEqual(several);
  });

  it('has a system text of its own where there are no functions, and one line less between turns', () => {
    const { said, notes } = show(glaiveForm, {
      system: 'SYSTEM: You are a helpful assistant, with no access to external functions.\n\n',
      chat: `USER: Sort this\nNurse\n\nASSISTANT: Healthcare${end}\n\nUSER: And this?\n\nASSISTANT: Trades${end}`,
    });
    expect(said).toEqual([
      'system: You are a helpful assistant, with no access to external functions.',
      'user: Sort this\nNurse',
      'assistant: Healthcare',
      'user: And this?',
      'assistant: Trades',
    ]);
    expect(notes).toEqual([]);
  });
});

describe('calls', () => {
  it.each([
    [`{"name": "f", "arguments": '{"text": "Hey, let's meet"}'}`, '{"text":"Hey, let\'s meet"}', []],
    [`{"name": "f", "arguments": '{\n  "title": "x",\n  "n": 1\n}'}`, '{"title":"x","n":1}', []],
    ['{"name": "f", "arguments": {}}', '{}', []],
    ['{"name": "f", "arguments": {"w": 70, "h": 1.75}}', '{"w":70,"h":1.75}', []],
    [`{"name": "f", "arguments": '{"a": 1}'}}`, '{"a":1}', ['extra-bracket']],
    [`{"name": "f", "arguments": '{"a": 1}'`, '{"a":1}', ['missing-bracket']],
    ['{"name": "f", "parameters": {"a": 1}}', '{"a":1}', ['other-key']],
    ['{"name": "f", "arguments": null}', '{}', ['missing-arguments']],
    ['{"name": "f", "arguments": "{\\"a\\": 1}"}', '{"a":1}', ['arguments-as-string']],
    [`{"name": "f", "arguments": '{"a": "life\\'s full"}'}`, '{"a":"life\'s full"}', ['bad-escape']],
  ])('reads %s', (written, input, repairs) => {
    const { said, notes } = read(`ASSISTANT: <functioncall> ${written}${end}`);
    expect(said).toEqual([`call f ${input} call_1`]);
    expect(notes).toEqual(repairs.map((code) => `repair ${code} chat`));
  });

  it.each([
    [`{"name": "f", "arguments": '{"data": [User provided data]}'}`],
    [`{"name": "f", "arguments": '[5, 10]'}`],
    [`{"name": "f", "arguments": '{"artist": "Ed", "title": " `],
    ['{"arguments": {}}'],
  ])('keeps %s as text, and says so', (written) => {
    const { said, notes } = read(`ASSISTANT: <functioncall> ${written}${end}`);
    expect(said).toEqual([`assistant: <functioncall> ${written}`]);
    expect(notes).toEqual(['issue unreadable-call chat']);
  });

  it('stand behind text, or several in a turn', () => {
    const { said } = read(
      `ASSISTANT: Let's see.\n${call('f', '{"a": 1}')}\n${call('g', '{}')}${end}`,
      'FUNCTION RESPONSE: A',
    );
    expect(said).toEqual([
      "assistant: Let's see.",
      'call f {"a":1} call_1',
      'call g {} call_2',
      'result f call_1 A',
    ]);
  });
});

describe('odd rows', () => {
  it('end without a token, or without an answer', () => {
    const { said, notes } = read('USER: Hi', 'ASSISTANT: Hello', 'USER: Thanks.');
    expect(said).toEqual(['user: Hi', 'assistant: Hello', 'user: Thanks.']);
    expect(notes).toEqual(['repair missing-closer chat']);
  });

  it('have responses to no call', () => {
    const { said } = read(`ASSISTANT: AI to= f: {"a": 1}${end}`, 'FUNCTION RESPONSE: {"lyrics": "');
    expect(said).toEqual(['assistant: AI to= f: {"a": 1}', 'result undefined call_1 {"lyrics": "']);
  });

  it('have a word of a frame behind one line break, which is text', () => {
    const response = '{"title": "The Next Big Thing in \nASSISTANT: Top Trends"}';
    expect(read(`ASSISTANT: ${call('f', '{}')}${end}`, `FUNCTION RESPONSE: ${response}${end}`).said).toEqual([
      'call f {} call_1',
      `result f call_1 ${response}${end}`,
    ]);
  });

  it('have the token inside an answer', () => {
    const { said, notes } = read('ASSISTANT: One <|endoftext|> two');
    expect(said).toEqual(['assistant: One <|endoftext|> two']);
    expect(notes).toEqual(['repair stray-marker chat']);
  });

  it('have answers that follow each other, and no space behind the colon', () => {
    const { said } = read(`ASSISTANT: Developments in${end}`, `ASSISTANT:\n1. One${end}`);
    expect(said).toEqual(['assistant: Developments in', 'assistant: \n1. One']);
  });

  it('declare a name twice: the later one counts', () => {
    const { reading, notes } = show(glaiveForm, { system: `${lead}${fn('f')}\n${fn('f')}\n`, chat: '' });
    expect(reading.conversation.tools).toHaveLength(1);
    expect(notes).toEqual(['issue duplicate-tool system[1]']);
  });

  it('say more behind the functions', () => {
    const { said, notes } = show(glaiveForm, { system: `${lead}${fn('f')}\nBe brief.\n`, chat: '' });
    expect(said).toEqual(['system: Be brief.']);
    expect(notes).toEqual(['issue wrong-type system']);
  });

  it('are of the first version', () => {
    const { said, reading } = show(glaiveForm, {
      sample:
        'SYSTEM: You are an helpful assistant who has access to the following functions to help the user, you can ' +
        `use the functions if needed-\n${fn('f')}\nUSER: Hi\nASSISTANT: <functioncall> {"name": "f", "arguments": ` +
        '\'{}\'}\nFUNCTION RESPONSE: {"a": 1}\nASSISTANT: Done.',
      id: 1,
    });
    expect(said).toEqual(['user: Hi', 'call f {} call_1', 'result f call_1 {"a": 1}', 'assistant: Done.']);
    expect(reading.conversation.tools).toHaveLength(1);
    expect(glaiveForm.write(reading).row).toMatchObject({ id: 1, system: `${lead}${fn('f')}` });
  });

  it.each([
    [{ system: '' }, 'chat'],
    [{ chat: 7 }, 'chat'],
    [{ chat: 'Hello.' }, 'chat'],
    [{ chat: 'USER: x', system: 7 }, 'system'],
    [{ sample: 'Hello.' }, 'sample'],
    [{ chat: '', system: `${lead}{"description": "no name"}` }, 'system[0]'],
  ])('are refused: %j', (row, path) => {
    expect(() => glaiveForm.read(row as never)).toThrow(
      expect.objectContaining({ name: 'RowError', path: expect.stringContaining(path) }),
    );
  });
});

describe('what would read as a frame', () => {
  it.each([
    ['Hi\n\n\nASSISTANT: yes <|endoftext|>'],
    ['Hi\n\nFUNCTION RESPONSE: {}'],
    ['\n\n\n\nUSER: x'],
    ['Hi\n\\\nUSER: x'],
    [`Hi ${call('f', '{}')}`],
    [`${call('f', '{}')}`],
    [`\n\nUSER: ${call('f', '{}')}`],
  ])('comes back as text: %j', (text) => {
    const parts = [{ type: 'text' as const, text }];
    const messages = [
      { role: 'user' as const, parts },
      { role: 'assistant' as const, parts },
      { role: 'tool' as const, parts: [{ type: 'tool-result' as const, callId: 'call_1', output: text }] },
    ];
    const { row, notes } = glaiveForm.write({
      conversation: { messages, tools: [], toolChoice: 'auto' },
      rest: [],
    });
    expect(short(notes)).toContain('issue frame-text messages[1]');
    expect(glaiveForm.read(row).conversation.messages).toEqual(messages);
  });

  it.each([['ends so <|endoftext|>'], ['\n\nx\n\n\n\n'], [' '], ['USER: x'], ['\nUSER: x']])(
    'is nothing of this, and is not touched: %j',
    (text) => {
      const messages = (['user', 'assistant', 'user'] as const).map((role) => ({
        role,
        parts: [{ type: 'text', text }],
      }));
      const conversation = { messages, tools: [], toolChoice: 'auto' } as never;
      const { row, notes } = glaiveForm.write({ conversation, rest: [] });
      expect(notes).toEqual([]);
      expect(glaiveForm.read(row).conversation.messages).toEqual(messages);
    },
  );

  it('declares no function in a system text', () => {
    const text = `${lead}${fn('f')}`;
    const messages = [{ role: 'system' as const, parts: [{ type: 'text' as const, text }] }];
    const { row } = glaiveForm.write({ conversation: { messages, tools: [], toolChoice: 'auto' }, rest: [] });
    expect(glaiveForm.read(row).conversation).toEqual({ messages, tools: [], toolChoice: 'auto' });
  });
});
