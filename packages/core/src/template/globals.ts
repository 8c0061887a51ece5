// The global functions of a chat template: Jinja's, and those that transformers adds.

import { UsageError } from '../model/errors.js';
import { pairs } from './access.js';
import {
  type Arguments,
  asInteger,
  asString,
  bind,
  Callable,
  fault,
  itemsOf,
  Namespace,
  toText,
  type Value,
  View,
} from './python.js';
import { strftime } from './time.js';
import { tooMuch, type Work } from './work.js';

/** The same limit as in Jinja's sandbox. */
const LONGEST_RANGE = 100_000;

export function globalNames(now: Date | undefined, work: Work): Map<string, Value> {
  const functions: Record<string, (args: Arguments) => Value> = {
    range: (args) => range(args, work),
    dict: (args) => new Map<Value, Value>(namedPairs(args, work)),
    namespace: (args) => new Namespace(new Map(namedPairs(args, work))),
    joiner,
    raise_exception: (args) => fault(toText(args.positional[0] ?? '', work)),
    strftime_now: (args) => formatNow(now, asString(args.positional[0], 'the format'), work),
  };
  return new Map(Object.entries(functions).map(([name, call]) => [name, new Callable(name, call)]));
}

function formatNow(now: Date | undefined, format: string, work: Work): string {
  work.spend(1 + format.length);
  if (now) return strftime(now, format);
  throw new UsageError(
    'bad-options',
    'the template prints the date: pass options.now, such as new Date()',
    'now',
  );
}

function range({ positional }: Arguments, work: Work): View {
  const [first = fault('range expected at least 1 argument'), second, third = 1n] = positional;
  const start = second === undefined ? 0 : asInteger(first, 'range');
  const stop = asInteger(second ?? first, 'range');
  const step = asInteger(third, 'range');
  if (step === 0) fault('range() arg 3 must not be zero');
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (length > LONGEST_RANGE)
    throw tooMuch(`Range too big. The sandbox blocks ranges larger than ${LONGEST_RANGE}.`);
  work.spend(length);
  const items = Array.from({ length }, (_, at) => BigInt(start + at * step));
  return new View('range', items, `range(${start}, ${stop}${step === 1 ? '' : `, ${step}`})`);
}

/** Gives the pairs of a mapping or a list of pairs, then the named arguments. */
function namedPairs({ positional, named }: Arguments, work: Work): [string, Value][] {
  const [source = []] = positional;
  const list = source instanceof Map ? pairs(source, work) : itemsOf(source, work);
  const given = list.map((pair): [string, Value] => {
    const [key, value] = itemsOf(pair, work);
    if (value === undefined) return fault('expected pairs of a key and a value');
    return [asString(key, 'a key'), value];
  });
  return [...given, ...named];
}

/** Makes a function that gives '' at the first call and the separator at every later one. */
function joiner(args: Arguments): Callable {
  const [separator = ', '] = bind('joiner', args, ['sep']);
  let used = false;
  return new Callable('joiner', () => {
    const text = used ? separator : '';
    used = true;
    return text;
  });
}
