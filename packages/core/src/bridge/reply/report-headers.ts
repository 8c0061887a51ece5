// The report of an answer in one header, which proxies pass on: `x-dragoman: mode=emulate; dialect=glm-4.5; from=model`.
// For an answer that is not streamed it also has the numbers of issues, repairs and reasks.

import type { ModelRequest, Report } from '../../model/index.js';
import { settleDialect } from '../emulate/dialect-of-model.js';
import { isNamed, watchedDialects } from '../heal/watched-dialects.js';
import type { BridgeOptions } from '../options.js';
import type { Upstream } from '../upstream/upstream.js';
import { settleMode } from './create-ask.js';

export interface HeaderOptions extends BridgeOptions {
  upstream: Upstream;
  mode?: 'auto' | 'emulate' | 'heal' | 'native';
}

/** Before the answer, the header has what all endpoints of the model have in common. */
export function reportHeaders(
  endpoints: readonly HeaderOptions[],
  request: ModelRequest,
  report?: Report,
): Record<string, string> {
  const pairs = report ? pairsOf(report) : common(endpoints.map((options) => expected(options, request)));
  return pairs.length === 0
    ? {}
    : { 'x-dragoman': pairs.map(([name, value]) => `${name}=${plain(String(value))}`).join('; ') };
}

/** Escapes a value: a user's own dialect may have any name, and a header cannot hold every character. */
function plain(value: string): string {
  return value.replace(/[^\w.,:+ -]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

type Pair = [name: string, value: string | number];

function common([first = [], ...others]: Pair[][]): Pair[] {
  return first.filter(([name, value]) =>
    others.every((pairs) => pairs.some(([other, its]) => other === name && its === value)),
  );
}

function pairsOf(report: Report): Pair[] {
  const {
    mode,
    dialect,
    dialectFrom,
    issues,
    repairs,
    reasks,
    refused,
    mended,
    upstream,
    moved = [],
  } = report;
  return [
    ['mode', mode],
    ...(dialect ? [['dialect', dialect] as Pair] : []),
    ...(dialectFrom ? [['from', dialectFrom] as Pair] : []),
    ...(refused !== undefined ? [['tools', 'refused'] as Pair] : []),
    ...(mended ? [['mended', mended.length] as Pair] : []),
    ['issues', issues.length],
    ['repairs', repairs.length],
    ['reasks', reasks.length],
    ...(upstream !== undefined ? [['upstream', upstream] as Pair] : []),
    ...(moved.length > 0 ? [['moved', moved.length] as Pair] : []),
  ];
}

/** Gives what is known before the answer, when the headers of a stream are sent. */
function expected(options: HeaderOptions, request: ModelRequest): Pair[] {
  const mode = settleMode(options, options.upstream);
  if (mode === 'native') return [['mode', mode]];
  if (mode === 'heal') return [['mode', mode], ...watched(options, request)];
  const { dialect, from } = settleDialect(options, request.model);
  return [
    ['mode', mode],
    ['dialect', dialect.name],
    ['from', from],
  ];
}

function watched(options: HeaderOptions, request: ModelRequest): Pair[] {
  const names = watchedDialects(request, options).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    ['dialect', names.join(', ')],
    ['from', isNamed(options) ? 'name' : 'model'],
  ];
}
