// The tool that is meant where a model wrote a number in place of its name: the only one that its arguments fit.

import type { Tool } from '../../model/index.js';
import { isObject } from '../../model/index.js';

export function guessTool(json: string, tools: ReadonlyMap<string, Tool>): string | undefined {
  const keys = keysOf(json);
  if (!keys) return undefined;
  const [only] = tools.keys();
  if (tools.size === 1) return only;
  const fitting = [...tools.values()].filter((tool) => fits(tool, keys));
  return fitting.length === 1 ? fitting[0]?.name : undefined;
}

function keysOf(json: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? Object.keys(value) : undefined;
  } catch {
    return undefined;
  }
}

/** All that it requires is there, and all that is there is declared. */
function fits({ parameters }: Tool, keys: readonly string[]): boolean {
  const { properties, required } = isObject(parameters) ? parameters : {};
  const known = isObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required : [];
  return keys.every((key) => Object.hasOwn(known, key)) && needed.every((key) => keys.includes(String(key)));
}
