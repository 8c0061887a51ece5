// Runs a template's syntax tree as jinja2 does, and charges each step to the work budget.
//
// Names belong to the scope that set them: the template, a loop's iteration, a macro's call. `if` opens no scope, so
// a `set` in it is visible after it; a `set` in a loop ends with the iteration (a namespace outlives it).

import { getAttribute, getItem, getSlice } from './access.js';
import { applyFilter } from './filters.js';
import { Changed, Loop } from './loop.js';
import { calculate, unary } from './operators.js';
import {
  type Arguments,
  asString,
  Callable,
  fault,
  isTrue,
  itemsOf,
  Namespace,
  Tuple,
  toText,
  typeName,
  Undefined,
  type Value,
} from './python.js';
import { runTest } from './tests.js';
import type { Call, Name, Node } from './tree.js';
import type { Work } from './work.js';

class Scope {
  readonly names = new Map<string, Value>();
  constructor(readonly outer?: Scope) {}

  find(name: string): Value | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.outer) {
      const value = scope.names.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

type Leave = 'break' | 'continue' | undefined;
type Of<T extends Node['type']> = Extract<Node, { type: T }>;

const CONSTANTS = new Map<string, Value>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
]);

export function runTemplate(body: Node[], names: ReadonlyMap<string, Value>, work: Work): string {
  const globals = new Scope();
  for (const [name, value] of names) globals.names.set(name, value);
  const out: string[] = [];
  new Run(work).block(body, new Scope(globals), out);
  return out.join('');
}

class Run {
  constructor(readonly work: Work) {}

  /** Runs statements and writes their output. Returns early at `break` or `continue`. */
  block(nodes: readonly Node[], scope: Scope, out: string[]): Leave {
    for (const node of nodes) {
      const leave = this.statement(node, scope, out);
      if (leave) return leave;
    }
    return undefined;
  }

  statement(node: Node, scope: Scope, out: string[]): Leave {
    switch (node.type) {
      case 'Comment':
        return undefined;
      case 'If':
        this.work.spend(1);
        return this.block(isTrue(this.value(node.test, scope)) ? node.body : node.alternate, scope, out);
      case 'For':
        return this.loop(node, scope, out);
      case 'Break':
        return 'break';
      case 'Continue':
        return 'continue';
      case 'Set':
        this.set(node, scope);
        return undefined;
      case 'Macro':
        scope.names.set(node.name.value, this.macro(node.name.value, node.args, node.body, scope));
        return undefined;
      case 'CallStatement':
        this.write(this.callBlock(node, scope), out);
        return undefined;
      case 'FilterStatement':
        this.write(this.filter(node.filter, this.text(node.body, scope), scope), out);
        return undefined;
      default:
        this.write(this.value(node, scope), out);
        return undefined;
    }
  }

  write(value: Value, out: string[]): void {
    const text = toText(value, this.work);
    this.work.text(text.length);
    out.push(text);
  }

  /** Gives the output of a body that runs in its own scope. */
  text(body: readonly Node[], outer: Scope): string {
    const out: string[] = [];
    this.block(body, new Scope(outer), out);
    return out.join('');
  }

  // for

  loop(node: Of<'For'>, scope: Scope, out: string[]): Leave {
    const items = this.loopItems(node, scope);
    const changed = new Changed(this.work);
    let completed = false;
    for (let at = 0; at < items.length; at++) {
      this.work.spend(4);
      const pass = new Scope(scope);
      pass.names.set('loop', new Loop(items, at, changed));
      this.assign(node.loopvar, items[at] as Value, pass);
      const leave = this.block(node.body, pass, out);
      if (leave === 'break') break;
      // As in Jinja, `else` also runs if every iteration was ended by `break` or `continue`.
      if (!leave) completed = true;
    }
    return completed ? undefined : this.block(node.defaultBlock, new Scope(scope), out);
  }

  loopItems(node: Of<'For'>, scope: Scope): readonly Value[] {
    if (node.iterable.type !== 'SelectExpression')
      return itemsOf(this.value(node.iterable, scope), this.work);
    const { lhs, test } = node.iterable;
    return itemsOf(this.value(lhs, scope), this.work).filter((item) => {
      const pass = new Scope(scope);
      this.assign(node.loopvar, item, pass);
      return isTrue(this.value(test, pass));
    });
  }

  // set

  set(node: Of<'Set'>, scope: Scope): void {
    this.work.spend(1);
    const value = node.value ? this.value(node.value, scope) : this.text(node.body, scope);
    this.assign(node.assignee, value, scope);
  }

  assign(target: Node, value: Value, scope: Scope): void {
    if (target.type === 'Identifier') scope.names.set(target.value, value);
    else if (target.type === 'TupleLiteral') this.unpack(target.value, value, scope);
    else if (target.type === 'MemberExpression') this.setAttribute(target, value, scope);
    else if (target.type === 'FilterExpression') this.assignFiltered(target, value, scope);
    else fault("can't assign to an expression");
  }

  /** Runs {% set name | trim | upper %} … {% endset %}: filters apply from left to right. */
  assignFiltered(target: Of<'FilterExpression'>, value: Value, scope: Scope): void {
    const filters: (Name | Call)[] = [];
    let name: Node = target;
    for (; name.type === 'FilterExpression'; name = name.operand) filters.unshift(name.filter);
    const filtered = filters.reduce((text, filter) => this.filter(filter, text, scope), value);
    this.assign(name, filtered, scope);
  }

  unpack(targets: readonly Node[], value: Value, scope: Scope): void {
    const items = itemsOf(value, this.work);
    if (items.length < targets.length) {
      fault(`not enough values to unpack (expected ${targets.length}, got ${items.length})`);
    }
    if (items.length > targets.length) fault(`too many values to unpack (expected ${targets.length})`);
    for (const [at, target] of targets.entries()) this.assign(target, items[at] as Value, scope);
  }

  setAttribute(target: Of<'MemberExpression'>, value: Value, scope: Scope): void {
    const object = this.value(target.object, scope);
    if (!(object instanceof Namespace) || target.property.type !== 'Identifier') {
      fault('cannot assign attribute on non-namespace object');
    }
    object.attributes.set(target.property.value, value);
  }

  // macro and call

  macro(name: string, parameters: readonly Node[], body: readonly Node[], scope: Scope): Callable {
    return new Callable(name, (args) =>
      this.work.nested(() => {
        const inner = new Scope(scope);
        this.bindParameters(name, parameters, body, args, inner);
        const out: string[] = [];
        this.block(body, inner, out);
        return out.join('');
      }),
    );
  }

  bindParameters(
    name: string,
    parameters: readonly Node[],
    body: readonly Node[],
    args: Arguments,
    scope: Scope,
  ): void {
    const named = new Map(args.named);
    const defaults: [string, Node][] = [];
    for (const [at, parameter] of parameters.entries()) {
      const [key, other] = parameterOf(parameter);
      const given = args.positional[at];
      const value = given === undefined ? named.get(key) : given;
      if (given === undefined) named.delete(key);
      if (value === undefined && other) defaults.push([key, other]);
      scope.names.set(
        key,
        value === undefined ? new Undefined(`parameter '${key}' was not provided`) : value,
      );
    }
    const caller = named.get('caller');
    if (caller) scope.names.set('caller', caller);
    named.delete('caller');
    const surplus = args.positional.slice(parameters.length);
    if (named.size > 0 && !mentions(body, 'kwargs', this.work)) {
      fault(`macro '${name}' takes no keyword argument '${[...named.keys()][0]}'`);
    }
    if (surplus.length > 0 && !mentions(body, 'varargs', this.work)) {
      fault(`macro '${name}' takes not more than ${parameters.length} argument(s)`);
    }
    scope.names.set('kwargs', new Map<Value, Value>(named));
    scope.names.set('varargs', new Tuple(surplus));
    for (const [key, other] of defaults) scope.names.set(key, this.value(other, scope));
  }

  callBlock(node: Of<'CallStatement'>, scope: Scope): Value {
    const args = this.arguments(node.call.args, scope);
    args.named.set('caller', this.macro('caller', node.callerArgs ?? [], node.body, scope));
    return this.invoke(this.value(node.call.callee, scope), args);
  }

  call(node: Call, scope: Scope): Value {
    const callee = this.value(node.callee, scope);
    return this.invoke(callee, this.arguments(node.args, scope));
  }

  invoke(callee: Value, args: Arguments): Value {
    if (callee instanceof Callable) return callee.call(args);
    if (callee instanceof Undefined) return fault(callee.message);
    return fault(`'${typeName(callee)}' object is not callable`);
  }

  arguments(nodes: readonly Node[], scope: Scope): Arguments {
    const args: Arguments = { positional: [], named: new Map() };
    for (const node of nodes) {
      if (node.type === 'KeywordArgumentExpression')
        args.named.set(node.key.value, this.value(node.value, scope));
      else if (node.type === 'SpreadExpression') {
        for (const item of itemsOf(this.value(node.argument, scope), this.work)) args.positional.push(item);
      } else if (node.type === 'KeywordSpreadExpression') this.spread(this.value(node.argument, scope), args);
      else args.positional.push(this.value(node, scope));
    }
    return args;
  }

  spread(value: Value, args: Arguments): void {
    if (!(value instanceof Map)) fault(`argument after ** must be a mapping, not ${typeName(value)}`);
    this.work.spend(value.size);
    for (const [key, item] of value) args.named.set(asString(key, 'a keyword'), item);
  }

  // expressions

  value(node: Node, scope: Scope): Value {
    this.work.spend(1);
    switch (node.type) {
      case 'StringLiteral':
        return node.value;
      case 'IntegerLiteral':
        return BigInt(node.value);
      case 'FloatLiteral':
        return node.value;
      case 'Identifier':
        return this.name(node, scope);
      case 'ArrayLiteral':
        return node.value.map((item) => this.value(item, scope));
      case 'TupleLiteral':
        return new Tuple(node.value.map((item) => this.value(item, scope)));
      case 'ObjectLiteral':
        return this.dict(node.value, scope);
      case 'MemberExpression':
        return this.member(node, scope);
      case 'CallExpression':
        return this.call(node, scope);
      case 'FilterExpression':
        return this.filter(node.filter, this.value(node.operand, scope), scope);
      case 'TestExpression':
        return runTest(node.test.value, this.value(node.operand, scope), [], this.work) !== node.negate;
      case 'BinaryExpression':
        return this.binary(node, scope);
      case 'UnaryExpression':
        return unary(node.operator.value, this.value(node.argument, scope));
      case 'Ternary':
        return this.value(isTrue(this.value(node.condition, scope)) ? node.trueExpr : node.falseExpr, scope);
      case 'SelectExpression':
        return isTrue(this.value(node.test, scope))
          ? this.value(node.lhs, scope)
          : new Undefined('the condition was false and there is no else');
      default:
        return fault(`${node.type} has no value`);
    }
  }

  name(node: Name, scope: Scope): Value {
    const constant = CONSTANTS.get(node.value);
    if (constant !== undefined) return constant;
    const found = scope.find(node.value);
    return found === undefined ? new Undefined(`'${node.value}' is undefined`) : found;
  }

  dict(entries: ReadonlyMap<Node, Node>, scope: Scope): Value {
    const map = new Map<Value, Value>();
    for (const [key, value] of entries) {
      const name = this.value(key, scope);
      if (typeof name === 'object' && name !== null) fault(`unhashable type here: '${typeName(name)}'`);
      map.set(name, this.value(value, scope));
    }
    return map;
  }

  member(node: Of<'MemberExpression'>, scope: Scope): Value {
    const object = this.value(node.object, scope);
    const { property } = node;
    if (property.type === 'SliceExpression') {
      const [start, stop, step] = [property.start, property.stop, property.step].map((part) =>
        part ? this.value(part, scope) : null,
      );
      return getSlice(object, start ?? null, stop ?? null, step ?? null, this.work);
    }
    if (!node.computed && property.type === 'Identifier')
      return getAttribute(object, property.value, this.work);
    return getItem(object, this.value(property, scope), this.work);
  }

  binary(node: Of<'BinaryExpression'>, scope: Scope): Value {
    const left = this.value(node.left, scope);
    const operator = node.operator.value;
    if (operator === 'and') return isTrue(left) ? this.value(node.right, scope) : left;
    if (operator === 'or') return isTrue(left) ? left : this.value(node.right, scope);
    return calculate(operator, left, this.value(node.right, scope), this.work);
  }

  filter(filter: Name | Call, value: Value, scope: Scope): Value {
    if (typeof value === 'string') this.work.scan(value.length);
    const called = filter.type === 'CallExpression';
    const callee = called ? filter.callee : filter;
    if (callee.type !== 'Identifier') return fault('a filter must be a name');
    const args = called ? this.arguments(filter.args, scope) : { positional: [], named: new Map() };
    // A test with an argument is parsed as a filter: see tree.ts.
    const [, not, test] = /^is (not )?(\w+)$/.exec(callee.value) ?? [];
    if (test !== undefined) return runTest(test, value, args.positional, this.work) !== (not !== undefined);
    return applyFilter(callee.value, value, args, this.work);
  }
}

function parameterOf(node: Node): [string, Node | undefined] {
  if (node.type === 'Identifier') return [node.value, undefined];
  if (node.type === 'KeywordArgumentExpression') return [node.key.value, node.value];
  return fault('a macro takes names');
}

/** Whether a name occurs in a body. Called only if a macro gets more arguments than it has parameters. */
function mentions(node: unknown, name: string, work: Work): boolean {
  if (typeof node !== 'object' || node === null) return false;
  work.spend(2);
  if ('type' in node && node.type === 'Identifier' && 'value' in node) return node.value === name;
  const children = node instanceof Map ? [...node].flat() : Object.values(node);
  return children.some((child) => mentions(child, name, work));
}
