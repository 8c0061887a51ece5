import { describe, expect, test } from 'vitest';
import { anthropicXml } from '../../dialects/anthropic-xml.js';
import { dots } from '../../dialects/dots.js';
import { hunyuan3 } from '../../dialects/hunyuan-3.js';
import { minicpm5 } from '../../dialects/minicpm5.js';
import { minimaxM2 } from '../../dialects/minimax/minimax-m2.js';
import { minimaxM3 } from '../../dialects/minimax/minimax-m3.js';
import { step3 } from '../../dialects/step3.js';
import { toolTags } from '../../dialects/tool-tags/tool-tags.js';
import type { Dialect } from '../../engine/dialect.js';
import { parse } from '../../engine/parse.js';

const tools = [
  {
    name: 'f',
    parameters: {
      type: 'object',
      properties: {
        s: { type: 'string' },
        n: { type: 'integer' },
        list: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
        o: { type: 'object', properties: { s: { type: 'string' } } },
      },
    },
  },
];

function read(dialect: Dialect, text: string) {
  const { calls, text: said, repairs } = parse(dialect, text, { tools });
  return { inputs: calls.map(({ input }) => input), said, repairs: repairs.map(({ code }) => code) };
}

/** The tags of minimax-m3, without the token before each of them. */
const m3 = (text: string) => text.replaceAll('<', ']<]minimax[>[<');

describe('tags from a declaration', () => {
  test('are read with other quotes and white space, as a repair', () => {
    const text =
      '<minimax:tool_call><invoke  name=\'f\'><parameter name = "s">x</parameter></invoke></minimax:tool_call>';
    expect(read(minimaxM2, text)).toEqual({
      inputs: [{ s: 'x' }],
      said: '',
      repairs: ['other-spelling', 'other-spelling'],
    });
  });

  test('are text where they are only mentioned', () => {
    const text = 'Write <minimax:tool_call> and then <invoke name="f"> with its <parameter>s.';
    expect(read(minimaxM2, text)).toEqual({ inputs: [], said: text, repairs: [] });
  });

  test('keep white space around a value where no line break is layout', () => {
    const text =
      '<minimax:tool_call><invoke name="f"><parameter name="s">\n  x\n</parameter></invoke></minimax:tool_call>';
    expect(read(minimaxM2, text).inputs).toEqual([{ s: '\n  x\n' }]);
  });

  test('are read in every spelling that is declared, without a repair', () => {
    const prefix = 'antml'.concat(':');
    const text =
      '<function_calls><invoke name="f"><parameter name="n">5</parameter></invoke></function_calls>';
    const prefixed = text
      .replaceAll('</', '</@')
      .replaceAll(/<(?!\/)/g, '<@')
      .replaceAll('@', prefix);
    expect(read(anthropicXml, prefixed)).toEqual({ inputs: [{ n: 5 }], said: '', repairs: [] });
  });

  test('may frame a call with tokens that say nothing, or leave them out', () => {
    const call =
      '<steptml:invoke name="f"><steptml:parameter name="n">5</steptml:parameter></steptml:invoke>';
    const frames = ['<｜tool_call_begin｜>function<｜tool_sep｜>', '<｜tool_call_begin｜>', ''];
    for (const frame of frames)
      expect(
        read(step3, `<｜tool_calls_begin｜>${frame}${call}<｜tool_call_end｜><｜tool_calls_end｜>`),
      ).toEqual({
        inputs: [{ n: 5 }],
        said: '',
        repairs: [],
      });
  });

  test('may have the name as text, in a block', () => {
    const call = '<tool_call>f<tool_sep><arg_key>n</arg_key><arg_value>5</arg_value></tool_call>';
    expect(read(hunyuan3, `<tool_calls>${call}\n${call}</tool_calls>`).inputs).toEqual([{ n: 5 }, { n: 5 }]);
    const suffixed = `<tool_calls>${call}</tool_calls>`.replaceAll('>', ':opensource>');
    expect(read(hunyuan3, suffixed)).toEqual({ inputs: [{ n: 5 }], said: '', repairs: [] });
  });

  test('may hold a call as JSON, as a repair', () => {
    const text = '<dots_function_call>{"name": "f", "arguments": {"n": 5}}</dots_function_call>';
    expect(read(dots, text)).toEqual({ inputs: [{ n: 5 }], said: '', repairs: ['json-body'] });
  });

  test('may hold text in CDATA, which ends only before the closer', () => {
    const text = '<function name="f"><param name="s"><![CDATA[a ]]> </param>\n]]></param></function>';
    expect(read(minicpm5, text)).toEqual({ inputs: [{ s: 'a ]]> </param>\n' }], said: '', repairs: [] });
  });

  test('may hold all arguments in one, if the tool declares no such key', () => {
    const text = '<functionname="f"><param name="properties">{\'n\': 5}</param></function>';
    expect(read(minicpm5, text)).toMatchObject({ inputs: [{ n: 5 }], said: '' });
  });
});

describe('elements in elements', () => {
  test('are objects and lists', () => {
    const inside = '<list><item><id>1</id></item><item><id>2</id></item></list><o><s>5</s></o>';
    const text = m3(`<tool_call><invoke name="f">${inside}</invoke></tool_call>`);
    expect(read(minimaxM3, text)).toEqual({
      inputs: [{ list: [{ id: 1 }, { id: 2 }], o: { s: '5' } }],
      said: '',
      repairs: [],
    });
  });

  test('are told apart by their first name where the schema says nothing', () => {
    const text = m3('<tool_call><invoke name="g"><a><item>1</item></a><b><x>y</x></b></invoke></tool_call>');
    expect(read(minimaxM3, text).inputs).toEqual([{ a: [1], b: { x: 'y' } }]);
  });

  test('are closed where the call ends, as a repair', () => {
    const text = m3('<tool_call><invoke name="f"><o><s>x</s></invoke></tool_call>');
    expect(read(minimaxM3, text)).toEqual({
      inputs: [{ o: { s: 'x' } }],
      said: '',
      repairs: ['missing-closer'],
    });
  });
});

describe('tags that are the names of tools', () => {
  test('open a call of a declared tool, and stay text otherwise', () => {
    const html = '<ul>\n<li>x</li>\n</ul>';
    expect(read(toolTags, html)).toEqual({ inputs: [], said: html, repairs: [] });
    expect(read(toolTags, `See:\n<f>\n<s>${html}</s>\n</f>`)).toEqual({
      inputs: [{ s: html }],
      said: 'See:',
      repairs: [],
    });
  });

  test('do not open one where they are only mentioned', () => {
    const text = 'Use <f> to do that, and </f> behind it.';
    expect(read(toolTags, text)).toEqual({ inputs: [], said: text, repairs: [] });
  });
});
