// `'{} of {n:.2f}'.format(…)` and `'%s of %.2f' % …`, with the fields that chat templates use. Others are an error.

import { floatText } from '../text/number-literal.js';
import {
  type Arguments,
  asNumber,
  codePoints,
  fault,
  Tuple,
  toPlaces,
  toRepr,
  toText,
  type Value,
} from './python.js';
import type { Work } from './work.js';

const SPEC = /^(?:(.)?([<>^]))?([+ ]?)(0?)(\d{0,4})(,?)(?:\.(\d{1,2}))?([sdfx%]?)$/su;

/** Does the same as `str.format`. */
export function formatFields(text: string, args: Arguments, work: Work): string {
  let next = 0;
  const out = text.replace(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g, (whole, field: string | undefined) => {
    if (whole === '{{' || whole === '}}') return whole.charAt(0);
    if (field === undefined) return fault(`Single '${whole}' encountered in format string`);
    const [, name = '', conversion, spec = ''] =
      /^([^!:]*)(?:!([rs]))?(?::(.*))?$/s.exec(field) ?? fault('format');
    const value =
      name === ''
        ? args.positional[next++]
        : /^\d+$/.test(name)
          ? args.positional[Number(name)]
          : args.named.get(name);
    if (value === undefined) return fault(`format: no argument for {${field}}`);
    const text = formatValue(conversion === 'r' ? toRepr(value, work) : value, spec, work);
    work.text(text.length);
    return text;
  });
  return out;
}

/** Does the same as `str % values`. */
export function formatPercent(text: string, values: Value, work: Work): string {
  const list = values instanceof Tuple ? [...values.items] : [values];
  const out = text.replace(/%(?:\((\w+)\))?([-0+ ]?)(\d{0,4})(?:\.(\d{1,2}))?(.)/gs, (...match) => {
    const [, name, flag, width, precision, type] = match as (string | undefined)[];
    if (type === '%') return '%';
    if (type === undefined || !'srdfix'.includes(type))
      return fault(`unsupported format character '${type}'`);
    const value = name === undefined ? list.shift() : values instanceof Map ? values.get(name) : undefined;
    if (value === undefined) return fault('not enough arguments for format string');
    const spec = `${flag === '-' ? '<' : '>'}${flag === '-' ? '' : flag}${width}${precision ? `.${precision}` : ''}`;
    const kind = type === 'i' ? 'd' : type === 'r' ? 's' : type;
    const plain = kind !== 's' ? value : type === 'r' ? toRepr(value, work) : toText(value, work);
    const text = formatValue(
      kind === 'd' && typeof plain === 'number' ? BigInt(Math.trunc(plain)) : plain,
      spec + kind,
      work,
    );
    work.text(text.length);
    return text;
  });
  if (list.length > 0 && !(values instanceof Map))
    fault('not all arguments converted during string formatting');
  return out;
}

function formatValue(value: Value, spec: string, work: Work): string {
  if (spec === '') return toText(value, work);
  const [, fill, align, sign = '', zero, width, comma, precision, type = ''] =
    SPEC.exec(spec) ?? fault(`format '${spec}' is not supported`);
  const number = typeof value === 'string' ? undefined : asNumber(value);
  const body =
    number === undefined ? cut(toText(value, work), precision) : digits(number, precision, type, comma);
  const signed = number !== undefined && sign !== '' && !body.startsWith('-') ? sign + body : body;
  return place(
    signed,
    Number(width || 0),
    fill ?? (zero ? '0' : ' '),
    align ?? (number === undefined ? '<' : '>'),
    zero,
  );
}

function cut(text: string, precision: string | undefined): string {
  return precision === undefined ? text : Array.from(text).slice(0, Number(precision)).join('');
}

function digits(
  value: bigint | number,
  precision: string | undefined,
  type: string,
  comma: string | undefined,
): string {
  const text = numberText(value, precision, type);
  if (!comma) return text;
  const [whole = '', rest] = text.split('.');
  const grouped = groupThousands(whole);
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

function groupThousands(digits: string): string {
  const groups: string[] = [];
  const sign = digits.startsWith('-') ? '-' : '';
  for (let end = digits.length; end > sign.length; end -= 3) {
    groups.unshift(digits.slice(Math.max(sign.length, end - 3), end));
  }
  return sign + groups.join(',');
}

function numberText(value: bigint | number, precision: string | undefined, type: string): string {
  if (type === 'f') return toPlaces(Number(value), Number(precision ?? 6));
  if (type === '%') return `${toPlaces(Number(value) * 100, Number(precision ?? 6))}%`;
  if (precision !== undefined) return fault('a precision needs the type f');
  if (typeof value === 'number')
    return type === '' ? floatText(value) : fault(`format '${type}' needs an integer`);
  return type === 'x' ? value.toString(16) : value.toString();
}

function place(text: string, width: number, fill: string, align: string, zero: string | undefined): string {
  const space = Math.max(0, width - codePoints(text));
  if (zero && align === '>' && /^[+-]/.test(text)) return text.charAt(0) + fill.repeat(space) + text.slice(1);
  const front = align === '<' ? 0 : align === '>' ? space : space >> 1;
  return fill.repeat(front) + text + fill.repeat(space - front);
}
