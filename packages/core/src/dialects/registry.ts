// The dialects that are known by name: the project's own from the start, the field's once ./index.js is loaded, and
// whatever a program adds. A page that needs only its own dialects loads no others.

import type { Dialect } from '../engine/dialect.js';
import { UsageError } from '../model/index.js';
import { alkaid } from './alkaid/alkaid.js';
import { deepseekV32 } from './deepseek/deepseek-v3.2.js';
import { deepseekV41 } from './deepseek/deepseek-v4.1.js';
import { deepseekV4 } from './deepseek/deepseek-v4.js';
import { glm45 } from './glm/glm-4.5.js';
import { glm47 } from './glm/glm-4.7.js';
import { hermes } from './hermes.js';
import { qwen3Coder } from './qwen3-coder/qwen3-coder.js';
import { xnl } from './xnl/xnl.js';

/** What a page gets at first: those the project began with, but for an older DeepSeek, whose family only it needs. */
export const firstDialects: readonly Dialect[] = [
  alkaid,
  xnl,
  glm45,
  glm47,
  deepseekV32,
  deepseekV4,
  deepseekV41,
  hermes,
  qwen3Coder,
];

/** A new list each time, so that whoever learnt something from one can tell. */
let listed: readonly Dialect[] = [];
const byName = new Map<string, Dialect>();
for (const dialect of firstDialects) addDialect(dialect);

/** Makes a dialect known by its name and aliases. One of the same name gives way, unless the name is another's alias. */
export function addDialect(dialect: Dialect): void {
  const taken = byName.get(plainName(dialect.name));
  if (taken && taken.name !== dialect.name)
    throw new UsageError('bad-dialect', `${taken.name} has this name, too`, 'name');
  listed = [...listed.filter((one) => one !== taken), dialect];
  for (const name of [dialect.name, ...dialect.aliases])
    if (name === dialect.name || !byName.has(plainName(name))) byName.set(plainName(name), dialect);
}

/** What is known now. The function that is given makes it so again: for those who try what they may not keep. */
export function rememberDialects(): () => void {
  const list = listed;
  const names = [...byName];
  return () => {
    listed = list;
    byName.clear();
    for (const [name, dialect] of names) byName.set(name, dialect);
  };
}

/** All that are known by now. */
export function knownDialects(): readonly Dialect[] {
  return listed;
}

/** A dialect by its name, or by what serving engines call it. Case, `-`, `_` and `.` make no difference. */
export function findDialect(name: string): Dialect {
  const dialect = byName.get(plainName(name));
  if (dialect) return dialect;
  const more = listed.length > firstDialects.length ? '' : "; the others are in '@dragoman/core/dialects'";
  throw new UsageError(
    'unknown-dialect',
    `no dialect is called ${JSON.stringify(name)}; there are ${listed.map((d) => d.name).join(', ')}${more}`,
  );
}

function plainName(name: string): string {
  return String(name).toLowerCase().replaceAll('-', '').replaceAll('_', '').replaceAll('.', '');
}
