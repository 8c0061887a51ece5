// The list. A new dialect is a file beside this one and a line here. Loading it makes all of them known by name.

import { type Detection, detectAmong, type Evidence } from '../engine/detect.js';
import type { Dialect } from '../engine/dialect.js';
import { anthropicXml } from './anthropic-xml.js';
import { apertus } from './apertus/apertus.js';
import { bareJson } from './bare-json.js';
import { commandA } from './command-a.js';
import { commandR } from './command-r.js';
import { deepseekV3 } from './deepseek/deepseek-v3.js';
import { dots } from './dots.js';
import { ernie45 } from './ernie-4.5.js';
import { fencedJson } from './fenced-json.js';
import { functionaryV31 } from './functionary/functionary-v3.1.js';
import { functionaryV32 } from './functionary/functionary-v3.2.js';
import { functionGemma } from './functiongemma.js';
import { gemma4 } from './gemma4/gemma4.js';
import { gigachat3 } from './gigachat3.js';
import { granite } from './granite.js';
import { granite20b } from './granite-20b.js';
import { harmony } from './harmony/harmony.js';
import { hunyuan3 } from './hunyuan-3.js';
import { hunyuanA13b } from './hunyuan-a13b.js';
import { inkling } from './inkling/inkling.js';
import { internlm2 } from './internlm2.js';
import { jamba } from './jamba.js';
import { kimiK2 } from './kimi/kimi-k2.js';
import { kimiK3 } from './kimi/kimi-k3.js';
import { lfm2 } from './lfm2.js';
import { llama3Json } from './llama3-json.js';
import { llama4Pythonic } from './llama4-pythonic.js';
import { longcat } from './longcat.js';
import { minicpm5 } from './minicpm5.js';
import { minimaxM1 } from './minimax/minimax-m1.js';
import { minimaxM2 } from './minimax/minimax-m2.js';
import { minimaxM3 } from './minimax/minimax-m3.js';
import { mistral } from './mistral.js';
import { mistralV3 } from './mistral-v3.js';
import { muse } from './muse/muse.js';
import { nemotron } from './nemotron.js';
import { olmo3 } from './olmo3.js';
import { ownDialects } from './own-dialects.js';
import { attachOwnRules } from './own-rules.js';
import { phi4Mini } from './phi-4-mini.js';
import { pythonic } from './pythonic.js';
import { react } from './react.js';
import { addDialect, knownDialects } from './registry.js';
import { sarashina } from './sarashina.js';
import { seedOss } from './seed-oss/seed-oss.js';
import { step3 } from './step3.js';
import { toolCallsJson } from './tool-calls-json.js';
import { toolTags } from './tool-tags/tool-tags.js';
import { xlam } from './xlam.js';

export const dialects: readonly Dialect[] = [
  ...ownDialects,
  longcat,
  ernie45,
  llama3Json,
  mistral,
  mistralV3,
  jamba,
  hunyuanA13b,
  xlam,
  phi4Mini,
  granite,
  granite20b,
  internlm2,
  nemotron,
  deepseekV3,
  kimiK2,
  gigachat3,
  apertus,
  functionaryV31,
  minimaxM1,
  sarashina,
  fencedJson,
  bareJson,
  toolCallsJson,
  seedOss,
  hunyuan3,
  minimaxM2,
  minimaxM3,
  step3,
  dots,
  minicpm5,
  anthropicXml,
  toolTags,
  pythonic,
  llama4Pythonic,
  olmo3,
  lfm2,
  gemma4,
  functionGemma,
  commandR,
  react,
  harmony,
  functionaryV32,
  commandA,
  kimiK3,
  muse,
  inkling,
];

attachOwnRules();
for (const dialect of dialects) addDialect(dialect);

/** Which dialect a model speaks, by its name, its chat template or a sample, with a reason. Undefined: nothing tells. */
export function detect(evidence: Evidence): Detection | undefined {
  return detectAmong(knownDialects(), evidence);
}

export type { DialectDeclaration } from '../engine/declaration.js';
export type { Detection, Evidence } from '../engine/detect.js';
export { dialectFrom as defineDialect } from '../families/declared/dialect-from.js';
export { fromResponseTemplate } from '../families/declared/response-template.js';
export { addDialect, findDialect, knownDialects, rememberDialects } from './registry.js';
