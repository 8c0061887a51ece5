// Reads the members of a JSON object that a client or an upstream sent, one by one; each is checked, and errors give
// its path. Members that were not taken are the rest, which goes into `extra`. `null` is what APIs write for absent; it
// is never taken, so it stays in the rest and is written again.

import { ApiError, type Extra, UsageError } from '../model/index.js';
import { type Fields, fieldsOf, memberPath, setMember, toOpaque, unexpectedText } from './values.js';

export interface NumberRange {
  min?: number;
  max?: number;
  whole?: boolean;
}

export class Members {
  readonly #taken = new Set<string>();

  private constructor(
    readonly fields: Fields,
    readonly path: string,
  ) {}

  /** Throws if `value` is no object. `expected` is the text for the error: 'a message: {role, content}'. */
  static of(value: unknown, path: string, expected: string): Members {
    const fields = fieldsOf(value);
    if (fields === undefined) throw wrong(path, expected, value);
    return new Members(fields, path);
  }

  at(key: string): string {
    return memberPath(this.path, key);
  }

  has(key: string): boolean {
    return this.fields.has(key);
  }

  /** Gives the member without taking it. */
  peek(key: string): unknown {
    return this.fields.get(key);
  }

  /** Takes the member; undefined if it is absent or null. */
  take(key: string): unknown {
    const value = this.fields.get(key);
    if (value === undefined || value === null) return undefined;
    this.#taken.add(key);
    return value;
  }

  string(key: string, expected = 'a string'): string | undefined {
    return this.#checked(key, expected, (value) => typeof value === 'string');
  }

  requiredString(key: string, expected = 'a string'): string {
    const value = this.string(key, expected);
    if (value === undefined) throw wrong(this.at(key), expected, this.fields.get(key));
    return value;
  }

  boolean(key: string): boolean | undefined {
    return this.#checked(key, 'true or false', (value) => typeof value === 'boolean');
  }

  number(key: string, range: NumberRange = {}): number | undefined {
    const { min = -Infinity, max = Infinity, whole } = range;
    return this.#checked(
      key,
      describeRange(range),
      (value): value is number =>
        (whole ? Number.isInteger(value) : Number.isFinite(value)) &&
        (value as number) >= min &&
        (value as number) <= max,
    );
  }

  list(key: string, expected = 'a list'): unknown[] | undefined {
    return this.#checked(key, expected, (value): value is unknown[] => Array.isArray(value));
  }

  strings(key: string, expected = 'a list of strings'): string[] | undefined {
    const list = this.list(key, expected);
    for (const [at, item] of (list ?? []).entries()) {
      if (typeof item !== 'string') throw wrong(`${this.at(key)}[${at}]`, 'a string', item);
    }
    return list as string[] | undefined;
  }

  /** Takes a member that is one of these words. */
  word<W extends string>(key: string, words: readonly W[]): W | undefined {
    const expected = `one of ${words.map((word) => `'${word}'`).join(', ')}`;
    return this.#checked(key, expected, (value): value is W => words.includes(value as W));
  }

  #checked<T>(key: string, expected: string, fits: (value: unknown) => value is T): T | undefined {
    const value = this.take(key);
    if (value === undefined || fits(value)) return value;
    throw wrong(this.at(key), expected, value);
  }

  /** Copies the members that were not taken; undefined if there are none. */
  rest(): Extra | undefined {
    const rest: Extra = {};
    for (const [key, value] of this.fields) {
      if (!this.#taken.has(key)) setMember(rest, key, toOpaque(value, this.at(key)));
    }
    return Object.keys(rest).length > 0 ? rest : undefined;
  }
}

/** Reads the name of the model. */
export function modelName(body: Members): string {
  const model = body.requiredString('model', 'the name of a model');
  if (model === '') throw wrong('model', 'the name of a model', model);
  return model;
}

export function messageList(body: Members): unknown[] {
  const list = body.list('messages', 'a list of messages');
  if (list !== undefined && list.length > 0) return list;
  const expected = 'a list of at least one message';
  if (list) throw badRequest('messages', `expected ${expected}, found an empty list`);
  throw wrong('messages', expected, body.peek('messages'));
}

/** Makes the client's error 'expected …, found …'. */
export function wrong(path: string, expected: string, found: unknown): ApiError {
  return badRequest(path, unexpectedText(expected, found));
}

export function badRequest(path: string, message: string): ApiError {
  return new ApiError('bad-request', path === '' ? message : `${path}: ${message}`, { path });
}

function describeRange({ min, max, whole }: NumberRange): string {
  const kind = whole ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  return max === undefined ? kind : `${kind} of at most ${max}`;
}

/** Gives what `read` returns; rethrows its UsageError as `bad-request`, with the path of the field. */
export function clientFault<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, path } = error;
    throw new ApiError('bad-request', message, { cause: error, ...(path !== undefined && { path }) });
  }
}
