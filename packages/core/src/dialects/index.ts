// The list. A new dialect is a file beside this one and a line here.

import type { Dialect } from '../codec/dialect.js';
import { UsageError } from '../model/index.js';
import { alkaid } from './alkaid.js';
import { anthropicXml } from './anthropic-xml.js';
import { deepseekV31 } from './deepseek-v3.1.js';
import { deepseekV32 } from './deepseek-v3.2.js';
import { deepseekV41 } from './deepseek-v4.1.js';
import { deepseekV4 } from './deepseek-v4.js';
import { dots } from './dots.js';
import { functionGemma } from './functiongemma.js';
import { gemma4 } from './gemma4.js';
import { glm45 } from './glm-4.5.js';
import { glm47 } from './glm-4.7.js';
import { hermes } from './hermes.js';
import { hunyuan3 } from './hunyuan-3.js';
import { lfm2 } from './lfm2.js';
import { llama4Pythonic } from './llama4-pythonic.js';
import { minicpm5 } from './minicpm5.js';
import { minimaxM2 } from './minimax-m2.js';
import { olmo3 } from './olmo3.js';
import { pythonic } from './pythonic.js';
import { qwen3Coder } from './qwen3-coder.js';
import { seedOss } from './seed-oss.js';
import { step3 } from './step3.js';
import { xnl } from './xnl.js';

export const dialects: readonly Dialect[] = [
  alkaid,
  xnl,
  glm45,
  glm47,
  deepseekV31,
  deepseekV32,
  deepseekV4,
  deepseekV41,
  hermes,
  qwen3Coder,
  seedOss,
  hunyuan3,
  minimaxM2,
  step3,
  dots,
  minicpm5,
  anthropicXml,
  pythonic,
  llama4Pythonic,
  olmo3,
  lfm2,
  gemma4,
  functionGemma,
];

const byName = new Map<string, Dialect>();
for (const dialect of dialects)
  for (const name of [dialect.name, ...dialect.aliases]) byName.set(plainName(name), dialect);

/** A dialect by its name, or by what serving engines call it. Case, `-`, `_` and `.` make no difference. */
export function findDialect(name: string): Dialect {
  const dialect = byName.get(plainName(name));
  if (dialect) return dialect;
  throw new UsageError(
    'unknown-dialect',
    `no dialect is called ${JSON.stringify(name)}; there are ${dialects.map((d) => d.name).join(', ')}`,
  );
}

function plainName(name: string): string {
  return String(name).toLowerCase().replaceAll('-', '').replaceAll('_', '').replaceAll('.', '');
}
