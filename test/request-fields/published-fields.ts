// Requests that use one member each of an API's published request type, made from the types of the official client:
// a member that the vendor adds is tested with the client's next version.
//
//   type of the request ──> every path to a member ──> a pair of requests that differ in that member alone

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-6';

export interface PublishedType {
  /** The declaration file, below node_modules. */
  file: string;
  type: string;
  /** A whole request, to which the members are added. */
  base: Record<string, unknown>;
}

/** One member: requests that differ in it, and a path such as `messages[].content[image].source`. */
export interface Probe {
  path: string;
  /** The request without the member; or, where it is required, with another value of it. */
  without: unknown;
  /** Requests with the member, each with another of its values. */
  having: unknown[];
}

const modules = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules');

/** How deep members of members are looked for. */
const DEEPEST = 7;

export function probesOf({ file, type, base }: PublishedType): Probe[] {
  const path = join(modules, file);
  const options = { strict: true, skipLibCheck: true, module: ts.ModuleKind.NodeNext, types: [] };
  const program = ts.createProgram([path], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const symbol = source && checker.getSymbolAtLocation(source);
  const exported = symbol && checker.getExportsOfModule(symbol).find(({ name }) => name === type);
  if (!exported) throw new Error(`${file} exports no ${type}`);
  const walk = new Walk(checker);
  walk.members(checker.getDeclaredTypeOfSymbol(exported), '', base, (request) => request, []);
  return walk.probes;
}

/** Strings that stand for something in the base: the id of its call, the name of its tool. */
const KNOWN: Record<string, string> = {
  call_id: 'call_1',
  tool_call_id: 'call_1',
  tool_use_id: 'call_1',
};

/** Optional members without which a value is empty, by the member or the role that holds them. */
const NEEDED: Record<string, object> = {
  assistant: { content: 'Yes.' },
  json_schema: { schema: { type: 'object', properties: { city: { type: 'string' } } } },
};

type Fill = (value: unknown) => unknown;

class Walk {
  readonly probes: Probe[] = [];
  #count = 0;

  constructor(readonly checker: ts.TypeChecker) {}

  /** Adds probes for every member of an object. `put` gives the request in which a value stands at this path. */
  members(type: ts.Type, path: string, base: object, put: Fill, above: readonly ts.Type[]): void {
    for (const member of this.checker.getPropertiesOfType(type)) {
      const at = path === '' ? member.name : `${path}.${member.name}`;
      const own = this.checker.getTypeOfSymbol(member);
      const { [member.name]: given, ...rest } = base as Record<string, unknown>;
      // Messages and tools of the base stay: a result needs its call.
      const before = path === '' && Array.isArray(given) ? given : [];
      const fill: Fill = (value) =>
        put({ ...base, [member.name]: Array.isArray(value) ? [...before, ...value] : value });
      const optional = (member.flags & ts.SymbolFlags.Optional) !== 0;
      const without = before.length > 0 ? put(base) : optional ? put(rest) : undefined;
      this.#value(own, at, fill, without, [...above, type], member.name);
    }
  }

  #value(
    type: ts.Type,
    path: string,
    put: Fill,
    without: unknown,
    above: readonly ts.Type[],
    name = '',
  ): void {
    const plain: unknown[] = [];
    for (const one of this.#variants(type)) {
      if (this.#isObject(one)) this.#object(one, path, put, without, above);
      else plain.push(...this.#plainValues(one, name));
    }
    const [first, ...others] = plain;
    if (without !== undefined && plain.length > 0)
      this.probes.push({ path, without, having: plain.map(put) });
    else if (others.length > 0) this.probes.push({ path, without: put(first), having: others.map(put) });
  }

  #object(type: ts.Type, path: string, put: Fill, without: unknown, above: readonly ts.Type[]): void {
    if (above.includes(type) || above.length > DEEPEST) return;
    const element = this.#elementOf(type);
    if (element) {
      this.#value(element, `${path}[]`, (value) => put([value]), without, [...above, type]);
      return;
    }
    const label = this.#labelOf(type);
    const at = label === '' ? path : `${path}(${label})`;
    const base = {
      ...NEEDED[label],
      ...NEEDED[path.slice(path.lastIndexOf('.') + 1)],
      ...this.#leastObject(type),
    };
    // An empty object says nothing.
    const isFull = Object.keys(base).length > 0;
    if (without !== undefined && isFull) this.probes.push({ path: at, without, having: [put(base)] });
    this.members(type, at, base, put, above);
  }

  /** The smallest value of a type: required members only. A type with members of any name gets one. */
  #least(type: ts.Type, above: readonly ts.Type[], name = ''): unknown {
    const [first] = this.#variants(type).filter((one) => !above.includes(one));
    if (!first) return {};
    if (!this.#isObject(first)) return this.#plainValues(first, name)[0];
    const element = this.#elementOf(first);
    if (element) return [this.#least(element, [...above, first])];
    const all = this.checker.getPropertiesOfType(first);
    if (all.length === 0) return { probe: `probe-${this.#count++}` };
    const required = all.filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0);
    return Object.fromEntries(
      required.map((member) => [
        member.name,
        this.#least(this.checker.getTypeOfSymbol(member), [...above, first], member.name),
      ]),
    );
  }

  #leastObject(type: ts.Type): object {
    return this.#least(type, []) as object;
  }

  /** The types of a union, without null and undefined. */
  #variants(type: ts.Type): ts.Type[] {
    const all = type.isUnion() ? type.types : [type];
    const empty = ts.TypeFlags.Undefined | ts.TypeFlags.Null;
    return all.filter(({ flags }) => (flags & empty) === 0);
  }

  #isObject({ flags }: ts.Type): boolean {
    return (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  }

  #elementOf(type: ts.Type): ts.Type | undefined {
    return this.checker.isArrayType(type)
      ? this.checker.getTypeArguments(type as ts.TypeReference)[0]
      : undefined;
  }

  /** Values of a type without members: two strings that occur nowhere else, or each of its literals. */
  #plainValues(type: ts.Type, name: string): unknown[] {
    const known = KNOWN[name];
    if (known !== undefined && type.flags & ts.TypeFlags.String) return [known, `${known}-b`];
    if (type.isStringLiteral() || type.isNumberLiteral()) return [type.value];
    if (type.flags & ts.TypeFlags.BooleanLiteral) return [this.checker.typeToString(type) === 'true'];
    if (type.flags & ts.TypeFlags.Boolean) return [true, false];
    if (type.flags & ts.TypeFlags.Number) return [1, 2];
    this.#count++;
    return [`probe-${this.#count}-a`, `probe-${this.#count}-b`];
  }

  /** Names one of several objects by its `type` or its `role`. */
  #labelOf(type: ts.Type): string {
    for (const key of ['type', 'role']) {
      const member = type.getProperty(key);
      const [value] = member ? this.#variants(this.checker.getTypeOfSymbol(member)) : [];
      if (value?.isStringLiteral()) return value.value;
    }
    return '';
  }
}
