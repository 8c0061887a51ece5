// Parses YAML and JSON with the place of every value. One parser reads both, so that both mean the same; JSON is first
// checked against its own rules.
//
// A file cannot run code: only the plain YAML tags are allowed, aliases are limited, and member names that touch
// prototypes are refused.

import { parseExact } from '@dragoman/core';
import { setMember } from '@dragoman/core/internal';
import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { Path, Problem } from './problem.js';
import { type Fault, type PlacedFault, type Range, Source } from './source.js';

export type Form = 'yaml' | 'json';

/** The most characters of a file, levels of nesting, and values; values that aliases repeat are counted each time. */
const MAX_LENGTH = 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_VALUES = 20_000;
/** The most line breaks, brackets and commas: the parser takes some ten microseconds for each. */
const MAX_MARKS = 100_000;

const plainTags = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'];

export interface ReadSource {
  source: Source;
  /** The text cannot be parsed at all. */
  broken: readonly Problem[];
  /** The text can be parsed, but these parts are refused. */
  faults: readonly PlacedFault[];
}

export function readSource(text: string, file: string, form: Form): ReadSource {
  const source = new Source(file, text);
  if (text.length > MAX_LENGTH) {
    const message = `expected at most ${MAX_LENGTH} characters, found ${text.length}`;
    return { source, broken: [source.problemAt(0, message)], faults: [] };
  }
  if (countMarks(text) > MAX_MARKS) {
    const message = `the file holds too much: more than ${MAX_MARKS} lines, brackets and commas`;
    return { source, broken: [source.problemAt(0, message)], faults: [] };
  }
  const noJson = form === 'json' ? jsonProblems(source, text) : [];
  if (noJson.length > 0) return { source, broken: noJson, faults: [] };
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, stringKeys: false });
  // Of several errors at one place, the last says most.
  const errors = new Map(document.errors.slice(0, 10).map((error) => [error.pos[0], error]));
  const broken = [...errors.values()].map(({ code, pos }) => {
    const { message, hint } = yamlFaults.get(code) ?? { message: 'this cannot be read as YAML' };
    return source.problemAt(pos[0], message, hint);
  });
  if (broken.length > 0) return { source, broken, faults: [] };
  const reader = new Reader(source);
  source.value = document.contents === null ? {} : reader.read((document as Document.Parsed).contents);
  return { source, broken: reader.tooMany, faults: reader.faults };
}

function countMarks(text: string): number {
  let count = 0;
  for (const mark of '\n[]{},') {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count++;
  }
  return count;
}

const indent: Fault = {
  message: 'the indentation does not fit, or a bracket or quote is not closed',
  hint: 'Members of one map, and items of one list, begin in the same column.',
};

/** YAML errors in our own words: the parser's messages may repeat the text, and with it secrets. */
const yamlFaults: ReadonlyMap<ErrorCode, Fault> = new Map<ErrorCode, Fault>([
  ['BAD_INDENT', indent],
  ['TAB_AS_INDENT', { message: 'lines are indented with tabs', hint: 'YAML wants spaces.' }],
  [
    'MISSING_CHAR',
    { message: 'a character is missing here: a quote, a bracket, a comma, a colon or a space' },
  ],
  ['BAD_DQ_ESCAPE', { message: 'there is no such escape in double quotes', hint: 'Use single quotes.' }],
  ['BAD_SCALAR_START', { message: 'text cannot begin with this character', hint: 'Put it in quotes.' }],
  ['BLOCK_AS_IMPLICIT_KEY', { message: 'there are two colons in one line', hint: 'Put the text in quotes.' }],
  [
    'MULTILINE_IMPLICIT_KEY',
    {
      message: 'expected name and colon in one line',
      hint: 'Is a colon missing? Or has a member both a value and members below it?',
    },
  ],
  ['MULTIPLE_DOCS', { message: 'expected one document, found several', hint: 'Take out the line ---.' }],
  ['RESOURCE_EXHAUSTION', { message: 'the file is nested too deeply' }],
]);

function jsonProblems(source: Source, text: string): Problem[] {
  try {
    parseExact(text);
    return [];
  } catch (error) {
    const [, line, column, message] =
      /^line ([0-9]+), column ([0-9]+): (.*)$/.exec((error as Error).message) ?? [];
    const at = source.offsetOf(Number(line ?? 1), Number(column ?? 1));
    return [source.problemAt(at, `this is no JSON: ${message ?? 'it cannot be read'}`)];
  }
}

class Reader {
  readonly faults: PlacedFault[] = [];
  /** The first value beyond the limit: then nothing of the file is checked. */
  readonly tooMany: Problem[] = [];
  /** Filled in the order of the text, so that an alias means the last anchor before it. */
  readonly #anchors = new Map<string, ParsedNode>();
  #values = 0;

  constructor(private readonly source: Source) {}

  read(root: ParsedNode | null): unknown {
    if (root === null) return {};
    this.source.place([], { value: rangeOf(root) });
    return this.#value(root, []);
  }

  #value(node: ParsedNode | null, path: Path): unknown {
    if (node === null) return null;
    if (this.#isTooMuch(node, path)) return null;
    if (path.length > MAX_DEPTH) {
      return this.#refuse(path, `expected at most ${MAX_DEPTH} levels of nesting`);
    }
    if (isAlias(node)) return this.#aliased(node.source, path);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    this.#checkTag(node, path);
    if (isMap(node)) return this.#map(node as YAMLMap<ParsedNode, ParsedNode | null>, path);
    if (isSeq(node)) {
      return node.items.map((item, at) => this.#member(item as ParsedNode, [...path, at], undefined));
    }
    return isScalar(node) ? this.#scalar(node as Scalar.Parsed, path) : null;
  }

  #map(map: YAMLMap<ParsedNode, ParsedNode | null>, path: Path): unknown {
    const object: Record<string, unknown> = {};
    for (const pair of map.items) {
      const name = this.#name(pair, path);
      if (name === undefined || this.#isRefused(name, pair.key, object, path)) continue;
      setMember(object, name, this.#member(pair.value, [...path, name], rangeOf(pair.key)));
    }
    return object;
  }

  #member(node: ParsedNode | null, path: Path, key: Range | undefined): unknown {
    const value = node ? rangeOf(node) : (key ?? { from: 0, to: 1 });
    this.source.place(path, { value: value.to > value.from || !key ? value : key, ...(key && { key }) });
    return this.#value(node, path);
  }

  /** Gives the name of a member: `4.5: …` is named 4.5, as it is written. */
  #name({ key }: Pair<ParsedNode, ParsedNode | null>, path: Path): string | undefined {
    if (isScalar(key)) return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
    this.faults.push({ path, fault: { message: 'expected names of members to be text' } });
    return undefined;
  }

  #isRefused(name: string, key: ParsedNode, object: object, path: Path): boolean {
    const fault = Object.hasOwn(object, name)
      ? { message: 'this is said twice', hint: 'Keep one of the two.' }
      : name === '<<'
        ? {
            message: 'merge keys (<<) are not read',
            hint: 'Write the members out; aliases (*name) are read.',
          }
        : name === '__proto__'
          ? { message: 'nothing can have this name' }
          : undefined;
    if (!fault) return false;
    const at = [...path, name];
    this.source.place(at, { key: rangeOf(key), value: rangeOf(key) });
    this.faults.push({ path: at, fault: { ...fault, at: 'key' } });
    return true;
  }

  #scalar(node: Scalar.Parsed, path: Path): unknown {
    this.source.placeScalar(path, rangeOf(node));
    const value: unknown = node.value;
    // With a directive for old YAML, plain text may become a date and the like: it stays text.
    return typeof value === 'object' && value !== null ? (node.source ?? null) : value;
  }

  #aliased(name: string, path: Path): unknown {
    const node = this.#anchors.get(name);
    if (node) return this.#value(node, path);
    return this.#refuse(path, 'this alias means nothing', 'Its anchor (&name) must stand before it.');
  }

  #checkTag(node: ParsedNode, path: Path): void {
    if (node.tag === undefined || plainTags.some((tag) => node.tag === `tag:yaml.org,2002:${tag}`)) return;
    this.#refuse(path, 'tags are not read here', 'Write plain text, numbers, lists and maps.');
  }

  #refuse(path: Path, message: string, hint?: string): null {
    this.faults.push({ path, fault: { message, ...(hint !== undefined && { hint }) } });
    return null;
  }

  #isTooMuch(node: ParsedNode, path: Path): boolean {
    if (++this.#values <= MAX_VALUES) return false;
    if (this.tooMany.length === 0) {
      const hint = isAlias(node) ? 'Aliases repeat what they stand for.' : undefined;
      const message = `the file holds too many values: more than ${MAX_VALUES}`;
      this.tooMany.push(this.source.problem(path, { message, ...(hint !== undefined && { hint }) }));
    }
    return true;
  }
}

function rangeOf(node: ParsedNode): Range {
  return { from: node.range[0], to: node.range[1] };
}
