// How a model is told to write text that holds the dialect's own markers: in the taught prompt, and when it is asked
// again. Where values are raw text, the break of markers.ts is the rule; its words are made by rendering a call.
//
//   <parameter=key>\nVALUE\n</parameter>   ──>   write </parameter> in a text as <\/parameter>

import type { Tool, ToolCall } from '../model/index.js';
import type { Dialect, RenderOptions } from './dialect.js';
import { Writer } from './writer.js';

type Language = NonNullable<RenderOptions['language']>;
type Rule = Partial<Record<Language, string>>;

const VALUE = 'VALUE';
const TOOL: Tool = {
  name: 'NAME',
  parameters: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
};

const rules = new WeakMap<Dialect, Rule>();

/** Gives the rule; undefined where any text is read right without one, as in strings of JSON. */
export function closerRule(dialect: Dialect, language: Language = 'en'): string | undefined {
  const known = rules.get(dialect) ?? dialect.render.closers ?? ruleOf(dialect);
  rules.set(dialect, known);
  return known[language];
}

function ruleOf(dialect: Dialect): Rule {
  const closer = closerOf(dialect, write(dialect, VALUE));
  const broken = `${closer.charAt(0)}\\${closer.slice(1)}`;
  if (closer === '' || !write(dialect, closer).includes(broken)) return {};
  return {
    en: `If the text of an argument holds a tag of this format, such as ${closer}, write the tag with a backslash after its first character: ${broken}. The backslash is removed when the call is read. Write all other text as it is.`,
    zh: `参数的文本里如果有本格式的标签，例如 ${closer}，就在标签的第一个字符后加一个反斜杠：${broken}。读取调用时会去掉这个反斜杠。其他文本照原样写。`,
  };
}

/** Writes a call whose only argument is this text. */
function write({ markers, render }: Dialect, value: string): string {
  const call: ToolCall = { type: 'tool-call', id: '1', name: TOOL.name, input: { key: value } };
  const out = new Writer(markers);
  render.calls(out, [call], { tools: [TOOL], afterText: false });
  return out.text;
}

/** Gives the tag, or another marker, that follows the value; nothing if none does. */
function closerOf({ markers }: Dialect, written: string): string {
  const behind = written.slice(written.indexOf(VALUE) + VALUE.length).trimStart();
  const length = behind.startsWith('<') ? behind.indexOf('>') + 1 : markers.match(behind, 0, true);
  return behind.slice(0, Math.max(0, length));
}
