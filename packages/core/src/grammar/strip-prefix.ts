// Removes the marker at the beginning of a rule: an engine that allows free text applies the grammar only after the
// marker has been written.

import { all, any, type Rule, text } from './spelling.js';

/** Gives the rest of a rule after `prefix`; undefined if it does not begin so. Other alternatives are left out. */
export function stripPrefix(rule: Rule, prefix: string): Rule | undefined {
  const found = strip(rule, prefix);
  return found?.left === '' ? found.rule : undefined;
}

interface Stripped {
  rule: Rule;
  /** The rest of the prefix that is not matched yet. */
  left: string;
}

function strip(rule: Rule, prefix: string): Stripped | undefined {
  switch (rule.type) {
    case 'text':
      return stripText(rule.text, prefix);
    case 'all':
      return stripAll(rule.of, prefix);
    case 'any': {
      const ways = rule.of.map((way) => strip(way, prefix)).filter((way) => way?.left === '');
      return ways.length > 0
        ? { rule: any(...ways.map((way) => (way as Stripped).rule)), left: '' }
        : undefined;
    }
    case 'many':
      return stripMany(rule, prefix);
    case 'limit': {
      const inner = strip(rule.of, prefix);
      return inner && { ...inner, rule: { ...rule, of: inner.rule } };
    }
    default:
      return undefined;
  }
}

function stripText(written: string, prefix: string): Stripped | undefined {
  if (written.startsWith(prefix)) return { rule: text(written.slice(prefix.length)), left: '' };
  return prefix.startsWith(written) ? { rule: text(''), left: prefix.slice(written.length) } : undefined;
}

function stripAll(of: readonly Rule[], prefix: string): Stripped | undefined {
  const [part, ...rest] = of;
  if (!part) return { rule: text(''), left: prefix };
  if (part.type === 'many' && part.from === 0) return stripOptional(part, rest, prefix);
  const found = strip(part, prefix);
  if (!found) return undefined;
  return found.left === '' ? { rule: all(found.rule, ...rest), left: '' } : stripAll(rest, found.left);
}

/** Strips the prefix in both cases: the optional part is present, or it is absent and the rest has the prefix. */
function stripOptional(part: Many, rest: readonly Rule[], prefix: string): Stripped | undefined {
  // One that comes at most once may be a part of the prefix.
  const present = part.to === 1 ? part.of : { ...part, from: 1 };
  const ways = [stripAll([present, ...rest], prefix), stripAll(rest, prefix)];
  const found = ways.filter((way) => way?.left === '').map((way) => (way as Stripped).rule);
  return found.length > 0 ? { rule: any(...found), left: '' } : undefined;
}

type Many = Extract<Rule, { type: 'many' }>;

function stripMany(rule: Many, prefix: string): Stripped | undefined {
  const found = rule.from > 0 ? strip(rule.of, prefix) : undefined;
  if (found?.left !== '') return undefined;
  const rest: Rule = {
    type: 'many',
    of: rule.between ? all(rule.between, rule.of) : rule.of,
    from: rule.from - 1,
    ...(rule.to !== undefined && { to: rule.to - 1 }),
  };
  return { rule: all(found.rule, rest), left: '' };
}
