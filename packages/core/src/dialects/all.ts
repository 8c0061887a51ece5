// All dialects, in the order in which they are tried and shown: of two that read a text equally well, the first wins.

import { type Detection, detectAmong, type Evidence } from '../engine/detect.js';
import type { Dialect } from '../engine/dialect.js';
import { createRegistry, type Registry } from '../engine/registry.js';
import * as each from './each.js';

export const dialects: readonly Dialect[] = [
  each.alkaid,
  each.xnl,
  each.glm45,
  each.glm47,
  each.deepseekV31,
  each.deepseekV32,
  each.deepseekV4,
  each.deepseekV41,
  each.hermes,
  each.qwen3Coder,
  each.longcat,
  each.ernie45,
  each.llama3Json,
  each.mistral,
  each.mistralV3,
  each.jamba,
  each.apriel,
  each.hunyuanA13b,
  each.xlam,
  each.phi4Mini,
  each.granite,
  each.granite20b,
  each.internlm2,
  each.nemotron,
  each.deepseekV3,
  each.kimiK2,
  each.gigachat3,
  each.apertus,
  each.functionaryV31,
  each.minimaxM1,
  each.sarashina,
  each.fencedJson,
  each.bareJson,
  each.toolCallsJson,
  each.seedOss,
  each.laguna,
  each.hunyuan3,
  each.minimaxM2,
  each.minimaxM3,
  each.step3,
  each.dots,
  each.minicpm5,
  each.anthropicXml,
  each.toolTags,
  each.pythonic,
  each.llama4Pythonic,
  each.olmo3,
  each.lfm2,
  each.gemma4,
  each.functionGemma,
  each.commandR,
  each.react,
  each.harmony,
  each.functionaryV32,
  each.commandA,
  each.kimiK3,
  each.muse,
  each.inkling,
  each.solarOpen,
];

export const all: Registry = createRegistry(dialects);

export function findDialect(name: string): Dialect {
  return all.find(name);
}

/**
 * Detects a model's dialect by its name, its chat template or a sample, with a reason. Undefined if nothing matches.
 */
export function detect(evidence: Evidence, registry: Registry = all): Detection | undefined {
  return detectAmong(registry.dialects, evidence);
}
