// Fills in `${NAME}` and `${NAME:-default}` in values. `$${` stands for `${`.

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Expanded {
  text: string;
  /** The variables that were used. */
  names: readonly string[];
  /** The variables that cannot be filled in, and their index in the value. */
  faults: readonly { at: number; name?: string }[];
}

/** Fills in the variables. An empty one takes its default, as in a shell. A default ends at the first `}`. */
export function expand(value: string, env: Environment): Expanded {
  const names: string[] = [];
  const faults: { at: number; name?: string }[] = [];
  let text = '';
  let at = 0;
  for (;;) {
    const start = value.indexOf('${', at);
    if (start < 0) return { text: text + value.slice(at), names, faults };
    if (value[start - 1] === '$' && start > at) {
      text += `${value.slice(at, start - 1)}\${`;
      at = start + 2;
      continue;
    }
    text += value.slice(at, start);
    const end = value.indexOf('}', start);
    if (end < 0) {
      faults.push({ at: start });
      return { text: text + value.slice(start), names, faults };
    }
    const { name, filled } = fill(value.slice(start + 2, end), env);
    if (name !== undefined) names.push(name);
    if (filled === undefined) faults.push({ at: start, ...(name !== undefined && { name }) });
    text += filled ?? '';
    at = end + 1;
  }
}

function fill(inside: string, env: Environment): { name?: string; filled?: string } {
  const split = inside.indexOf(':-');
  const name = split < 0 ? inside : inside.slice(0, split);
  if (!/^[A-Za-z_]\w*$/.test(name)) return {};
  const found = Object.hasOwn(env, name) ? env[name] : undefined;
  const fallback = split < 0 ? undefined : inside.slice(split + 2);
  const filled = fallback !== undefined && (found ?? '') === '' ? fallback : found;
  return { name, ...(filled !== undefined && { filled }) };
}
