// Checks a declaration from a file before a dialect is made of it. Every error gives the path, what was expected and
// what was found. The shapes below are those of engine/declaration.ts.

import type {
  CallsDeclaration,
  DefaultSystem,
  DialectDeclaration,
  ExpressionCalls,
  Frame,
  FrameDeclaration,
  GenerationDeclaration,
  JsonCalls,
  NamedCalls,
  ReasoningDeclaration,
  ReasoningTurns,
  ResultsDeclaration,
  ResultsTurn,
  Spellings,
  TaggedCalls,
  TagLayout,
  TagPair,
  TeachDeclaration,
  ToolsText,
  ToolsTurn,
  TurnsDeclaration,
} from '../../engine/declaration.js';
import type { Dialect } from '../../engine/dialect.js';
import { isObject, UsageError } from '../../model/index.js';
import { defineDialect } from './define-dialect.js';

type Check = (value: unknown, path: string) => void;
type Checks = Record<string, Check>;
/** Require a check for every key of the type, so that a new key without one does not compile. */
type Needs<T> = { [K in keyof T as object extends Pick<T, K> ? never : K]-?: Check };
type May<T> = { [K in keyof T as object extends Pick<T, K> ? K : never]-?: Check };

const text: Check = (value, path) => {
  if (typeof value !== 'string') fail('expected text', value, path);
};
const marker: Check = (value, path) => {
  text(value, path);
  if ((value as string).trim() === '') fail('expected text that is not blank', value, path);
};
const flag: Check = (value, path) => {
  if (typeof value !== 'boolean') fail('expected true or false', value, path);
};
const numberTo =
  (most: number): Check =>
  (value, path) => {
    if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > most)
      fail(`expected a number from 1 to ${most}`, value, path);
  };
const oneOf =
  (...choices: readonly string[]): Check =>
  (value, path) => {
    if (typeof value !== 'string' || !choices.includes(value))
      fail(`expected ${listed(choices)}`, value, path);
  };
const listOf =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) fail('expected a list', value, path);
    for (const [at, item] of (value as unknown[]).entries()) check(item, `${path}[${at}]`);
  };
const either =
  (is: (value: unknown) => boolean, first: Check, second: Check): Check =>
  (value, path) =>
    (is(value) ? first : second)(value, path);
const object =
  <T>(needed: Needs<T>, optional: May<T>): Check =>
  (value, path) => {
    const needs = needed as Checks;
    const may = optional as Checks;
    if (!isObject(value) || Array.isArray(value)) fail(`expected ${shapeOf(needs, may)}`, value, path);
    const members = new Map(Object.entries(value as object));
    const known = [...keysOf(needs), ...keysOf(may)];
    // Before missing keys: a key that is missing is often one that is misspelt.
    const unknown = [...members.keys()].find((key) => !known.includes(key));
    if (unknown !== undefined)
      throw bad(`there is no such key; there are ${listed(known)}`, join(path, unknown));
    for (const [key, check] of Object.entries({ ...needs, ...may })) {
      if (members.has(key)) check(members.get(key), join(path, key));
      else if (Object.hasOwn(needs, key))
        throw bad(`\`${key}\` is missing; expected ${shapeOf(needs, may)}`, path);
    }
  };

const markers = either(Array.isArray, listOf(marker), marker);
/** One text or several; a text may be empty. */
const texts = either(Array.isArray, listOf(text), text);
const frame = object<Frame>({ open: text, close: text }, {});
const tags = object<TagPair>({ open: markers, close: markers }, {});
const keys = object<Exclude<JsonCalls['keys'], string>>(
  { name: markers, arguments: markers },
  { id: markers },
);

const json = object<JsonCalls>(
  {
    family: text,
    open: texts,
    shape: oneOf('list', 'object', 'objects'),
    keys: either(isObject, keys, oneOf('name-is-key')),
  },
  {
    close: markers,
    between: text,
    inside: listOf(text),
    before: text,
    wrapper: marker,
    bare: oneOf('answer', 'line'),
    python: flag,
    expression: marker,
  },
);

const named = object<NamedCalls>(
  { family: text, open: markers, separator: texts },
  {
    section: object<NonNullable<NamedCalls['section']>>({ open: markers }, { close: markers }),
    prefix: markers,
    id: object<{ index?: string; open?: string; letters?: number; before?: string }>(
      {},
      { index: markers, open: marker, letters: numberTo(64), before: marker },
    ),
    close: markers,
    fence: flag,
    between: text,
    before: text,
    list: keys,
  },
);

const tagged = object<TaggedCalls>(
  {
    family: text,
    call: object<TaggedCalls['call']>({ open: markers, close: markers }, { before: text, behind: text }),
    argument: either(
      (value) => isObject(value) && 'key' in value,
      object<{ key: TagPair; value: TagPair }>({ key: tags, value: tags }, {}),
      tags,
    ),
  },
  {
    block: object<NonNullable<TaggedCalls['block']>>({ open: markers, close: markers }, { each: flag }),
    layout: object<TagLayout>(
      {},
      { before: text, block: text, call: text, key: text, argument: text, behind: text, between: text },
    ),
    lineLayout: oneOf('written', 'read'),
    bareCalls: oneOf('if-declared', 'if-closed'),
    pythonWords: flag,
    cdata: oneOf('written', 'read'),
    jsonCalls: flag,
    namespace: marker,
    nested: text,
    wrappers: listOf(marker),
  },
);

const expressions = object<ExpressionCalls>(
  { family: text, style: oneOf('python', 'braces'), several: oneOf('brackets', 'lines', 'each') },
  {
    open: markers,
    close: markers,
    between: text,
    bare: flag,
    prefix: text,
    quote: marker,
    before: text,
    values: oneOf('repr'),
  },
);

const families: ReadonlyMap<string, Check> = new Map(
  Object.entries({ json, named, tags: tagged, expressions } satisfies Record<
    CallsDeclaration['family'],
    Check
  >),
);

const calls: Check = (value, path) => {
  const family = isObject(value) ? value.family : undefined;
  const check = typeof family === 'string' ? families.get(family) : undefined;
  if (!check) fail(`expected ${listed([...families.keys()])}`, family, join(path, 'family'));
  check?.(value, path);
};

const toolsText: May<ToolsText> = {
  text,
  tools: oneOf('openai', 'function'),
  layout: oneOf('lines', 'list'),
  each: text,
  indent: numberTo(8),
};

const kept = oneOf('all', 'last', 'none');

const turns = object<TurnsDeclaration>(
  { system: frame, user: frame, assistant: frame },
  {
    begin: text,
    results: object<ResultsTurn>({ open: text, close: text }, { each: flag, says: text }),
    defaultSystem: either(isObject, object<DefaultSystem>({ text }, { close: text, asked: flag }), text),
    tools: object<ToolsTurn>(
      { open: text, close: text, at: oneOf('before-system', 'behind-system', 'before-last-user') },
      toolsText,
    ),
    beforeTools: text,
    reasoning: object<ReasoningTurns>(
      { open: text, close: text },
      { kept: oneOf('all', 'last', 'since-answer', 'none'), absent: text },
    ),
    trims: flag,
    callsApart: flag,
    counted: oneOf('turn', 'conversation'),
    generation: object<GenerationDeclaration>({}, { usual: text, thinking: text, plain: text }),
  },
);

const declaration = object<DialectDeclaration>(
  { name: marker, about: marker, calls },
  {
    aliases: listOf(marker),
    models: listOf(marker),
    reasoning: object<ReasoningDeclaration>(
      { open: marker, close: marker },
      { starts: flag, calls: oneOf('if-unclosed', 'never'), kept },
    ),
    frames: listOf(
      object<FrameDeclaration>({ open: marker, close: marker }, { voice: oneOf('text', 'reasoning') }),
    ),
    results: object<ResultsDeclaration>(
      { each: text },
      { between: text, before: text, behind: text, role: oneOf('user', 'tool') },
    ),
    teach: object<TeachDeclaration>({}, { ...toolsText, rules: text }),
    turns,
    templateSigns: listOf(listOf(marker)),
    ends: listOf(marker),
    tokens: listOf(marker),
    special: listOf(marker),
    textAfterCalls: oneOf('text', 'aside'),
    coercesStrings: flag,
  },
);

/** Gives the declaration if it is valid; otherwise throws a UsageError with the path. */
export function checkDeclaration(value: unknown): DialectDeclaration {
  declaration(value, '');
  const checked = value as DialectDeclaration;
  checkPlaces(checked);
  return checked;
}

/** Checks that each text has the placeholders without which it is useless. */
function checkPlaces({ calls: spelled, results, teach, turns: whole }: DialectDeclaration): void {
  const outputs = ['{output}', '{output:json}'];
  if (results) needsPlace(results.each, outputs, 'results.each');
  if (whole?.results?.says !== undefined) needsPlace(whole.results.says, outputs, 'turns.results.says');
  if (teach) checkTools(teach, 'teach');
  if (whole?.tools) checkTools(whole.tools, 'turns.tools');
  if (spelled.family !== 'tags') return;
  if (!('key' in spelled.argument)) {
    needsPlace(spelled.call.open, ['{name}'], 'calls.call.open');
    needsPlace(spelled.argument.open, ['{key}'], 'calls.argument.open');
  }
}

function checkTools({ text: said, each, layout, indent }: ToolsText, path: string): void {
  if (said !== undefined) needsPlace(said, ['{tools}'], `${path}.text`);
  if (each !== undefined) needsPlace(each, ['{tool}'], `${path}.each`);
  if (each !== undefined && layout === 'list')
    throw bad("a list has no lines of its own for it: take `layout: 'lines'`", `${path}.each`);
  if (indent !== undefined && layout !== 'list')
    throw bad("only a list may have lines of its own: add `layout: 'list'`", `${path}.indent`);
}

function needsPlace(given: Spellings, places: readonly string[], path: string): void {
  const texts = typeof given === 'string' ? [given] : given;
  if (!texts.every((text) => places.some((place) => text.includes(place))))
    throw bad(`expected ${listed(places)} somewhere in this text, where it is filled in`, path);
}

function shapeOf(needs: Checks, may: Checks): string {
  const optional = keysOf(may);
  const more = optional.length > 0 ? `, perhaps ${listed(optional)}` : '';
  return keysOf(needs).length > 0 ? `an object with ${keysOf(needs).join(', ')}${more}` : `an object${more}`;
}

function keysOf(members: Checks): string[] {
  return Object.keys(members);
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function fail(expected: string, found: unknown, path: string): never {
  const json = JSON.stringify(found) ?? 'nothing';
  throw bad(`${expected}, found ${json.length > 60 ? `${json.slice(0, 60)}…` : json}`, path);
}

function bad(message: string, path: string): UsageError {
  return new UsageError('bad-dialect', message, path === '' ? undefined : path);
}

/** Throws a UsageError that names the member where the declaration is invalid. */
export function dialectFrom(declaration: unknown): Dialect {
  return defineDialect(checkDeclaration(declaration));
}
