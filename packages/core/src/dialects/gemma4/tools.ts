// Writes tool definitions and values as Gemma 4's chat template does: keys sorted, strings between <|"|>.
//
//   declaration:get_weather{description:<|"|>The weather<|"|>,parameters:{properties:{location:{type:<|"|>STRING<|"|>}},
//   required:[<|"|>location<|"|>],type:<|"|>OBJECT<|"|>}}
//
// (All in one line.) The first templates skip parameters called `type`, `description` or the like; here they are declared
// like all others, as in the later ones.

import type { Writer } from '../../engine/dialect.js';
import { toPythonText } from '../../families/writing/python-text.js';
import { sortedMembers } from '../../families/writing/sorted-json.js';
import { isRecord, memberOf, membersOf, toolFunction } from '../../families/writing/tool-text.js';
import { type ExactValue, stringifyJson, type Tool } from '../../model/index.js';

const QUOTE = '<|"|>';

/** Keywords of a schema itself, which are no members where the schema has no `properties`. */
const STANDARD = new Set(['description', 'type', 'properties', 'required', 'nullable']);

/** How null is written: the first templates print it as Python does. */
export type NullWord = 'null' | 'None';

export function writeDeclaration(out: Writer, tool: Tool, field: string, nothing: NullWord): void {
  const definition = toolFunction(tool);
  const said = new Declaration(out, field, nothing);
  out.ours('declaration:').outside(tool.name, field).ours('{description:');
  said.text(memberOf(definition, 'description') ?? '');
  const parameters = memberOf(definition, 'parameters');
  if (membersOf(parameters).length > 0) said.parameters(parameters as ExactValue);
  out.ours('}');
}

/** Writes a value. `quoteKeys`: the keys of objects are quoted, too. */
function writeGemmaValue(
  out: Writer,
  value: ExactValue,
  field: string,
  nothing: NullWord,
  quoteKeys: boolean,
): void {
  if (typeof value === 'string') out.ours(QUOTE).outside(value, field).ours(QUOTE);
  else if (Array.isArray(value)) {
    out.ours('[');
    for (const [at, item] of value.entries())
      writeGemmaValue(at > 0 ? out.ours(',') : out, item, field, nothing, quoteKeys);
    out.ours(']');
  } else if (isRecord(value)) writeGemmaMembers(out, membersOf(value), field, nothing, quoteKeys);
  else out.ours(value === null ? nothing : stringifyJson(value, 'python'));
}

export function writeGemmaMembers(
  out: Writer,
  members: readonly [key: string, value: ExactValue][],
  field: string,
  nothing: NullWord,
  quoteKeys = false,
): void {
  out.ours('{');
  for (const [at, [key, value]] of sortedMembers(members).entries()) {
    if (at > 0) out.ours(',');
    if (quoteKeys || !isBare(out, key)) out.ours(QUOTE).outside(key, field).ours(QUOTE);
    else out.outside(key, field);
    writeGemmaValue(out.ours(':'), value, field, nothing, quoteKeys);
  }
  out.ours('}');
}

/** Whether a key is written without quotes: a name, or any key if the vendor's exact text is wanted. */
function isBare({ safety }: Writer, key: string): boolean {
  return safety === 'exact' || /^[A-Za-z_][A-Za-z0-9_]*$/.test(key);
}

class Declaration {
  constructor(
    readonly out: Writer,
    readonly field: string,
    readonly nothing: NullWord,
  ) {}

  text(value: ExactValue): void {
    this.out.ours(QUOTE).outside(toPythonText(value), this.field).ours(QUOTE);
  }

  parameters(schema: ExactValue): void {
    const { out } = this;
    out.ours(',parameters:{');
    const properties = membersOf(memberOf(schema, 'properties'));
    if (properties.length > 0) {
      this.#properties(properties);
      out.ours(',');
    }
    if (listOf(schema, 'required').length > 0) {
      this.#required(schema);
      out.ours(',');
    }
    const type = memberOf(schema, 'type');
    if (type !== undefined) this.#type(type);
    out.ours('}');
  }

  #properties(members: readonly [string, ExactValue][]): void {
    this.out.ours('properties:{');
    for (const [at, [key, schema]] of sortedMembers(members).entries()) {
      if (at > 0) this.out.ours(',');
      this.out.outside(key, this.field).ours(':');
      this.#schema(schema);
    }
    this.out.ours('}');
  }

  /** {description, enum or items, nullable, properties, required, type} */
  #schema(schema: ExactValue): void {
    const type = memberOf(schema, 'type');
    const kind = upper(type ?? '');
    const said: (() => void)[] = [];
    const description = memberOf(schema, 'description');
    const items = memberOf(schema, 'items');
    if (description) said.push(() => this.#member('description', description));
    if (kind === 'STRING' && listOf(schema, 'enum').length > 0)
      said.push(() => this.#value('enum', listOf(schema, 'enum')));
    if (kind === 'ARRAY' && membersOf(items).length > 0) said.push(() => this.#items(items as ExactValue));
    if (memberOf(schema, 'nullable')) said.push(() => this.out.ours('nullable:true'));
    if (kind === 'OBJECT') {
      said.push(() => this.#properties(propertiesOf(schema)));
      if (listOf(schema, 'required').length > 0) said.push(() => this.#required(schema));
    }
    said.push(() => this.#type(type ?? ''));
    this.#all(said);
  }

  #items(items: ExactValue): void {
    const members = sortedMembers(membersOf(items)).filter(([, value]) => value !== null);
    this.out.ours('items:');
    this.#all(
      members.map(([key, value]) => () => {
        if (key === 'properties') this.#properties(membersOf(value));
        else if (key === 'required') this.#required(items);
        else if (key === 'type' && Array.isArray(value)) this.#value('type', value.map(upper));
        else if (key === 'type') this.#type(value);
        else this.#value(key, value);
      }),
    );
  }

  #all(writers: readonly (() => void)[]): void {
    this.out.ours('{');
    for (const [at, write] of writers.entries()) {
      if (at > 0) this.out.ours(',');
      write();
    }
    this.out.ours('}');
  }

  #member(key: string, value: ExactValue): void {
    this.out.ours(`${key}:`);
    this.text(value);
  }

  #value(key: string, value: ExactValue): void {
    this.out.outside(key, this.field).ours(':');
    writeGemmaValue(this.out, value, this.field, this.nothing, true);
  }

  #required(schema: ExactValue): void {
    this.#value('required', listOf(schema, 'required').map(toPythonText));
  }

  #type(type: ExactValue): void {
    this.#member('type', upper(type));
  }
}

/** Gives the properties of a schema. Without `properties`, its own other members are taken for them. */
function propertiesOf(schema: ExactValue): [string, ExactValue][] {
  const properties = memberOf(schema, 'properties');
  if (isRecord(properties)) return membersOf(properties);
  return membersOf(schema).filter(([key]) => !STANDARD.has(key));
}

function listOf(schema: ExactValue, key: string): ExactValue[] {
  const list = memberOf(schema, key);
  return Array.isArray(list) ? list : [];
}

const upper = (value: ExactValue) => toPythonText(value).toUpperCase();
