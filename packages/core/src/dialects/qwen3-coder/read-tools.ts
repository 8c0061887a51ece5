// Reads the definitions of Qwen3-Coder back from their tags:
//
//   <name>f</name>\n<description>…</description>\n<parameters>\n<parameter>\n<name>k</name>\n<type>string</type>
//   </parameter>\n<required>["k"]</required>\n</parameters>\n</function>\n<function>\n<name>…
//
// The tags carry no types: `True` may have been a string. Text that reads as JSON or as Python's words is taken for a
// value, which prints the same again.

import { type MarkerSet, restore } from '../../engine/markers.js';
import { toPythonText } from '../../families/writing/python-text.js';
import { type ExactValue, exactObject, tryParseExact } from '../../model/index.js';

type Members = [key: string, value: ExactValue][];

/** Reads the definitions, from after the first tool's `<name>` to the end of the last tool. */
export function readTaggedTools(text: string, markers: MarkerSet): ExactValue[] | undefined {
  const reader = new TagReader(`\n<name>${text}\n</function>`, markers);
  const tools: ExactValue[] = [];
  do {
    const tool = reader.tool();
    if (tool === undefined) return undefined;
    tools.push(tool);
  } while (reader.take('\n<function>'));
  return reader.isDone ? tools : undefined;
}

class TagReader {
  #at = 0;

  constructor(
    readonly text: string,
    readonly markers: MarkerSet,
  ) {}

  get isDone(): boolean {
    return this.#at === this.text.length;
  }

  take(words: string): boolean {
    if (!this.text.startsWith(words, this.#at)) return false;
    this.#at += words.length;
    return true;
  }

  tool(): ExactValue | undefined {
    const members = this.#members('\n<parameters>');
    const parameters = members && this.#parameters();
    const rest = parameters && this.#members('\n</function>');
    if (!rest) return undefined;
    return exactObject([...members, ['parameters', parameters], ...rest]);
  }

  #parameters(): ExactValue | undefined {
    const properties: Members = [];
    while (this.take('\n<parameter>')) {
      const members = this.#members('\n</parameter>');
      const name = members?.[0]?.[0] === 'name' ? members[0][1] : undefined;
      if (!members || typeof name !== 'string') return undefined;
      properties.push([name, exactObject(members.slice(1))]);
    }
    const rest = this.#members('\n</parameters>');
    if (!rest) return undefined;
    return exactObject([['type', 'object'], ['properties', exactObject(properties)], ...rest]);
  }

  /** Reads any number of `\n<key>value</key>`, and `end`. */
  #members(end: string): Members | undefined {
    const members: Members = [];
    while (!this.take(end)) {
      const member = this.#member();
      if (!member) return undefined;
      members.push(member);
    }
    return members;
  }

  #member(): Members[number] | undefined {
    const { text } = this;
    const open = this.#at + 2;
    const shut = text.startsWith('\n<', this.#at) ? text.indexOf('>', open) : -1;
    if (shut < 0) return undefined;
    const key = text.slice(open, shut);
    const closer = `</${key}>`;
    let end = text.indexOf(closer, shut + 1);
    // A value may contain a closer that is no marker; only after the real one a new line begins.
    while (end >= 0 && !text.startsWith('\n<', end + closer.length)) end = text.indexOf(closer, end + 1);
    if (end < 0) return undefined;
    this.#at = end + closer.length;
    return [key, this.#value(key, text.slice(shut + 1, end))];
  }

  #value(key: string, written: string): ExactValue {
    const text = restore(written, this.markers);
    if (key === 'name' || key === 'description') return text;
    if (key === 'type') return readTypes(text) ?? text;
    return pythonWords.get(text) ?? tryParseExact(text) ?? text;
  }
}

const pythonWords = new Map<string, ExactValue>([
  ['True', true],
  ['False', false],
]);

/** Reads `['string', 'null']`: names of types contain no quotes. */
function readTypes(text: string): ExactValue | undefined {
  const types = text.startsWith('[') ? tryParseExact(text.replaceAll("'", '"')) : undefined;
  return types !== undefined && toPythonText(types) === text ? types : undefined;
}
