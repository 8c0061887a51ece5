// A small assembler for WebAssembly: functions of this file give the bytes of instructions, and compose as expressions
// do. It knows what the kernel uses, so the project needs no toolchain and the kernel can be written for the sizes of
// the model at hand.
//
//   const sum = local.set(f32.add(local, f32.load(at, 0)))      local.get, local.get, f32.load, f32.add, local.set

export type Code = readonly number[];

export const I32 = 0x7f;
export const F32 = 0x7d;
export const V128 = 0x7b;
export type ValueType = typeof I32 | typeof F32 | typeof V128;

/** An unsigned number, seven bits a byte. */
function unsigned(value: number): number[] {
  const out: number[] = [];
  for (let rest = value >>> 0; ; rest >>>= 7) {
    if (rest < 0x80) return [...out, rest];
    out.push((rest & 0x7f) | 0x80);
  }
}

function signed(value: number): number[] {
  const out: number[] = [];
  for (let rest = value | 0; ; rest >>= 7) {
    const byte = rest & 0x7f;
    const isLast = (rest >> 7 === 0 && !(byte & 0x40)) || (rest >> 7 === -1 && byte & 0x40);
    if (isLast) return [...out, byte];
    out.push(byte | 0x80);
  }
}

function floatBytes(value: number): number[] {
  return [...new Uint8Array(Float32Array.of(value).buffer)];
}

const op1 =
  (...code: number[]) =>
  (a: Value): Code => [...codeOf(a), ...code];
const op2 =
  (...code: number[]) =>
  (a: Value, b: Value): Code => [...codeOf(a), ...codeOf(b), ...code];
const simd = (number: number) => [0xfd, ...unsigned(number)];
/** `align`: the logarithm of the largest alignment the instruction may say. */
const load =
  (code: readonly number[], align: number) =>
  (address: Value, offset = 0): Code => [...codeOf(address), ...code, align, ...unsigned(offset)];
const store =
  (code: readonly number[], align: number) =>
  (address: Value, offset: number, value: Value): Code => [
    ...codeOf(address),
    ...codeOf(value),
    ...code,
    align,
    ...unsigned(offset),
  ];

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  add: op2(0x6a),
  sub: op2(0x6b),
  mul: op2(0x6c),
  and: op2(0x71),
  shl: op2(0x74),
  shrU: op2(0x76),
  lt: op2(0x48),
  ge: op2(0x4e),
};

export const f32 = {
  const: (value: number): Code => [0x43, ...floatBytes(value)],
  add: op2(0x92),
  mul: op2(0x94),
  div: op2(0x95),
  max: op2(0x97),
  sqrt: op1(0x91),
  fromI32: op1(0xb2),
  load: load([0x2a], 2),
  store: store([0x38], 2),
};

export const v128 = {
  load: load(simd(0), 4),
  /** Eight signed bytes as sixteen-bit numbers. */
  load8x8: load(simd(1), 3),
  /** One 32-bit value in all lanes. */
  splat32: load(simd(9), 2),
  store: store(simd(11), 4),
  /** Lanes are bytes: 0 to 15 of the first, 16 to 31 of the second. */
  shuffle: (a: Value, b: Value, lanes: readonly number[]): Code => [
    ...codeOf(a),
    ...codeOf(b),
    ...simd(13),
    ...lanes,
  ],
};

export const i16x8 = { narrow: op2(...simd(133)) };

export const i32x4 = {
  splat: op1(...simd(17)),
  shl: op2(...simd(171)),
  add: op2(...simd(174)),
  dot: op2(...simd(186)),
  truncate: op1(...simd(248)),
};

export const f32x4 = {
  splat: op1(...simd(19)),
  lane: (a: Value, lane: number): Code => [...codeOf(a), ...simd(31), lane],
  nearest: op1(...simd(106)),
  abs: op1(...simd(224)),
  add: op2(...simd(228)),
  sub: op2(...simd(229)),
  mul: op2(...simd(230)),
  div: op2(...simd(231)),
  min: op2(...simd(232)),
  max: op2(...simd(233)),
  fromI32: op1(...simd(250)),
  const: (value: number): Code => [...simd(12), ...[0, 1, 2, 3].flatMap(() => floatBytes(value))],
};

/** A parameter or a local variable. */
export class Variable {
  constructor(readonly index: number) {}

  set(value: Value): Code {
    return [...codeOf(value), 0x21, ...unsigned(this.index)];
  }
}

export type Value = Code | Variable;

function codeOf(value: Value): Code {
  return value instanceof Variable ? [0x20, ...unsigned(value.index)] : value;
}

const VOID = 0x40;

/** Runs the body while `at` is less than `end`; the step is added after each run. */
export function loop(at: Variable, end: Value, step: number, body: readonly Code[]): Code {
  return [
    ...[0x02, VOID, 0x03, VOID],
    ...[...i32.ge(at, end), 0x0d, 1],
    ...body.flat(),
    ...at.set(i32.add(at, i32.const(step))),
    ...[0x0c, 0, 0x0b, 0x0b],
  ];
}

export class FunctionCode {
  readonly #params: ValueType[];
  readonly #locals: ValueType[] = [];

  constructor(params: readonly ValueType[]) {
    this.#params = [...params];
  }

  param(index: number): Variable {
    return new Variable(index);
  }

  local(type: ValueType): Variable {
    this.#locals.push(type);
    return new Variable(this.#params.length + this.#locals.length - 1);
  }

  locals(type: ValueType, count: number): Variable[] {
    return Array.from({ length: count }, () => this.local(type));
  }

  /** Gives the function's body with its declarations. */
  body(code: readonly Code[]): number[] {
    const locals = this.#locals.flatMap((type) => [1, type]);
    const body = [...unsigned(this.#locals.length), ...locals, ...code.flat(), 0x0b];
    return [...unsigned(body.length), ...body];
  }
}

export interface Definition {
  params: readonly ValueType[];
  body: (code: FunctionCode) => readonly Code[];
}

/** Gives the bytes of a module that imports its memory as `env.memory`, and exports functions without results. */
export function assemble(functions: Readonly<Record<string, Definition>>): Uint8Array<ArrayBuffer> {
  const all = Object.entries(functions);
  const types = all.map(([, { params }]) => [0x60, ...unsigned(params.length), ...params, 0]);
  const bodies = all.map(([, { params, body }]) => {
    const code = new FunctionCode(params);
    return code.body(body(code));
  });
  const name = (text: string) => [...unsigned(text.length), ...new TextEncoder().encode(text)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, [[...name('env'), ...name('memory'), 0x02, 0x00, 1]]),
    ...section(
      3,
      all.map((_, at) => unsigned(at)),
    ),
    ...section(
      7,
      all.map(([exported], at) => [...name(exported), 0x00, ...unsigned(at)]),
    ),
    ...section(10, bodies),
  ]);
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
  const content = [...unsigned(entries.length), ...entries.flat()];
  return [id, ...unsigned(content.length), ...content];
}
