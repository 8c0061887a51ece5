import { detect, dialects, findDialect } from '@dragoman/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Places } from '../places.js';
import { withoutColors } from '../terminal.js';
import { widthOf } from '../visible-text.js';
import { explanationAnswer } from './explain-answer.js';
import { type ExplainOptions, explainText } from './explain-text.js';
import { showExplanation } from './explain-view.js';

// Without colours, as in any terminal.
beforeAll(withoutColors);

const show = (text: string, options: ExplainOptions = {}) => showExplanation(explainText(text, options), 80);
const hermes = (args: string, name = 'add') =>
  `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;

/** Sentences without their line breaks. */
const flat = (shown: string) => shown.replaceAll(/\s+/g, ' ');

describe('a fault by hand', () => {
  it('a text that was cut off', () => {
    const text = 'Let me see.\n<tool_call>\n{"name": "add", "arguments": {"a": "Par';
    const shown = show(text);
    expect(flat(shown)).toContain(
      'Could be hermes or ernie-4.5: 1 call not delivered, 1 issue in each. They read the same calls',
    );
    expect(shown).toContain('3:11  lost add');
    expect(shown).toContain('incomplete-call');
    expect(shown).toContain('Half a call is never run. Give the model more');
    expect(flat(shown)).toContain('A call that was cut off is closed');
    expect(shown).toContain('+ {"name": "add", "arguments": {"a": "Par"}}');
    expect(explainText(text, {}).code).toBe(1);
  });

  it('a missing closer', () => {
    const text =
      '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n<tool_call>\n{"name": "b", "arguments": {}}\n</tool_call>';
    const shown = show(text);
    expect(flat(shown)).toContain('2 calls, 1 repair in each.');
    expect(shown).toMatch(/\d:\d+ {2}missing-closer\n {4}A closing tag is missing\./);
    expect(shown).toContain('    + </tool_call>\n');
    expect(explainText(text, {}).code).toBe(0);
  });

  it('the wrong dialect', () => {
    const text = '<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>';
    const asked = explainText(text, { dialect: findDialect('hermes') });
    const shown = showExplanation(asked, 80);
    expect(shown).toContain('Read as hermes, as you asked: no calls');
    expect(shown).toContain('glm-4.5 fits better: 1 call. Try --dialect glm-4.5.');
    expect(shown).toContain('It belongs to glm-4.5, glm-4.7, laguna, hunyuan-3, not to hermes.');
    expect(shown).toContain('A call of hermes looks like this:');
    expect(asked.code).toBe(1);
  });

  it('two dialects that cannot be told apart, and the name of the model that tells', () => {
    const text = '<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>';
    expect(show(text)).toContain('Could be glm-4.5, laguna or glm-4.7: 1 call in each.');
    const model = 'zai-org/GLM-4.7';
    const shown = show(text, { told: detect({ model }) });
    expect(flat(shown)).toContain('Shown as glm-4.7: the name "zai-org/GLM-4.7" is that of glm-4.7');
    expect(shown).toContain('How glm-4.7 spells it');
  });

  it('a call that is only quoted', () => {
    const text =
      'Write `<tool_call>` and then the JSON, like here:\n\n    <tool_call>…</tool_call>\n\nIs it clear?';
    const explanation = explainText(text, {});
    const shown = showExplanation(explanation, 80);
    expect(explanation.verdict.confidence).toBe('none');
    expect(shown).toContain('No dialect reads a call in this text.');
    expect(shown).toContain('It is in backquotes: mentioned, so no call.');
    expect(shown).toMatch(/Looked for the calls of all \d+ dialects/);
    expect(explanation.code).toBe(1);
  });

  it('a tool that was not declared', () => {
    const tools = [{ name: 'get_weather', parameters: { type: 'object' } }];
    const shown = show(hermes('{}', 'getweather'), { tools });
    expect(shown).toMatch(/2:\d+ {2}unknown-tool/);
    expect(shown.replaceAll(/\s+/g, ' ')).toContain('sent with the request. Did you mean get_weather?');
    expect(show(hermes('{}', 'fly'), { tools })).toContain('There are get_weather.');
  });

  it('JSON that is none', () => {
    const shown = show(hermes("{'a': True, b: 1,}"));
    for (const code of ['single-quotes', 'python-word', 'unquoted-key', 'trailing-comma'])
      expect(shown).toMatch(new RegExp(`2:\\d+ {2}${code}\\n {4}[A-Z].*\\n {4}.*\\n +\\^`));
    expect(shown).toContain('+ {"name": "add", "arguments": {"a": true, "b": 1}}');
  });

  it('a name and no arguments that can be read', () => {
    const shown = show('<tool_call>\n{"nome": "x"}\n</tool_call>');
    expect(shown).toContain('unreadable-call');
    expect(flat(shown)).toContain('show the model the format');
  });
});

describe('a text without a call', () => {
  it.each([
    ['```tool_code\nf(x="1")\n```', 'in the format of Gemma 3', 1],
    ['<|python_tag|>print(1)', "in the format of Llama 3's interpreter", 1],
    ['{"choices": [{"message": {"content": "Hi"}}]}', "jq -r '.choices[0].message.content'", 1],
    ['data: {"choices": []}\n\ndata: [DONE]\n', 'the lines of a stream', 1],
    ['"<tool\\u005fcall>\\n{}"', 'a JSON string with its quotes', 1],
    ['{"name": "f", "nothing": {}}', 'a call as bare JSON', 1],
    ['It is sunny.', 'the model answered in words', 0],
    ['', 'The text is empty', 0],
    ['  \n', 'The text is empty', 0],
  ])('%j is told what it looks like: %s', (text, words, code) => {
    const shown = show(text).replaceAll(/\s+/g, ' ');
    expect(shown).toContain('No dialect reads a call');
    expect(shown).toContain(words);
    // A list of every dialect hides the answer; the text of an empty output needs no search.
    expect(/Looked for the calls of all \d+ dialects/.test(shown)).toBe(text.trim() !== '');
    expect(shown).not.toContain('xnl, glm-4.5');
    expect(shown).toContain('What to try');
    expect(explainText(text, {}).code).toBe(code);
  });
});

describe('reasoning that the prompt opened', () => {
  const text = `I need the sum.\n</think>\n${hermes('{"a": 1}')}`;

  it('is detected by the closing tag, and stated', () => {
    expect(show(text)).toMatch(/1 r │ I need the sum\.\n2 m │ <\/think>/);
    expect(show(text)).toContain('because the text has </think>');
    expect(show(text, { thinking: false })).toContain('1 t │ I need the sum.');
  });

  it('is no part of what should have been written', () => {
    const [one] = explainText(text, {}).shouldBe;
    expect(text.slice(...(one?.range ?? [0, 0]))).toBe(one?.text);
    expect(show(text)).toContain('Exactly as it was written.');
  });
});

describe('carets', () => {
  it('stand under their place, whatever is wide, narrow, or invisible', () => {
    const text = `<tool_call>\n{"name": "日本", "arguments": {"城市": "北京😀e\u0301\u001b[31m",\tx: 5}}\n</tool_call>`;
    const lines = show(text, { dialect: findDialect('hermes') }).split('\n');
    const at = lines.findIndex((line) => line.includes('unquoted-key'));
    const [excerpt = '', carets = ''] = lines.slice(at + 2, at + 4);
    expect(under(excerpt, carets)).toBe('x');
    const row = lines.findIndex((line) => line.startsWith('2 '));
    expect(under(lines[row] ?? '', (lines[row + 2] ?? '').replaceAll('~', '^'))).toBe('␛x');
    expect(lines.join('\n')).not.toContain('\u001b');
    expect(lines[row]).toContain('␛[31m",⇥x');
    expect(widthOf(lines[row + 1] ?? '')).toBe(widthOf(lines[row] ?? ''));
  });

  function under(line: string, carets: string): string {
    let [column, found] = [0, ''];
    for (const character of line) {
      if (carets[column] === '^' && widthOf(character) > 0) found += character;
      column += widthOf(character);
    }
    return found;
  }
});

describe('the answer for programs', () => {
  it('says the same, with places', () => {
    const text = `Look.\n${hermes('{"a": 5.0,}')}`;
    const answer = JSON.parse(JSON.stringify(explanationAnswer(explainText(text, {}))));
    expect(answer).toMatchObject({
      dialect: 'hermes',
      confidence: 'open',
      thinking: false,
      calls: [{ name: 'add', raw: '{"a":5.0}' }],
      repairs: [{ code: 'trailing-comma', line: 3, means: expect.stringContaining('comma') }],
      shouldBe: [{ text: hermes('{"a": 5.0}'), line: 2, column: 1 }],
    });
    expect(answer.dialects.map(({ name }: { name: string }) => name).sort()).toEqual(
      dialects.map(({ name }) => name).sort(),
    );
    const [repair] = answer.repairs;
    expect(new Places(text).of(repair.range[0])).toEqual({ line: repair.line, column: repair.column });
    const roles = answer.spans.map(({ start, end, role }: Record<string, number>) => [
      role,
      text.slice(start, end),
    ]);
    expect(roles[0]).toEqual(['text', 'Look.']);
    expect(roles).toContainEqual(['name', 'add']);
  });
});
