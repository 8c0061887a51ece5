// A declaration from a file, checked before anything is made of it: every error says where, what was expected and what
// was found. The shapes below are those of codec/declaration.ts.

import type { DialectDeclaration, Spellings } from '../codec/declaration.js';
import { isObject, UsageError } from '../model/index.js';

type Check = (value: unknown, path: string) => void;
interface Members {
  needs?: Record<string, Check>;
  may?: Record<string, Check>;
}

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
  ({ needs = {}, may = {} }: Members): Check =>
  (value, path) => {
    if (!isObject(value) || Array.isArray(value)) fail(`expected ${shapeOf(needs, may)}`, value, path);
    const members = new Map(Object.entries(value as object));
    for (const [key, check] of Object.entries(needs)) {
      if (!members.has(key)) throw bad(`\`${key}\` is missing; expected ${shapeOf(needs, may)}`, path);
      check(members.get(key), join(path, key));
    }
    for (const [key, member] of members) {
      if (Object.hasOwn(needs, key)) continue;
      const check = Object.hasOwn(may, key) ? may[key] : undefined;
      if (!check)
        throw bad(
          `there is no such key; there are ${listed([...keysOf(needs), ...keysOf(may)])}`,
          join(path, key),
        );
      check(member, join(path, key));
    }
  };

const markers = either(Array.isArray, listOf(marker), marker);
const frame = object({ needs: { open: text, close: text } });
const tags = object({ needs: { open: markers, close: markers } });

const families: ReadonlyMap<string, Check> = new Map([
  [
    'json',
    object({
      needs: {
        family: text,
        open: markers,
        shape: oneOf('list', 'object', 'objects'),
        keys: either(
          isObject,
          object({ needs: { name: markers, arguments: markers }, may: { id: markers } }),
          oneOf('name-is-key'),
        ),
      },
      may: { close: markers, between: text, inside: listOf(text), bare: flag },
    }),
  ],
  [
    'named',
    object({
      needs: { family: text, open: markers, separator: markers },
      may: {
        section: object({ needs: { open: markers }, may: { close: markers } }),
        prefix: markers,
        id: object({ may: { index: text, open: marker } }),
        close: markers,
        fence: flag,
      },
    }),
  ],
  [
    'tags',
    object({
      needs: {
        family: text,
        call: object({ needs: { open: markers, close: markers }, may: { before: marker, behind: marker } }),
        argument: either(
          (value) => isObject(value) && 'key' in value,
          object({ needs: { key: tags, value: tags } }),
          tags,
        ),
      },
      may: {
        block: object({ needs: { open: markers, close: markers }, may: { each: flag } }),
        layout: object({
          may: {
            before: text,
            block: text,
            call: text,
            key: text,
            argument: text,
            behind: text,
            between: text,
          },
        }),
        lineLayout: oneOf('written', 'read'),
        bareCalls: oneOf('if-declared', 'if-closed'),
        pythonWords: flag,
        cdata: oneOf('written', 'read'),
        jsonCalls: flag,
        wrappers: listOf(text),
      },
    }),
  ],
  [
    'expressions',
    object({
      needs: { family: text, style: oneOf('python', 'braces'), several: oneOf('brackets', 'lines', 'each') },
      may: { open: markers, close: markers, between: text, bare: flag, prefix: text, quote: marker },
    }),
  ],
]);

const calls: Check = (value, path) => {
  const family = isObject(value) ? value.family : undefined;
  const check = typeof family === 'string' ? families.get(family) : undefined;
  if (!check) fail(`expected ${listed([...families.keys()])}`, family, join(path, 'family'));
  check?.(value, path);
};

const declaration = object({
  needs: { name: marker, about: marker, calls },
  may: {
    aliases: listOf(marker),
    models: listOf(marker),
    reasoning: object({
      needs: { open: marker, close: marker },
      may: { starts: flag, calls: oneOf('if-unclosed', 'never') },
    }),
    results: object({
      needs: { each: text },
      may: { between: text, before: text, behind: text, role: oneOf('user', 'tool') },
    }),
    teach: object({
      may: { text, tools: oneOf('openai', 'function'), layout: oneOf('lines', 'list'), rules: text },
    }),
    turns: object({
      needs: { system: frame, user: frame, assistant: frame },
      may: { begin: text, results: frame },
    }),
    ends: listOf(marker),
    tokens: listOf(marker),
    textAfterCalls: oneOf('text', 'aside'),
    coercesStrings: flag,
  },
});

/** The declaration, if it is one. Otherwise a UsageError with the path. */
export function checkDeclaration(value: unknown): DialectDeclaration {
  declaration(value, '');
  const checked = value as DialectDeclaration;
  checkPlaces(checked);
  return checked;
}

/** What must stand in a text for it to be of use. */
function checkPlaces({ calls: spelled, results, teach }: DialectDeclaration): void {
  if (results) needsPlace(results.each, ['{output}', '{output:json}'], 'results.each');
  if (teach?.text !== undefined) needsPlace(teach.text, ['{tools}'], 'teach.text');
  if (spelled.family !== 'tags') return;
  if (!('key' in spelled.argument)) {
    needsPlace(spelled.call.open, ['{name}'], 'calls.call.open');
    needsPlace(spelled.argument.open, ['{key}'], 'calls.argument.open');
  }
}

function needsPlace(given: Spellings, places: readonly string[], path: string): void {
  const texts = typeof given === 'string' ? [given] : given;
  if (!texts.every((text) => places.some((place) => text.includes(place))))
    throw bad(`expected ${listed(places)} somewhere in this text, where it is filled in`, path);
}

function shapeOf(needs: Members['needs'], may: Members['may']): string {
  const optional = keysOf(may);
  const more = optional.length > 0 ? `, perhaps ${listed(optional)}` : '';
  return keysOf(needs).length > 0 ? `an object with ${keysOf(needs).join(', ')}${more}` : `an object${more}`;
}

function keysOf(members: Members['needs']): string[] {
  return Object.keys(members ?? {});
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
