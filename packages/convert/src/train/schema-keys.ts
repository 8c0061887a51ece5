// What a JSON Schema says of the keys of an object and the items of a list, with all its branches joined: a key that
// any of them has is known. Local `$ref` are followed.

import type { ExactValue, JsonSchema } from '@dragoman/core/internal';
import { exactEntries, resolveRef } from '@dragoman/core/internal';
import { isRow, keysOf, memberOf } from '../forms/members.js';

type SchemaObject = Parameters<typeof keysOf>[0];

export class SchemaKeys {
  /** The schemas of each known key. Undefined: no branch names keys. */
  properties: Map<string, ExactValue[]> | undefined;
  /** Keys that are not known may be meant, too. */
  hasMore = false;
  /** A branch takes any value, or is not known. */
  takesAny = false;

  readonly #lists: { first: readonly ExactValue[]; rest: ExactValue | undefined }[] = [];
  /** Each schema is read once: branches may refer to each other, or back to themselves. */
  readonly #read = new Set<SchemaObject>();

  /** The value matches any of the schemas. `$ref` are looked up in the root. */
  constructor(
    schemas: readonly (ExactValue | undefined)[],
    readonly root: ExactValue | undefined,
  ) {
    this.#addBranches(schemas);
  }

  get namesItems(): boolean {
    return this.#lists.length > 0;
  }

  /** Gives the schemas of the item at this index. */
  itemSchemas(index: number): (ExactValue | undefined)[] {
    return this.#lists.map(({ first, rest }) => first[index] ?? rest);
  }

  #addBranches(schemas: readonly (ExactValue | undefined)[]): void {
    for (const schema of schemas) if (!this.#add(schema)) this.takesAny = true;
  }

  /** Gives false for a schema that takes any object or list. */
  #add(schema: ExactValue | undefined): boolean {
    if (!isRow(schema)) return schema === false;
    if (this.#read.has(schema)) return true;
    this.#read.add(schema);
    const parts = [...listIn(schema, 'allOf'), ...this.#target(schema)];
    const limits = [this.#addKeys(schema), this.#addItems(schema), ...parts.map((part) => this.#add(part))];
    for (const part of conditional(schema)) this.#add(part);
    const branches = [...listIn(schema, 'anyOf'), ...listIn(schema, 'oneOf')];
    if (limits.includes(true)) for (const branch of branches) this.#add(branch);
    else this.#addBranches(branches);
    return limits.includes(true) || branches.length > 0 || isOtherType(schema);
  }

  #target(schema: SchemaObject): ExactValue[] {
    const ref = memberOf(schema, '$ref') ?? memberOf(schema, '$dynamicRef');
    if (ref === undefined) return [];
    const target = resolveRef(ref, this.root as JsonSchema | undefined) as ExactValue | undefined;
    if (target === undefined) this.takesAny = true;
    return target === undefined ? [] : [target];
  }

  #addKeys(schema: SchemaObject): boolean {
    const properties = memberOf(schema, 'properties');
    const more = ['additionalProperties', 'unevaluatedProperties'].map((key) => memberOf(schema, key));
    if (more.some((one) => one === true || isRow(one)) || memberOf(schema, 'patternProperties') !== undefined)
      this.hasMore = true;
    const names = isRow(properties) || more.includes(false);
    if (!names) return false;
    this.properties ??= new Map();
    for (const [key, own] of isRow(properties) ? exactEntries(properties) : []) {
      const known = this.properties.get(key);
      if (known) known.push(own);
      else this.properties.set(key, [own]);
    }
    return true;
  }

  #addItems(schema: SchemaObject): boolean {
    const items = memberOf(schema, 'items');
    const isTuple = Array.isArray(items);
    const first = isTuple ? items : listIn(schema, 'prefixItems');
    const rest = isTuple ? memberOf(schema, 'additionalItems') : items;
    if (first.length === 0 && rest === undefined) return false;
    this.#lists.push({ first, rest });
    return true;
  }
}

function listIn(schema: SchemaObject, key: string): readonly ExactValue[] {
  const list = memberOf(schema, key);
  return Array.isArray(list) ? list : [];
}

/** Gives the schemas that add keys under a condition. */
function conditional(schema: SchemaObject): (ExactValue | undefined)[] {
  const dependent = ['dependentSchemas', 'dependencies'].flatMap((key) => {
    const map = memberOf(schema, key);
    return isRow(map) ? exactEntries(map).map(([, one]) => one) : [];
  });
  return [...['if', 'then', 'else'].map((key) => memberOf(schema, key)), ...dependent];
}

/** Whether the schema takes neither objects nor lists, or only values that it lists. */
function isOtherType(schema: SchemaObject): boolean {
  if (keysOf(schema).some((key) => key === 'const' || key === 'enum')) return true;
  const type = memberOf(schema, 'type');
  if (type === undefined) return false;
  return ![type].flat().some((one) => one === 'object' || one === 'array');
}
