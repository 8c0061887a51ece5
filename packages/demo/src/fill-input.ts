// The arguments of a call, out of the question: strings by what their parameter is for, numbers from numerals,
// words of an enum where they are mentioned. What is required and not to be found gets a value that fits.

import type { JsonObject, JsonValue, Tool } from '@dragoman/core';
import { isObject, setMember } from '@dragoman/core/internal';
import { defaultValue, fitNumber, fitString } from './default-value.js';
import { type ParameterKind, parameterKind } from './parameter-kind.js';
import { propertiesOf, requiredOf, settle, typeOf } from './schema-facts.js';
import type { Things } from './things.js';
import { soughtIn, type Wish } from './wish.js';
import { stem, wordsOf } from './words.js';

export interface Filled {
  input: JsonObject;
  /** Required members that the question does not give. */
  guessed: string[];
}

export interface FillContext {
  things: Things;
  wish?: Wish;
  /** Where an agent works, for tools that want whole paths. */
  folder?: string;
  /** Only what is required, and the plainest value for what these words complain about. */
  again?: string;
}

const MAX_CALLS = 8;
const MAX_DEPTH = 8;

/** The calls of one tool: several where the question names several things and a call takes one. */
export function fillCalls(tool: Tool, context: FillContext, once: boolean): Filled[] {
  const root = settle(tool.parameters, isObject(tool.parameters) ? (tool.parameters as JsonObject) : {});
  const list = once ? undefined : spreadOf(root);
  const items = list === undefined ? [] : context.things[list];
  if (list === undefined || items.length < 2) return [new Filler(root, context).call()];
  return [...new Set(items)].slice(0, MAX_CALLS).map((item) => {
    const things = { ...context.things, [list]: [item] };
    return new Filler(root, {
      ...context,
      things,
      ...(context.wish && { wish: wishFor(context.wish, item) }),
    }).call();
  });
}

/** What may be spread over several calls: the things of the only parameter that takes one of them. */
function spreadOf(root: JsonObject): 'names' | 'paths' | 'urls' | undefined {
  const lists = { name: 'names', path: 'paths', url: 'urls' } as const;
  const kinds = propertiesOf(root).flatMap(([key, property]) => {
    const schema = settle(property, root);
    const kind = kindOf(key, schema);
    const takes = kind === 'other' && requiredOf(root).includes(key) ? 'name' : kind;
    if (takes !== 'name' && takes !== 'path' && takes !== 'url') return [];
    return [{ kind: takes, isOne: typeOf(schema) === 'string' && !Array.isArray(schema.enum) }];
  });
  const [first] = kinds;
  if (!first?.isOne || kinds.filter(({ kind }) => kind === first.kind).length > 1) return undefined;
  return lists[first.kind];
}

function takesCommand(root: JsonObject): boolean {
  return propertiesOf(root).some(([key, property]) => kindOf(key, settle(property, root)) === 'command');
}

function wishFor(wish: Wish, item: string): Wish {
  return wish.kind === 'read' ? { ...wish, command: `cat ${item}` } : wish;
}

function kindOf(key: string, schema: JsonObject): ParameterKind {
  return parameterKind(key, schema.description);
}

/** Fills one call. Things that were used are not used again. */
class Filler {
  readonly #guessed: string[] = [];
  readonly #things: Things;
  readonly #words: Set<string>;

  constructor(
    readonly root: JsonObject,
    readonly context: FillContext,
  ) {
    const { things } = context;
    this.#things = {
      ...things,
      quoted: [...things.quoted],
      code: [...things.code],
      urls: [...things.urls],
      emails: [...things.emails],
      // A command has the paths in it.
      paths: context.wish?.command !== undefined && takesCommand(root) ? [] : [...things.paths],
      dates: [...things.dates],
      numbers: [...things.numbers],
      names: [...things.names],
    };
    this.#words = new Set(wordsOf(things.text).map(stem));
  }

  call(): Filled {
    return { input: this.#object(this.root, '', 0), guessed: this.#guessed };
  }

  #object(schema: JsonObject, path: string, depth: number): JsonObject {
    const object: JsonObject = {};
    const properties = new Map(propertiesOf(schema));
    const required = new Set(requiredOf(schema));
    for (const key of new Set([...properties.keys(), ...required])) {
      const isRequired = required.has(key);
      const value = this.#member(key, properties.get(key), isRequired, path + key, depth);
      if (value !== undefined) setMember(object, key, value);
    }
    return object;
  }

  #member(
    key: string,
    property: unknown,
    isRequired: boolean,
    path: string,
    depth: number,
  ): JsonValue | undefined {
    const schema = settle(property, this.root);
    const { again } = this.context;
    if (again !== undefined && (!isRequired || again.includes(key)))
      return isRequired ? this.#guess(property, key, path) : undefined;
    const value = this.#value(key, schema, isRequired, path, depth);
    return value === undefined && isRequired ? this.#guess(property, key, path) : value;
  }

  #guess(property: unknown, key: string, path: string): JsonValue {
    this.#guessed.push(path);
    return defaultValue(property, this.root, key);
  }

  #value(
    key: string,
    schema: JsonObject,
    isRequired: boolean,
    path: string,
    depth: number,
  ): JsonValue | undefined {
    if (Object.hasOwn(schema, 'const')) return isRequired ? (schema.const as JsonValue) : undefined;
    if (Array.isArray(schema.enum)) return schema.enum.find((value) => this.#mentions(value));
    switch (typeOf(schema)) {
      case 'integer':
      case 'number':
        return this.#number(key, schema, isRequired);
      case 'boolean':
        return this.#flag(key);
      case 'array':
        return this.#list(key, schema, isRequired);
      case 'object':
        return isRequired && depth < MAX_DEPTH && requiredOf(schema).length > 0
          ? this.#object(schema, `${path}.`, depth + 1)
          : undefined;
      case 'null':
        return undefined;
      default:
        return this.#string(key, schema, isRequired);
    }
  }

  /** Whether the question has this word, or these words. */
  #mentions(value: unknown): boolean {
    const words = typeof value === 'string' ? wordsOf(value) : [];
    if (words.length > 0) return words.every((word) => this.#words.has(stem(word)));
    return typeof value === 'string' && value !== '' && this.#things.text.includes(value);
  }

  #number(key: string, schema: JsonObject, isRequired: boolean): number | undefined {
    const wanted = isRequired || wordsOf(key).some((word) => this.#words.has(stem(word)));
    const number = wanted ? this.#things.numbers.shift() : undefined;
    return number === undefined ? undefined : fitNumber(number, schema);
  }

  #flag(key: string): boolean | undefined {
    const words = wordsOf(key).filter((word) => word.length > 2);
    if (words.length === 0 || !words.every((word) => this.#words.has(stem(word)))) return undefined;
    return !['not', 'no', 'without', 'don'].some((word) => this.#words.has(word));
  }

  #list(key: string, schema: JsonObject, isRequired: boolean): JsonValue | undefined {
    const item = settle(schema.items, this.root);
    if (Array.isArray(schema.prefixItems)) return undefined;
    const values = this.#items(key, schema, item, isRequired);
    const { minItems, maxItems } = schema;
    if (values.length === 0 || (typeof minItems === 'number' && values.length < minItems)) return undefined;
    return typeof maxItems === 'number' ? values.slice(0, maxItems) : values;
  }

  #items(key: string, schema: JsonObject, item: JsonObject, isRequired: boolean): JsonValue[] {
    if (Array.isArray(item.enum)) return item.enum.filter((value) => this.#mentions(value));
    if (Object.hasOwn(item, 'const') || item.format !== undefined) return [];
    const type = typeOf(item);
    if (type === 'number' || type === 'integer') {
      return isRequired ? this.#things.numbers.splice(0).map((number) => fitNumber(number, item)) : [];
    }
    if (type !== 'string' && type !== undefined) return [];
    const kind = kindOf(key, schema);
    if (kind === 'command')
      return this.#command() === undefined ? [] : ['bash', '-lc', this.#command() ?? ''];
    const { quoted, names, paths, urls, emails } = this.#things;
    const lists: Partial<Record<ParameterKind, string[]>> = {
      path: paths,
      url: urls,
      email: emails,
      name: names,
    };
    const found = lists[kind] ?? (isRequired ? (quoted.length > 0 ? quoted : names) : quoted);
    return found.splice(0).map((value) => fitString(value, item));
  }

  // --- strings -----------------------------------------------------------------------------------------

  #string(key: string, schema: JsonObject, isRequired: boolean): string | undefined {
    const kind = this.#stringKind(key, schema);
    const value = this.#ofKind(kind, isRequired);
    if (value === undefined) return undefined;
    const isFolder = kind === 'path' && String(schema.description).toLowerCase().includes('absolute');
    return fitString(isFolder ? this.#absolute(value) : value, schema);
  }

  /** A format counts for more than a name. */
  #stringKind(key: string, schema: JsonObject): ParameterKind | 'exact' {
    const formats: Readonly<Record<string, ParameterKind>> = {
      email: 'email',
      uri: 'url',
      url: 'url',
      date: 'date',
    };
    const { format } = schema;
    if (typeof format !== 'string') return kindOf(key, schema);
    return Object.hasOwn(formats, format) ? (formats[format] as ParameterKind) : 'exact';
  }

  #ofKind(kind: ParameterKind | 'exact', isRequired: boolean): string | undefined {
    const { urls, emails, dates, quoted, names, expression, text } = this.#things;
    switch (kind) {
      case 'exact':
        return undefined;
      case 'url':
        return urls.shift();
      case 'email':
        return emails.shift();
      case 'date':
        return dates.shift();
      case 'command':
        return isRequired ? this.#command() : undefined;
      case 'path':
        return this.#path(isRequired);
      case 'pattern':
        return isRequired ? this.#pattern() : undefined;
      case 'expression':
        return expression ?? quoted.shift() ?? (isRequired ? text : undefined);
      case 'summary':
        return isRequired ? text.slice(0, 60) : undefined;
      case 'name':
        return names.shift() ?? quoted.shift();
      case 'text':
        return quoted.shift() ?? (isRequired ? (this.#things.topic ?? text) : undefined);
      default:
        return isRequired ? (quoted.shift() ?? names.shift()) : undefined;
    }
  }

  #command(): string | undefined {
    return this.context.wish?.command ?? this.#things.code[0];
  }

  #path(isRequired: boolean): string | undefined {
    const path = this.#things.paths.shift() ?? this.#things.code.shift() ?? this.#things.quoted.shift();
    if (path !== undefined || !isRequired) return path;
    return this.context.wish?.kind === 'list' ? '.' : undefined;
  }

  #pattern(): string | undefined {
    const { wish } = this.context;
    if (wish?.kind === 'list') return this.#things.paths.find((path) => path.includes('*')) ?? '*';
    return wish?.kind === 'search'
      ? soughtIn(this.#things)
      : (this.#things.quoted[0] ?? this.#things.paths[0]);
  }

  #absolute(path: string): string {
    const { folder } = this.context;
    if (folder === undefined || path.startsWith('/') || path.startsWith('~')) return path;
    return path === '.' ? folder : `${folder}/${path.startsWith('./') ? path.slice(2) : path}`;
  }
}
