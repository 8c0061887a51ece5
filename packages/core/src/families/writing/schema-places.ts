// Walks through a JSON Schema to print it in another language. It follows `$ref`, and replaces an `allOf` of one schema
// by that schema. Schemas come from outside: references may be circular, and a few lines of them can expand to more
// text than memory holds. So a walk opens each reference once on its way down, and a limited number in total; the
// printer prints the names of those it does not open.

import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../model/index.js';
import { isSchema, type OptionalSchema, resolveRef } from '../../schema/schema.js';

const MAX_DEPTH = 32;
/** The limit on opened references: each may print its target once more. */
const MAX_OPENED = 200;

/** Keywords that describe a schema. Beside a `$ref` they win over those of its target. */
const ANNOTATIONS = new Set(['description', 'title', 'default', 'examples', 'deprecated']);

/** A schema on the way down from the root, and the references that led to it. */
export interface Place {
  readonly schema: JsonSchema;
  readonly depth: number;
  readonly trail: readonly string[];
}

export class SchemaWalk {
  #opened = 0;
  constructor(readonly root: JsonSchema) {}

  start(): Place {
    return { schema: this.root, depth: 0, trail: [] };
  }

  /** Gives the target of a reference, as if it had been followed from the root. */
  at(ref: string): Place | undefined {
    const schema = resolveRef(ref, this.root);
    return schema === undefined ? undefined : { schema, depth: 0, trail: [ref] };
  }

  /** Resolves references at a place. Undefined where one is circular, nested too deeply, external or unresolvable. */
  open(place: Place): Place | undefined {
    let { schema, trail } = place;
    if (place.depth > MAX_DEPTH) return undefined;
    for (let detour = detourOf(schema); detour !== undefined; detour = detourOf(schema)) {
      const { ref, beside } = detour;
      const target = ref === undefined ? detour.only : this.#follow(ref, trail);
      if (target === undefined) return undefined;
      const merged = merge(target, beside);
      if (merged === undefined) return { ...place, schema: apart(schema, detour), trail };
      schema = merged;
      trail = ref === undefined ? trail : [...trail, ref];
    }
    return { schema, depth: place.depth, trail };
  }

  #follow(ref: string, trail: readonly string[]): OptionalSchema {
    if (trail.includes(ref) || trail.length > MAX_DEPTH || ++this.#opened > MAX_OPENED) return undefined;
    return resolveRef(ref, this.root);
  }
}

/** Gives the place of a schema one level further in. */
export function inside(place: Place, schema: JsonSchema): Place {
  return { schema, depth: place.depth + 1, trail: place.trail };
}

interface Detour {
  ref?: string;
  only?: JsonSchema;
  beside: JsonObject;
}

function detourOf(schema: JsonSchema): Detour | undefined {
  if (!isObject(schema)) return undefined;
  const { $ref, allOf, ...rest } = schema as JsonObject;
  if (typeof $ref === 'string') return { ref: $ref, beside: allOf === undefined ? rest : { ...rest, allOf } };
  const only = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  return isSchema(only) ? { only, beside: rest } : undefined;
}

/** Combines schemas that cannot be merged, by `allOf`. */
function apart(schema: JsonSchema, { ref, beside }: Detour): JsonSchema {
  if (ref === undefined) return schema;
  return { ...beside, allOf: [...(Array.isArray(beside.allOf) ? beside.allOf : []), { $ref: ref }] };
}

/** Merges both schemas; undefined where both set a keyword to different values. */
function merge(target: JsonSchema, beside: JsonObject): OptionalSchema {
  if (!isObject(target)) return Object.keys(beside).length === 0 ? target : undefined;
  for (const key of Object.keys(beside)) {
    const said = Object.hasOwn(target, key) && !ANNOTATIONS.has(key);
    if (said && target[key] !== beside[key]) return undefined;
  }
  return { ...(target as JsonObject), ...beside };
}

/**
 * Lists the properties of a schema and whether each is required. Also reads `required: true` on a property, as early
 * drafts had it.
 */
export function propertiesOf(schema: JsonObject): { key: string; schema: JsonSchema; required: boolean }[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [];
  const demanded = new Set<JsonValue>(Array.isArray(required) ? required : []);
  return Object.entries(properties)
    .filter((entry): entry is [string, JsonSchema] => isSchema(entry[1]))
    .map(([key, schema]) => ({ key, schema, required: demanded.has(key) || isDemanding(schema) }));
}

function isDemanding(schema: JsonSchema): boolean {
  return isObject(schema) && schema.required === true;
}

/** Gives the description of a schema, or its title. A title that only repeats the name does not count. */
export function descriptionOf(schema: JsonSchema, name = ''): string {
  if (!isObject(schema)) return '';
  const { description, title } = schema;
  if (typeof description === 'string') return description;
  return typeof title === 'string' && letters(title) !== letters(name) ? title : '';
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[ _-]/g, '');
}
