// Reads the schema of a Parquet file: how its values become JSON text, and a simple schema for hyparquet.
//
// hyparquet would turn decimals into doubles, drop byte order marks, and build objects whose keys are names from the
// file. So it only gets the physical types, under names of ours, and the logical types are read here.

import type { FileMetaData, SchemaElement, SchemaTree } from 'hyparquet';
import { readJsonPaths } from './columns.js';
import { leafOf, type ToText } from './leaf-text.js';
import { isOpen } from './open-objects.js';

/** What happens to null members. */
export type Nulls = 'drop' | 'keep';

/** Null members that were left out of arguments and schemas so far. */
export interface LeftOut {
  nulls: number;
}

export interface Column {
  /** Its name for hyparquet. */
  name: string;
  /** The real name and a colon, as JSON. */
  label: string;
  text: ToText;
}

export interface Shape {
  columns: readonly Column[];
  leftOut: LeftOut;
  /** The same metadata without names and logical types. */
  plain: FileMetaData;
}

export function shapeOf(metadata: FileMetaData, tree: SchemaTree, nulls: Nulls): Shape {
  const reading = new SchemaReading(readJsonPaths(metadata.key_value_metadata), nulls);
  const columns = tree.children.map((child) => reading.column(child));
  const row_groups = metadata.row_groups.map((group) => ({
    ...group,
    columns: group.columns.map((chunk) => {
      if (!chunk.meta_data) throw new Error('a column is encrypted, or has no description');
      const path_in_schema = reading.renamed(tree, chunk.meta_data.path_in_schema);
      const { statistics: _, ...meta_data } = chunk.meta_data;
      return { ...chunk, meta_data: { ...meta_data, path_in_schema } };
    }),
  }));
  const { key_value_metadata: _, ...rest } = metadata;
  const { leftOut } = reading;
  return { columns, leftOut, plain: { ...rest, row_groups, schema: reading.plainSchema(tree) } };
}

class SchemaReading {
  readonly leftOut: LeftOut = { nulls: 0 };
  /** The schema element that hyparquet gets for a node. */
  readonly #plain = new Map<SchemaTree, SchemaElement>();

  constructor(
    private readonly jsonPaths: ReadonlySet<string>,
    private readonly nulls: Nulls,
  ) {}

  column(node: SchemaTree): Column {
    const text = this.read(node);
    return { name: this.nameOf(node), label: `${JSON.stringify(node.element.name)}:`, text };
  }

  /** Lists the schema depth first, as in the file. */
  plainSchema(node: SchemaTree): SchemaElement[] {
    return [this.plainOf(node), ...node.children.flatMap((child) => this.plainSchema(child))];
  }

  /** Gives the path of a column chunk in the names that hyparquet gets. */
  renamed(root: SchemaTree, path: readonly string[]): string[] {
    let node = root;
    return path.map((name) => {
      const child = node.children.find(({ element }) => element.name === name);
      if (!child) throw new Error(`the schema has no column ${path.join('.')}`);
      node = child;
      return this.nameOf(child);
    });
  }

  private nameOf(node: SchemaTree): string {
    return this.plainOf(node).name;
  }

  private plainOf(node: SchemaTree): SchemaElement {
    const known = this.#plain.get(node);
    if (known) return known;
    const { type, type_length, repetition_type, num_children } = node.element;
    const plain = {
      name: `c${this.#plain.size}`,
      ...(type && { type }),
      ...(type_length !== undefined && { type_length }),
      ...(repetition_type && { repetition_type }),
      ...(num_children !== undefined && { num_children }),
    };
    this.#plain.set(node, plain);
    return plain;
  }

  private read(node: SchemaTree): ToText {
    const one = this.readOne(node);
    return isRepeated(node) ? listText(one) : one;
  }

  private readOne(node: SchemaTree): ToText {
    const plain = this.plainOf(node);
    if (node.children.length === 0) return this.readLeaf(node, plain);
    const [only] = node.children;
    const meaning = node.element.logical_type?.type ?? node.element.converted_type;
    if (meaning === 'VARIANT')
      throw new Error(`column ${node.path.join('.')} is a VARIANT, which is not read`);
    if (only && node.children.length === 1 && isRepeated(only)) {
      if (meaning === 'LIST') return this.readList(node, only, plain);
      if (meaning?.startsWith('MAP')) return this.readMap(only);
    }
    return this.readStruct(node);
  }

  private readLeaf(node: SchemaTree, plain: SchemaElement): ToText {
    if (!node.element.type) throw new Error(`column ${node.path.join('.')} has no type`);
    const leaf = leafOf(node.element, this.jsonPaths.has(JSON.stringify(node.path)));
    if (leaf.converted) plain.converted_type = leaf.converted;
    return leaf.text;
  }

  /** Reads a list: its group, a repeated group, the element. In old files the repeated group is the element. */
  private readList(node: SchemaTree, repeated: SchemaTree, plain: SchemaElement): ToText {
    const [element] = repeated.children;
    const named = repeated.element.name;
    const isElement =
      repeated.children.length !== 1 || named === 'array' || named === `${node.element.name}_tuple`;
    if (element && !isElement && !isRepeated(element)) {
      plain.converted_type = 'LIST';
      return listText(this.read(element));
    }
    return memberText(this.nameOf(repeated), this.read(repeated));
  }

  /** Reads a map as an object. Its keys belong to each row, so its null values stay. */
  private readMap(entries: SchemaTree): ToText {
    const [key, value] = entries.children;
    if (!key || key.children.length > 0 || isRepeated(key)) {
      return memberText(this.nameOf(entries), this.read(entries));
    }
    const text = mapText(this.nameOf(key), this.read(key), value && [this.nameOf(value), this.read(value)]);
    return memberText(this.nameOf(entries), text);
  }

  private readStruct(node: SchemaTree): ToText {
    // A whole column is no call: `input` is a prompt in many data sets, `arguments` in those of lm-evaluation-harness.
    const isMerged = node.path.some((name, at) => at > 0 && isOpen(name));
    return structText(
      node.children.map((child) => this.column(child)),
      this.nulls,
      isMerged ? this.leftOut : undefined,
    );
  }
}

function isRepeated({ element }: SchemaTree): boolean {
  return element.repetition_type === 'REPEATED';
}

/** Gives the text of a value. hyparquet has null and undefined for an absent one. */
export function textOf(text: ToText, value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : text(value as never);
}

function listText(element: ToText): ToText {
  return (list: readonly unknown[]) => {
    let text = '[';
    for (let n = 0; n < list.length; n++) text += (n > 0 ? ',' : '') + (textOf(element, list[n]) ?? 'null');
    return `${text}]`;
  };
}

/** Reads the only, repeated field of a group. */
function memberText(name: string, text: ToText): ToText {
  return (group: Record<string, unknown>) => textOf(text, group[name] ?? []);
}

function mapText(key: string, keyText: ToText, value: [string, ToText] | undefined): ToText {
  return (entries: readonly Record<string, unknown>[]) => {
    const members = entries.map((entry) => {
      const name = textOf(keyText, entry[key]) ?? 'null';
      const member = value && textOf(value[1], entry[value[0]]);
      return `${name.startsWith('"') ? name : JSON.stringify(name)}:${member ?? 'null'}`;
    });
    return `{${members.join(',')}}`;
  };
}

export function structText(members: readonly Column[], nulls: Nulls, leftOut?: LeftOut): ToText {
  return (struct: Record<string, unknown>) => {
    let text = '';
    for (const { name, label, text: toText } of members) {
      const member = textOf(toText, struct[name]) ?? (nulls === 'keep' ? 'null' : undefined);
      if (member !== undefined) text += (text === '' ? '' : ',') + label + member;
      else if (leftOut) leftOut.nulls++;
    }
    return `{${text}}`;
  };
}
