// Reads values that are elements in elements: objects and lists without JSON.
//
//   <items> <item> <sku> A-1 </sku> </item> </items>
//   ^ structure    ^ leaf: a value as any other (tagged-value.ts)
//   [       {      "sku": "A-1"     }       ]
//
// Where the schema allows both, the name of the first element inside decides between list and object.

import { NO, NOT_YET, nextOf, restore } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { acceptedTypes, itemSchema, type OptionalSchema, propertySchema } from '../../schema/schema.js';
import { spaceEnd } from '../../text/characters.js';
import { beginsTag, passLayout, type Tag, type TaggedSpelling } from './tagged-spelling.js';
import type { TaggedValue } from './tagged-value.js';

/** How much white space may come before the first element of a structure. */
const SPACE_LIMIT = 256;

interface Structure {
  key: string;
  list: boolean;
  schema: OptionalSchema;
  keys: Set<string>;
  members: number;
}

type Found = Tag | typeof NO | typeof NOT_YET;

export class NestedValue {
  readonly #spelling: TaggedSpelling;
  readonly #firsts: string;
  readonly #item: string;
  readonly #leaf: TaggedValue;
  readonly #back: () => Mode;
  #open: Structure[] = [];
  /** The element whose content begins. */
  #tag: Tag = { kind: 'value-open', length: 0 };
  #schema: OptionalSchema;

  constructor(spelling: TaggedSpelling, leaf: TaggedValue, back: () => Mode) {
    this.#spelling = spelling;
    this.#firsts = spelling.firsts ?? '<';
    this.#item = spelling.nested ?? '';
    this.#leaf = leaf;
    this.#back = back;
  }

  /** Starts after the opening tag of an argument, whose key has been written. */
  start(reader: Reader, tag: Tag): Mode {
    const root = reader.call?.tool?.parameters;
    this.#open = [];
    this.#tag = tag;
    this.#schema = propertySchema(root, tag.name ?? '', root);
    return this.#look;
  }

  /** Gives the mode after a leaf: the structure around it, or the call. */
  get after(): Mode {
    return this.#open.length > 0 ? this.#between : this.#back();
  }

  #found(reader: Reader, at: number): Found {
    if (at >= reader.text.length) return NOT_YET;
    return beginsTag(this.#firsts, reader.text, at) ? this.#spelling.tag(reader.text, at, false) : NO;
  }

  /** <items> | <item> or text  */
  readonly #look: Mode = (reader) => {
    const { text, ended } = reader;
    const at = spaceEnd(text, reader.at, reader.at + SPACE_LIMIT);
    const tag = this.#found(reader, at);
    if (tag === NOT_YET) return ended ? this.#readLeaf(reader) : undefined;
    if (tag === NO) return this.#readLeaf(reader);
    const types = acceptedTypes(this.#schema, reader.call?.tool?.parameters);
    const maybe = !types || types.has('object') || types.has('array');
    if (tag.kind === 'value-open' && maybe) return this.#enter(reader, at - reader.at, tag);
    if (tag.kind !== 'value-close' || tag.prefix !== this.#tag.prefix) return this.#readLeaf(reader);
    return types && maybe && !types.has('string')
      ? this.#empty(reader, at - reader.at + tag.length, types.has('object'))
      : this.#readLeaf(reader);
  };

  #readLeaf(reader: Reader): Mode {
    this.#leaf.begin(reader, this.#tag.name ?? '', this.#schema ?? true);
    return this.#leaf.start(reader, this.#tag);
  }

  #empty(reader: Reader, length: number, isObject: boolean): Mode {
    reader.argument(isObject ? '{}' : '[]', 0);
    reader.markup(length);
    return this.after;
  }

  #enter(reader: Reader, space: number, first: Tag): Mode {
    const types = acceptedTypes(this.#schema, reader.call?.tool?.parameters);
    const both = !types || types.has('object') === types.has('array');
    const list = both ? first.name === this.#item : types.has('array');
    const key = this.#tag.prefix ?? '';
    this.#open.push({ key, list, schema: this.#schema, keys: new Set(), members: 0 });
    if (this.#open.length > reader.limits.depth) reader.exceed('too-deep');
    reader.argument(list ? '[' : '{', 0);
    reader.markup(space);
    return this.#between;
  }

  /** <items> <item>…</item> | <item> or </items>  */
  readonly #between: Mode = (reader) => {
    if (!passLayout(reader)) return undefined;
    const tag = this.#found(reader, reader.at);
    if (tag === NOT_YET) return undefined;
    if (tag === NO) return this.#junk(reader);
    switch (tag.kind) {
      case 'value-open':
        return this.#member(reader, tag);
      case 'value-close':
        return this.#close(reader, tag);
      case 'token':
      case 'frame':
        reader.markup(tag.length, tag.repair);
        return this.#between;
      default:
        reader.repair('missing-closer');
        while (this.#open.length > 0) this.#end(reader);
        return this.#back();
    }
  };

  #member(reader: Reader, tag: Tag): Mode {
    const structure = this.#open.at(-1) as Structure;
    const { name: written = '', nameAt = 0 } = tag;
    const name = restore(written, this.#spelling.markers);
    const root = reader.call?.tool?.parameters;
    const comma = structure.members++ > 0 ? ',' : '';
    reader.markup(nameAt);
    if (structure.list) {
      if (name !== this.#item) reader.repair('other-spelling');
      reader.argument(comma, written.length);
    } else {
      if (structure.keys.has(name)) reader.duplicateKey(name);
      structure.keys.add(name);
      reader.argument(`${comma}${JSON.stringify(name)}:`, written.length);
    }
    reader.markup(tag.length - nameAt - written.length, tag.repair);
    this.#tag = tag;
    this.#schema = structure.list
      ? itemSchema(structure.schema, root)
      : propertySchema(structure.schema, name, root);
    return this.#look;
  }

  /** Closes the innermost structure, or the one that the closer names. */
  #close(reader: Reader, tag: Tag): Mode {
    const known = this.#open.findLastIndex(({ key }) => key === tag.prefix);
    const until = known < 0 ? this.#open.length - 1 : known;
    if (until !== this.#open.length - 1) reader.repair('missing-closer');
    while (this.#open.length > until) this.#end(reader);
    reader.markup(tag.length, known < 0 ? 'other-closer' : tag.repair);
    return this.after;
  }

  #end(reader: Reader): void {
    reader.argument(this.#open.pop()?.list ? ']' : '}', 0);
  }

  #junk(reader: Reader): Mode {
    const { text, at } = reader;
    reader.markup(nextOf(text, this.#firsts, at + 1) - at, 'text-in-block');
    return this.#between;
  }
}
