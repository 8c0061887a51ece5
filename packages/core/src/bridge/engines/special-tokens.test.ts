import { describe, expect, it } from 'vitest';
import { all } from '../../dialects/all.js';
import { findDialect } from '../../dialects/index.js';
import { StrippedWatch } from '../emulate/stripped-watch.js';
import { specialTokensOf, strippedHeads } from './special-tokens.js';

const tools = [{ name: 'get_weather' }, { name: 'get' }] as never[];
const headOf = (name: string) => strippedHeads(findDialect(name), tools)[0];

describe('the special tokens of a dialect', () => {
  it('are those of its calls, in the spelling of vendors', () => {
    expect(specialTokensOf(findDialect('kimi-k2'))).toEqual(
      expect.arrayContaining(['<|tool_call_begin|>', '<|tool_call_argument_begin|>', '<|tool_call_end|>']),
    );
    expect(specialTokensOf(findDialect('mistral'))).toEqual(expect.arrayContaining(['[TOOL_CALLS]']));
    expect(specialTokensOf(findDialect('deepseek-v3.1'))).toContain('<｜tool▁sep｜>');
    for (const name of ['hermes', 'alkaid', 'xnl', 'qwen3-coder', 'glm-4.5'])
      expect(specialTokensOf(findDialect(name))).toEqual([]);
  });

  it('leave the beginning of a call, where it is more than a name', () => {
    expect(headOf('kimi-k2')).toEqual({ tool: 'get_weather', start: 'functions.get_weather', end: ':0' });
    expect(headOf('harmony')).toMatchObject({ start: 'commentary to=functions.get_weather', end: ' json' });
    const found = all.dialects.filter((dialect) => strippedHeads(dialect, tools).length > 0);
    expect(found.map(({ name }) => name)).toMatchInlineSnapshot(`
      [
        "llama3-json",
        "mistral-v3",
        "granite",
        "internlm2",
        "deepseek-v3",
        "kimi-k2",
        "gigachat3",
        "apertus",
        "sarashina",
        "gemma4",
        "harmony",
        "command-a",
        "solar-open",
      ]
    `);
  });
});

describe('a call without its special tokens', () => {
  const heads = ['kimi-k2', 'harmony'].flatMap((name) => strippedHeads(findDialect(name), tools));

  /** What is delivered as text, and what is found, of a text in these pieces. */
  function watched(pieces: readonly string[]) {
    const watch = new StrippedWatch(heads);
    let text = '';
    let found: string | undefined;
    for (const piece of pieces) {
      const fed = watch.feed(piece);
      if (fed.found && found === undefined) found = `${fed.found.tool} at ${text.length + fed.found.at}`;
      text += fed.text;
    }
    return { text: text + watch.flush(), found };
  }

  it.each([
    ['I look.functions.get_weather:0{"city": "Rome"}', 'get_weather at 7'],
    ['functions.get_weather:12 {"city": "Rome"}functions.get:13{}', 'get_weather at 0'],
    ['assistantcommentary to=functions.get json{"a": 1}', 'get at 9'],
    ['commentary to=functions.get_weather{"a": 1}', 'get_weather at 0'],
    ['functions.get_weather:0 is the id of a call', undefined],
    ['functions.get_weathers:0{}', undefined],
    ['functions.get_time:0{}', undefined],
    ['See functions.get', undefined],
    [`functions.get_weather${' '.repeat(50)}{`, undefined],
    [`functions.get_weather:${'1'.repeat(50)}{`, undefined],
    ['As in:\n```\nfunctions.get_weather:0{"city": "Rome"}\n```\nor so.', undefined],
    ['Not ~~~ here:\n~~~js\nfunctions.get:0{}\n~~~\nfunctions.get:1{}', 'get at 42'],
    ['Write `functions.get:0{}`, or `functions.get:1{}`.', undefined],
    ['> functions.get:0{}\n\n    functions.get:1{}\n', undefined],
    ['<pre>functions.get:0{}</pre> functions.get:1{}', 'get at 29'],
    ['```\nfunctions.get_weather:0{"city": "Rome"}\n```', 'get_weather at 4'],
  ])('is found in any pieces of %j', (text, found) => {
    expect(watched([text])).toEqual({ text, found });
    expect(watched([...text])).toEqual({ text, found });
    for (let at = 1; at < text.length; at++)
      expect(watched([text.slice(0, at), text.slice(at)])).toEqual({ text, found });
  });
});
