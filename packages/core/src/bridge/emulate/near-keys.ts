// Renames the members of a call that are nearly named as the schema names them: `filePath` for `file_path`, another case,
// one letter more, less or other. Only where one property alone is meant, and the whole input then fits the schema.

import {
  type CallEnd,
  isObject,
  type JsonObject,
  readMembers,
  stringifyJson,
  type Tool,
} from '../../model/index.js';
import type { CheckBudget } from '../../schema/safe-schema.js';
import { createValidator } from '../../schema/validate.js';

/** Gives the call with its members renamed and without its mismatches; undefined if that does not mend it. */
export function withNearKeys(call: CallEnd, tool: Tool, checks?: CheckBudget): CallEnd | undefined {
  const renamed = renamedKeys(call.input, tool);
  if (renamed.size === 0) return undefined;
  const nameOf = (key: string) => renamed.get(key) ?? key;
  const members = Object.entries(call.input).map(([key, value]) => [nameOf(key), value]);
  const input = Object.fromEntries(members) as JsonObject;
  if (createValidator(tool.parameters ?? true).check(input, checks).length > 0) return undefined;
  const texts = readMembers(call.raw).map(
    ({ key, value }) => `${JSON.stringify(nameOf(key))}:${stringifyJson(value, 'compact')}`,
  );
  const issues = call.issues?.filter(({ code }) => code !== 'schema-mismatch') ?? [];
  const repair = { code: 'near-key' as const, range: call.range };
  return { ...call, input, raw: `{${texts.join(',')}}`, issues, repairs: [...(call.repairs ?? []), repair] };
}

/** Gives the new names of members that the schema does not have. */
function renamedKeys(input: JsonObject, { parameters }: Tool): Map<string, string> {
  const renamed = new Map<string, string>();
  const schema = isObject(parameters) ? parameters : {};
  if (!isObject(schema.properties)) return renamed;
  const names = Object.keys(schema.properties);
  const free = names.filter((name) => !Object.hasOwn(input, name)).slice(0, MOST);
  for (const key of Object.keys(input).slice(0, MOST)) {
    if (names.includes(key)) continue;
    const near = free.filter((name) => isNear(key, name));
    const [name] = near;
    if (name === undefined || near.length > 1 || [...renamed.values()].includes(name)) return new Map();
    renamed.set(key, name);
  }
  return renamed;
}

/** So many members and properties are compared; more are no slip of the pen. */
const MOST = 64;

function isNear(a: string, b: string): boolean {
  const [one, other] = [plain(a), plain(b)];
  return one === other || isOneEditAway(one, other);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('-', '').replaceAll('_', '');
}

function isOneEditAway(a: string, b: string): boolean {
  if (a.length > b.length) return isOneEditAway(b, a);
  // Of three letters, one edit leaves too little to tell.
  if (b.length - a.length > 1 || a.length < 4) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return a.slice(a.length === b.length ? same + 1 : same) === b.slice(same + 1);
}
