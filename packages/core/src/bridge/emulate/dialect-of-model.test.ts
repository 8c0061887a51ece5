import { describe, expect, it } from 'vitest';
import { hermes } from '../../dialects/hermes/hermes.js';
import { dialects } from '../../dialects/index.js';
import { promptOfModel } from '../../engine/prompt-variant.js';
import { createRegistry } from '../../engine/registry.js';
import { dialectOfModel, settleDialect } from './dialect-of-model.js';

const spoken: [model: string, dialect: string][] = [
  ['zai-org/GLM-4.5-Air', 'glm-4.5'],
  ['accounts/x/models/glm-4p5', 'glm-4.5'],
  ['demo/glm-4.5', 'glm-4.5'],
  ['glm-4-5-air', 'glm-4.5'],
  ['z-ai/glm-4.6:free', 'glm-4.5'],
  ['hf.co/unsloth/GLM-4.6-GGUF:Q4_K_M', 'glm-4.5'],
  ['zai-glm-4.7', 'glm-4.7'],
  ['glm-5', 'glm-4.7'],
  ['/models/GLM-4.7-Flash/', 'glm-4.7'],
  ['deepseek-ai/DeepSeek-V3', 'deepseek-v3'],
  ['deepseek-v3-0324', 'deepseek-v3'],
  ['deepseek-r1-0528-qwen3-8b', 'deepseek-v3'],
  ['deepseek-ai/DeepSeek-V3.1', 'deepseek-v3.1'],
  ['deepseek-v3p1-terminus', 'deepseek-v3.1'],
  ['deepseek/deepseek-v3.1-terminus:exacto', 'deepseek-v3.1'],
  ['deepseek-ai/DeepSeek-V3.2-Exp', 'deepseek-v3.1'],
  ['deepseek-ai/DeepSeek-V3.2', 'deepseek-v3.2'],
  ['DeepSeek-V4-Flash', 'deepseek-v4'],
  ['deepseek-v4', 'deepseek-v4'],
  ['deepseek_v4_1', 'deepseek-v4.1'],
  ['DeepSeek-V4.1', 'deepseek-v4.1'],
  ['Qwen/Qwen3-30B-A3B-Instruct-2507', 'hermes'],
  ['qwen3:8b', 'hermes'],
  ['qwen-2.5-72b-instruct', 'hermes'],
  ['hermes-3-llama-3.1-8b', 'hermes'],
  ['NousResearch/Hermes-4-70B', 'hermes'],
  ['deephermes-3-llama-3-8b', 'hermes'],
  ['hermes/llama-3.3-70b', 'llama3-json'],
  ['qwq', 'hermes'],
  ['LGAI-EXAONE/EXAONE-4.0-32B', 'hermes'],
  ['ibm-granite/granite-4.0-h-small', 'hermes'],
  ['qwen3-coder:30b', 'qwen3-coder'],
  ['qwen.qwen3-coder-480b-a35b-v1:0', 'qwen3-coder'],
  ['Qwen/Qwen3-Coder-Next', 'qwen3-coder'],
  ['Qwen/Qwen3.5-397B-A17B', 'qwen3-coder'],
  ['Qwen/Qwen3.8-Max', 'qwen3-coder'],
  ['ibm-granite/granite-4.1-h-small', 'hermes'],
  ['nvidia/NVIDIA-Nemotron-3-Super-120B-A12B', 'qwen3-coder'],
  ['nvidia/Nemotron-3.5-Nano', 'qwen3-coder'],
  ['nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16', 'qwen3-coder'],
  ['XiaomiMiMo/MiMo-V2-Flash', 'qwen3-coder'],
  ['stepfun-ai/Step-3.5-Flash', 'qwen3-coder'],
  // As the recipes of SGLang name a parser for them, or Ollama's parsers do.
  ['zai-org/GLM-4.5V', 'glm-4.5'],
  ['zai-org/GLM-4.6V-Flash', 'glm-4.5'],
  ['glm-ocr:latest', 'glm-4.5'],
  ['zai-org/Glyph', 'glm-4.5'],
  ['zai-org/GLM-5.2-FP8', 'glm-4.7'],
  ['inclusionAI/Ring-2.6-1T', 'glm-4.5'],
  ['inclusionAI/Ring-2.5-1T', 'hermes'],
  ['inclusionAI/Ling-2.6-flash', 'hermes'],
  ['inclusionAI/Ling-3.0-flash', 'glm-4.7'],
  ['arcee-ai/Trinity-Mini', 'hermes'],
  ['HuggingFaceTB/SmolLM3-3B', 'hermes'],
  ['stepfun-ai/Step3-VL-10B', 'hermes'],
  ['stepfun-ai/Step-3.7-Flash', 'qwen3-coder'],
  ['internLM/Intern-S2-Preview', 'qwen3-coder'],
  ['openbmb/MiniCPM-V-4.6', 'qwen3-coder'],
  ['moonshotai/Kimi-K2.7-Code', 'kimi-k2'],
  ['deepcogito/cogito-671b-v2.1', 'deepseek-v3'],
  ['cogito-2.1:671b', 'deepseek-v3'],
  ['Salesforce/Qwen-xLAM-32B-fc-r', 'xlam'],
];

const unknown = [
  '',
  '/',
  'gpt-5',
  'claude-sonnet-4-5',
  'glm-4.5x',
  'GLM-4.1V-9B-Thinking',
  'cogito-v1-preview-qwen-32B',
  'glm-4-9b-chat',
  'chatglm3-6b',
  'deepseek-chat',
  'qwen-max',
  'qwen3.7-plus',
  'Qwen3Guard-Gen-8B',
  'MiMo-7B-RL',
  'alkaid',
  '通义千问',
  'constructor',
  `${'qwen-'.repeat(20_000)}x`,
];

describe('the dialect of a model', () => {
  it.each(spoken)('%s speaks %s', (model, dialect) => {
    expect(dialectOfModel(model)?.name).toBe(dialect);
    expect(dialectOfModel(model.toUpperCase())?.name).toBe(dialect);
  });

  it.each(unknown.map((model) => [model.slice(0, 60), model]))('%j tells nothing', (_, model) => {
    expect(dialectOfModel(model)).toBeUndefined();
  });

  it('knows every model a dialect lists', () => {
    const wrong = dialects.flatMap((dialect) =>
      dialect.models.filter((model) => dialectOfModel(`x/${model}`) !== dialect),
    );
    expect(wrong).toEqual([]);
  });

  it('knows every model that has a prompt of its own, and chooses it', () => {
    const wrong = dialects.flatMap((dialect) =>
      (dialect.render.variants ?? []).flatMap(({ prompt, models }) =>
        models.filter(
          (model) =>
            dialectOfModel(`x/${model}`) !== dialect ||
            promptOfModel(dialect.render, `x/${model}`)?.prompt !== prompt,
        ),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('gives way to a dialect that is named', () => {
    expect(settleDialect({ dialect: 'glm45' }, 'qwen3:8b')).toMatchObject({
      dialect: { name: 'glm-4.5' },
      from: 'name',
    });
    expect(settleDialect({ dialect: hermes }, 'glm-4.5')).toEqual({ dialect: hermes, from: 'name' });
    expect(() => settleDialect({ dialect: 'klingon' }, 'glm-4.5')).toThrow('no dialect is called "klingon"');
  });

  it('is asked for by auto and by nothing, and is alkaid where the name does not tell', () => {
    expect(settleDialect({ dialect: 'auto' }, 'qwen3:8b')).toMatchObject({ dialect: hermes, from: 'model' });
    expect(settleDialect({}, 'qwen3:8b')).toMatchObject({ dialect: hermes, from: 'model' });
    expect(settleDialect({ dialect: 'auto' }, 'gpt-5')).toMatchObject({
      dialect: { name: 'alkaid' },
      from: 'default',
    });
  });

  it('is looked for in the registry that is given', () => {
    const gull = { ...hermes, name: 'gull', aliases: [], models: ['Gull 7B'] };
    const own = { ...hermes, name: 'alkaid', models: [] };
    const dialects = createRegistry([gull, own]);
    expect(settleDialect({ dialect: 'gull', dialects }, 'm')).toEqual({ dialect: gull, from: 'name' });
    expect(settleDialect({ dialects }, 'org/gull-7b-it')).toEqual({ dialect: gull, from: 'model' });
    expect(settleDialect({ dialects }, 'qwen3:8b')).toEqual({ dialect: own, from: 'default' });
    expect(() => settleDialect({ dialect: 'hermes', dialects }, 'm')).toThrow('there are gull, alkaid');
  });
});
