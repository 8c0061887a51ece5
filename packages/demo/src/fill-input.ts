// Fills the arguments of a call from the question: strings by the purpose of their parameter, numbers from numerals,
// words of an enum if they are mentioned. A required argument that is not found gets a value that fits.

import type { JsonObject, JsonValue, Tool } from '@dragoman/core';
import { isObject, setMember } from '@dragoman/core/internal';
import { findThings, type Things } from './find-things.js';
import { type Chore, wordsAbout } from './pick-tool.js';
import type { DemoRequest } from './read-request.js';
import {
  defaultValue,
  fitNumber,
  fitString,
  propertiesOf,
  requiredOf,
  settle,
  typeOf,
} from './schema-values.js';
import { meaning, meaningsOf, stem, wordsOf } from './words.js';

export interface FilledCalls {
  inputs: JsonObject[];
  /** Required members that the question does not give. */
  guessed: string[];
}

const MAX_CALLS = 8;
const MAX_DEPTH = 8;
const MAX_ITEMS = 100;

/** Makes the calls of one tool: several if the question names several things and a call takes one. */
export function fillCalls(tool: Tool, request: DemoRequest, chore: Chore | undefined): FilledCalls {
  const { name, parameters } = wordsAbout(tool);
  const things = findThings(request.question, new Set([...name, ...parameters]));
  const root = isObject(tool.parameters) ? (tool.parameters as JsonObject) : {};
  const list = request.once ? undefined : listToSpread(settle(root, root), root);
  const items = list ? [...new Set(things[list])].slice(0, MAX_CALLS) : [];
  const each = list && items.length > 1 ? items.map((item) => ({ ...things, [list]: [item] })) : [things];
  const folder = workingFolder(request);
  const fillers = each.map((one) => new InputFiller(root, copyOf(one), chore, folder));
  const inputs = fillers.map((filler) => filler.fill());
  return { inputs, guessed: [...new Set(fillers.flatMap(({ guessed }) => guessed))] };
}

const BEFORE_FOLDER = ['orking directory: ', 'orking directory is: ', 'orking in the directory: ', '<cwd>'];

/** Finds the agent's working directory in its prompt: some tools need absolute paths. */
function workingFolder({ lines }: DemoRequest): string | undefined {
  const found = lines.flatMap(({ text }) =>
    BEFORE_FOLDER.filter((words) => text.includes(words)).map((words) => {
      return /^\/[^\n\r<`"]*/.exec(text.slice(text.indexOf(words) + words.length))?.[0].trim() ?? '';
    }),
  );
  return found.find((path) => path !== '')?.replace(/(.)\/$/, '$1');
}

// --- what a parameter is for ---------------------------------------------------------------------------

/** The purpose of a parameter: one of the lists of things in the question, or something else. */
const KINDS = meaningsOf([
  'command command cmd script',
  'urls url uri link href website',
  'pattern pattern glob regex',
  'paths path file filename filepath dir directory folder',
  'names city location place town country region address destination origin station airport name person symbol',
  'summary description reason explanation purpose',
  'text query q search keyword term question prompt topic text content message body input title subject task',
]);
const KIND_OF_STEM = new Map([...KINDS].map(([word, kind]) => [stem(word), kind]));

/** Finds the purpose by the format, by the last known word of the name (`file_url` is a URL), or by the description. */
function kindOf(key: string, { format, description }: JsonObject): string {
  if (typeof format === 'string') return format === 'uri' ? 'urls' : 'exact';
  const about = typeof description === 'string' ? description.slice(0, 60) : '';
  const words = [...meaning(about), ...wordsOf(about).map(stem), ...wordsOf(key).map(stem)];
  return words.map((word) => KIND_OF_STEM.get(word)).findLast((kind) => kind !== undefined) ?? 'other';
}

/** Gives the list of things for the only parameter that takes one of them. */
function listToSpread(schema: JsonObject, root: JsonObject): 'names' | 'paths' | 'urls' | undefined {
  const required = requiredOf(schema);
  const kinds = [...propertiesOf(schema)].map(([key, property]) => {
    const settled = settle(property, root);
    if (typeOf(settled) !== 'string' || Array.isArray(settled.enum)) return 'exact';
    const kind = kindOf(key, settled);
    return kind === 'other' && required.includes(key) ? 'names' : kind;
  });
  const first = kinds.find((kind) => kind === 'names' || kind === 'paths' || kind === 'urls');
  return kinds.filter((kind) => kind === first).length === 1 ? first : undefined;
}

// --- filling -------------------------------------------------------------------------------------------

/** Fills one call. Each thing is used once: filling takes it out of `things`. */
class InputFiller {
  readonly guessed: string[] = [];
  readonly #words: ReadonlySet<string>;

  constructor(
    readonly root: JsonObject,
    readonly things: Things,
    readonly chore: Chore | undefined,
    readonly folder: string | undefined,
  ) {
    const properties = [...propertiesOf(settle(root, root))];
    const takesCommand = properties.some(([key, one]) => kindOf(key, settle(one, root)) === 'command');
    // The command already contains the paths.
    if (takesCommand && chore?.command !== undefined) things.paths = [];
    this.#words = new Set(wordsOf(things.text).map(stem));
  }

  fill(): JsonObject {
    return this.#object(settle(this.root, this.root), '', 0);
  }

  #object(schema: JsonObject, path: string, depth: number): JsonObject {
    const object: JsonObject = {};
    const properties = propertiesOf(schema);
    const required = new Set(requiredOf(schema));
    for (const key of new Set([...properties.keys(), ...required])) {
      const isRequired = required.has(key);
      const settled = settle(properties.get(key), this.root);
      const isNested = typeOf(settled) === 'object' && isRequired && depth < MAX_DEPTH;
      const value = isNested
        ? this.#object(settled, `${path}${key}.`, depth + 1)
        : (this.#value(key, settled, isRequired) ??
          (isRequired ? this.#guess(key, settled, path) : undefined));
      if (value !== undefined) setMember(object, key, value);
    }
    return object;
  }

  #guess(key: string, schema: JsonObject, path: string): JsonValue {
    this.guessed.push(path + key);
    return defaultValue(schema, this.root, key);
  }

  #value(key: string, schema: JsonObject, isRequired: boolean): JsonValue | undefined {
    const { numbers, text } = this.things;
    const type = typeOf(schema) ?? 'string';
    if (Object.hasOwn(schema, 'const')) return undefined;
    if (Array.isArray(schema.enum)) return schema.enum.find((value) => this.#mentions(value));
    if (type === 'boolean') return this.#mentions(key) ? !/\b(?:not|no|without)\b/i.test(text) : undefined;
    if (type === 'array') return this.#list(kindOf(key, schema), schema, isRequired);
    if (type === 'string') return this.#fitted(kindOf(key, schema), schema, isRequired);
    const isAsked = isRequired || wordsOf(key).some((word) => this.#words.has(stem(word)));
    const isNumber = type === 'integer' || type === 'number';
    const number = isNumber && isAsked ? numbers.shift() : undefined;
    return number === undefined ? undefined : fitNumber(number, schema);
  }

  /** Whether the question contains this word, or these words. */
  #mentions(value: unknown): boolean {
    const words = typeof value === 'string' ? wordsOf(value) : [];
    return words.length > 0 && words.every((word) => this.#words.has(stem(word)));
  }

  #list(kind: string, schema: JsonObject, isRequired: boolean): JsonValue | undefined {
    const { names, paths, urls, quoted } = this.things;
    const { minItems = 1, maxItems = MAX_ITEMS, prefixItems } = schema;
    const item = settle(schema.items, this.root);
    if ((typeOf(item) ?? 'string') !== 'string' || item.enum || item.format || 'const' in item || prefixItems)
      return undefined;
    const command = this.chore?.command === undefined ? [] : ['bash', '-lc', this.chore.command];
    const known = new Map(Object.entries({ names, paths, urls, command })).get(kind);
    const values = known ?? (isRequired && quoted.length === 0 ? names : quoted);
    if (values.length < Math.max(Number(minItems), 1)) return undefined;
    return values.splice(0, Number(maxItems)).map((value) => fitString(value, item));
  }

  #fitted(kind: string, schema: JsonObject, isRequired: boolean): string | undefined {
    const found = this.#string(kind, isRequired);
    const isWhole = kind === 'paths' && /absolute/i.test(String(schema.description));
    return found && fitString(isWhole ? this.#absolute(found) : found, schema);
  }

  /** Gives what an optional parameter gets only if it certainly fits, and a required one also if it may. */
  #string(kind: string, isRequired: boolean): string | undefined {
    const { urls, paths, names, quoted, code, text, topic } = this.things;
    const isList = this.chore?.kind === 'list';
    if (kind === 'urls') return urls.shift();
    if (kind === 'names') return names.shift() ?? quoted.shift();
    const path = kind === 'paths' ? (paths.shift() ?? code.shift()) : undefined;
    const found = path ?? (kind === 'paths' || kind === 'text' ? quoted.shift() : undefined);
    if (found !== undefined || !isRequired) return found;
    if (kind === 'paths') return isList ? '.' : undefined;
    if (kind === 'command') return this.chore?.command ?? code[0];
    if (kind === 'pattern') return isList ? '*' : (quoted[0] ?? code[0] ?? topic);
    if (kind === 'summary') return text.slice(0, 60);
    if (kind === 'text') return topic ?? text;
    return kind === 'other' ? (quoted.shift() ?? names.shift()) : undefined;
  }

  #absolute(path: string): string {
    if (this.folder === undefined || /^[/~]/.test(path)) return path;
    return path === '.' ? this.folder : `${this.folder}/${path.replace(/^\.\//, '')}`;
  }
}

/** Copies plain JSON: not every runtime has structuredClone. */
function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
