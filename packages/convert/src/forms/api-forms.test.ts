// The two forms that are requests of an API, row by row.

import { stringifyJson } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { anthropicForm, openaiForm } from './api-form.js';
import { createConvertLine, parseRow } from './convert.js';
import { type Form, type Note, RowError } from './form.js';

function converted(from: Form, to: Form, row: string): { row: string; notes: Note[] } {
  const { text, notes } = createConvertLine({ from, to })(row);
  return { row: text, notes: [...notes] };
}

const same = (form: Form, row: string) => {
  const { row: written, notes } = converted(form, form, row);
  return { written, losses: notes.filter(({ kind }) => kind === 'loss') };
};

const openaiRows = [
  '{"messages":[]}',
  '{"id":1.0,"messages":[{"role":"user","content":"Hi"}],"10":2,"__proto__":3}',
  '{"messages":[{"role":"developer","content":"D"},{"role":"user","content":"Hi","name":"Ann","weight":1.0}]}',
  '{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u","detail":"low"}}]}]}',
  '{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":[{"type":"text","text":"b"}]}]}',
  '{"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"QQ=="}}]}]}',
  '{"messages":[{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{ \\"a\\": 1.0 }"}}]},{"role":"tool","tool_call_id":"c","content":"ok","name":"f"}]}',
  '{"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"index":0}]},{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}',
  '{"messages":[{"role":"assistant","content":null,"refusal":"No."}]}',
  '{"messages":[{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}],"tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object","properties":{"n":{"minimum":1.0}}}}},{"type":"web_search"}],"tool_choice":{"type":"function","function":{"name":"f"}}}',
  '{"messages":[{"role":"user","content":"x"}],"tools":[],"tool_choice":"auto","model":"m"}',
];

const anthropicRows = [
  '{"messages":[]}',
  '{"system":"S","messages":[{"role":"user","content":"Hi"}],"max_tokens":10,"temperature":1.0}',
  '{"messages":[{"role":"user","content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]}],"system":[{"type":"text","text":"S"}]}',
  '{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"f","input":{"a":1.0,"10":1,"2":2}},{"type":"text","text":"b"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok","is_error":true},{"type":"text","text":"and?"}]}]}',
  '{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":false}]},{"role":"user","content":"and?"}]}',
  '{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QQ=="}}]}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"u","content":[{"type":"text","text":"a"}]}]}]}',
  '{"messages":[{"role":"user","content":"a"},{"role":"system","content":"late"},{"role":"assistant","content":[]}]}',
  '{"messages":[{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{}}]}],"tools":[{"type":"web_search_20250305","name":"web_search"},{"name":"f","description":"F.","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}},{"name":"g","input_schema":{"type":"object","n":1.0},"type":"custom"}],"tool_choice":{"type":"any","disable_parallel_tool_use":true}}',
];

describe.each([
  ['openai', openaiForm, openaiRows],
  ['anthropic', anthropicForm, anthropicRows],
] as const)('a row of the form %s', (_name, form, rows) => {
  it.each(rows)('comes back as it was: %s', (row) => {
    expect(same(form, row)).toEqual({ written: row, losses: [] });
  });

  it('is the same row when the form itself reads and writes it', () => {
    for (const row of rows) {
      const { notes: _, ...read } = form.read(parseRow(row));
      expect(stringifyJson(form.write(read).row as never, 'compact')).toBe(row);
    }
  });
});

describe('training files in the form openai', () => {
  it.each([
    [
      'functions and function_call',
      '{"messages":[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"ok"}],"functions":[{"name":"f","parameters":{}}]}',
      '{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":"ok"}],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]}',
    ],
    [
      'tools as text, arguments as an object, null for absent',
      '{"messages":[{"role":"assistant","content":null,"reasoning":"Hm.","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":{"n":1.0}}}],"function_call":null},{"role":"user","content":"x","tool_calls":null}],"tools":"[{\\"type\\":\\"function\\",\\"function\\":{\\"name\\":\\"f\\"}}]"}',
      '{"messages":[{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"n\\":1.0}"}}]},{"role":"user","content":"x","tool_calls":null}],"tools":[{"type":"function","function":{"name":"f"}}]}',
    ],
  ])('spell %s in their own way', (_what, row, expected) => {
    expect(same(openaiForm, row)).toEqual({ written: expected, losses: [] });
  });

  it.each(['"arguments":""', '"arguments":" "', '"arguments":null', ''])(
    'have missing arguments read as an empty object, which is noted: %s',
    (given) => {
      const inner = ['"name":"f"', given].filter((member) => member !== '').join(',');
      const row = `{"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{${inner}}}]}]}`;
      const { row: written, notes } = converted(openaiForm, anthropicForm, row);
      expect(written).toContain('"input":{}');
      const path = 'messages[0].tool_calls[0].function.arguments';
      expect(notes).toEqual([{ kind: 'repair', code: 'missing-arguments', path }]);
    },
  );

  it('have no such note for an empty object', () => {
    const row =
      '{"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}]}';
    expect(converted(openaiForm, anthropicForm, row).notes).toEqual([]);
  });

  it('have missing ids made, which is noted', () => {
    const row =
      '{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","content":"ok"}]}';
    const { notes } = converted(openaiForm, openaiForm, row);
    expect(notes).toEqual([
      { kind: 'repair', code: 'missing-id', path: 'messages[0]' },
      { kind: 'repair', code: 'missing-id', path: 'messages[1]' },
    ]);
  });
});

describe('between the two', () => {
  it('calls, results, thoughts, images and tools are said in the words of the other, exact', () => {
    const openai =
      '{"id":7,"messages":[{"role":"system","content":"S"},{"role":"user","content":[{"type":"text","text":"Look."},{"type":"image_url","image_url":{"url":"data:image/png;base64,QQ=="}}]},{"role":"assistant","content":"So.","reasoning_content":"Hm.","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"n\\":1.0,\\"10\\":1,\\"2\\":2}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"},{"role":"user","content":"And?"}],"tools":[{"type":"function","function":{"name":"f","description":"F.","parameters":{"type":"object"}}}],"tool_choice":"required","note":null}';
    const anthropic =
      '{"id":7,"system":"S","messages":[{"role":"user","content":[{"type":"text","text":"Look."},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QQ=="}}]},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"So."},{"type":"tool_use","id":"c","name":"f","input":{"n":1.0,"10":1,"2":2}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"ok"},{"type":"text","text":"And?"}]}],"tools":[{"name":"f","description":"F.","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"},"note":null}';
    expect(converted(openaiForm, anthropicForm, openai)).toEqual({ row: anthropic, notes: [] });
    expect(converted(anthropicForm, openaiForm, anthropic)).toEqual({ row: openai, notes: [] });
  });

  it('what only one of them knows is noted, with its place', () => {
    const losses = (from: Form, to: Form, row: string) =>
      converted(from, to, row).notes.map(({ kind, code, path }) => `${kind} ${code} ${path}`);
    expect(losses(anthropicForm, openaiForm, anthropicRows[3] as string)).toEqual([
      'loss extra messages[0].parts[0]',
      'loss part-order messages[0].parts[1]',
      'loss reasoning messages[0].parts[1]',
      'loss text-after-calls messages[0].parts[4]',
      'loss result-errors messages[1].parts[0]',
    ]);
    expect(losses(anthropicForm, openaiForm, anthropicRows[5] as string)).toEqual([
      'loss orphan-results messages[0]',
      'loss orphan-results messages[1]',
    ]);
    const calls = ['t', 'u'].map((id) => `{"type":"tool_use","id":"${id}","name":"f","input":{}}`);
    const called = `{"messages":[{"role":"assistant","content":[${calls}]},`;
    const answered = (anthropicRows[5] as string).replace('{"messages":[', called);
    expect(losses(anthropicForm, openaiForm, answered)).toEqual([
      'loss media messages[1].parts[0]',
      'loss extra messages[1].parts[0]',
    ]);
    expect(losses(anthropicForm, openaiForm, anthropicRows[7] as string)).toEqual([
      'loss extra messages[0].parts[0]',
      'loss extra tools[0]',
      'loss tools tools[0]',
      'loss tool-choice toolChoice',
    ]);
    expect(losses(openaiForm, anthropicForm, openaiRows[2] as string)).toEqual([
      'loss extra messages[0]',
      'loss extra messages[1]',
    ]);
    expect(losses(openaiForm, anthropicForm, openaiRows[5] as string)).toEqual([
      'loss media messages[0].parts[0]',
    ]);
  });

  it('a member that bears a name of the target gives way, and is noted', () => {
    const row = '{"system":"mine","messages":[{"role":"system","content":"S"}]}';
    expect(converted(openaiForm, anthropicForm, row)).toEqual({
      row: '{"system":"S","messages":[]}',
      notes: [{ kind: 'loss', code: 'extra', path: 'system' }],
    });
  });
});

describe('members beside the conversation', () => {
  const row = '{"a":1,"messages":[],"b":2,"c":3}';
  it.each([
    [{}, '{"a":1,"messages":[],"b":2,"c":3}'],
    [{ keep: ['b', 'a'] }, '{"a":1,"messages":[],"b":2}'],
    [{ drop: ['a'] }, '{"messages":[],"b":2,"c":3}'],
    [{ keep: ['a', 'b'], drop: ['a'] }, '{"messages":[],"b":2}'],
  ])('pass as %j says', (choice, expected) => {
    const convert = createConvertLine({ from: openaiForm, to: anthropicForm, ...choice });
    expect(convert(row).text).toBe(expected);
  });
});

describe('a bad row', () => {
  const faultOf = (form: Form, row: string): RowError => {
    try {
      createConvertLine({ from: form, to: form })(row);
    } catch (error) {
      if (error instanceof RowError) return error;
      throw error;
    }
    throw new Error('nothing was thrown');
  };
  const deep = `${'['.repeat(600)}${']'.repeat(600)}`;

  it.each([
    [openaiForm, '{"messages":1}', 'messages', 'a list of messages'],
    [openaiForm, '[1]', '', 'a JSON object'],
    [openaiForm, '{"a":}', '', 'line 1, column 6'],
    [openaiForm, `{"messages":[],"x":${deep}}`, '', '512 levels'],
    [
      openaiForm,
      '{"messages":[{"role":"user","content":"a"},{"role":"king"}]}',
      'messages[1].role',
      'one of the roles',
    ],
    [
      openaiForm,
      '{"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{a"}}]}]}',
      'messages[0].tool_calls[0].function.arguments',
      'a JSON object',
    ],
    [
      openaiForm,
      `{"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\\"a\\":${deep}}"}}]}]}`,
      'messages[0].tool_calls[0].function.arguments',
      '512 levels',
    ],
    [
      openaiForm,
      '{"messages":[],"tools":[{"type":"function","function":{}}]}',
      'tools[0].function.name',
      'name',
    ],
    [openaiForm, '{"messages":[],"tool_choice":"maybe"}', 'tool_choice', 'maybe'],
    [anthropicForm, '{"messages":[{"role":"user","content":1}]}', 'messages[0].content', 'a string'],
    [
      anthropicForm,
      '{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":[1]}]}]}',
      'messages[0].content[0].input',
      'a JSON object',
    ],
  ])('says where and what was expected (%#)', (form, row, path, message) => {
    const fault = faultOf(form, row);
    expect(fault.path).toBe(path);
    expect(fault.message).toContain(message);
  });
});

describe('a result without its call, which both APIs refuse', () => {
  const row = (...messages: string[]) => `{"messages":[${messages.join(',')}]}`;
  const text = (answer: string) =>
    `Result of an earlier call of a tool that is no longer in this conversation:\\n${answer}`;
  const lone = '{"role":"tool","tool_call_id":"c9","content":"42"}';

  it("becomes a user's text in the other API, and the report tells it", () => {
    const { row: written, notes } = converted(openaiForm, anthropicForm, row(lone));
    expect(written).toBe(row(`{"role":"user","content":"${text('42')}"}`));
    expect(notes).toEqual([{ kind: 'loss', code: 'orphan-results', path: 'messages[0]' }]);
  });

  it('stands behind the results that have their calls', () => {
    const call = '{"type":"tool_use","id":"a","name":"f","input":{}}';
    const result = (id: string) => `{"type":"tool_result","tool_use_id":"${id}","content":"${id}!"}`;
    const anthropic = row(
      `{"role":"assistant","content":[${call}]}`,
      `{"role":"user","content":[${result('b')},${result('a')}]}`,
    );
    const { row: written } = converted(anthropicForm, openaiForm, anthropic);
    const { messages } = JSON.parse(written);
    expect(messages.slice(1)).toMatchObject([
      { role: 'tool', tool_call_id: 'a', content: 'a!' },
      { role: 'user', content: expect.stringContaining('b!') },
    ]);
  });

  it('comes back as it was in its own form', () => {
    expect(same(openaiForm, row(lone))).toEqual({ written: row(lone), losses: [] });
  });
});
