// What happened, in one header that proxies pass on: `x-dragoman: mode=emulate; dialect=glm-4.5; from=model`.
// An answer that is not streamed also says how many issues, repairs and re-asks there were.

import type { ModelRequest, Report } from '../model/index.js';
import type { AskOptions } from './create-ask.js';
import { settleDialect } from './dialect-of-model.js';

export function reportHeaders(
  options: AskOptions,
  request: ModelRequest,
  report?: Report,
): Record<string, string> {
  const pairs = report ? pairsOf(report) : expected(options, request);
  return { 'x-dragoman': pairs.map(([name, value]) => `${name}=${value}`).join('; ') };
}

type Pair = [name: string, value: string | number];

function pairsOf({ mode, dialect, dialectFrom, issues, repairs, reasks, refused }: Report): Pair[] {
  return [
    ['mode', mode],
    ...(dialect ? [['dialect', dialect] as Pair] : []),
    ...(dialectFrom ? [['from', dialectFrom] as Pair] : []),
    ...(refused !== undefined ? [['tools', 'refused'] as Pair] : []),
    ['issues', issues.length],
    ['repairs', repairs.length],
    ['reasks', reasks.length],
  ];
}

/** Before the answer, when headers are sent: what is known already. */
function expected({ mode = 'auto', dialect }: AskOptions, { model }: ModelRequest): Pair[] {
  const { dialect: found, from } = settleDialect(dialect, model);
  if (mode === 'native') return [['mode', mode]];
  return [
    ['mode', mode],
    ['dialect', found.name],
    ['from', from],
  ];
}
