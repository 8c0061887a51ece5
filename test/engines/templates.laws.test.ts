// The dialect of the chat templates that llama.cpp, vLLM, SGLang and Ollama collect (test/corpus/collect-templates.mjs).
// They are not part of the project: DRAGOMAN_TEMPLATES names a folder that has them, as for test/vendor-prompts.laws.test.ts.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { detect } from '@dragoman/core';
import { describe, expect, it } from 'vitest';

const folder = process.env.DRAGOMAN_TEMPLATES;

/** The templates of each dialect, without `.jinja` or `.jinja2`. */
const told: Record<string, string> = {
  apertus: 'Apertus-8B-Instruct tool_chat_template_apertus',
  apriel: 'Apriel-1.6-15b-Thinker-fixed unsloth-Apriel-1.5',
  'command-a': 'Cohere2MoE CohereForAI-c4ai-command-r7b-12-2024-tool_use',
  'command-r': 'CohereForAI-c4ai-command-r-plus-tool_use',
  'deepseek-v3':
    'deepseek-ai-DeepSeek-R1-Distill-Llama-8B deepseek-ai-DeepSeek-R1-Distill-Qwen-32B llama-cpp-deepseek-r1 tool_chat_template_deepseekr1 tool_chat_template_deepseekv3 sglang-tool_chat_template_deepseekr1 sglang-tool_chat_template_deepseekv3',
  'deepseek-v3.1':
    'deepseek-ai-DeepSeek-V3.1 tool_chat_template_deepseekv31 sglang-tool_chat_template_deepseekv31 tool_chat_template_deepseekv32',
  'deepseek-v3.2': 'deepseek-ai-DeepSeek-V3.2',
  'deepseek-v4': 'deepseek-ai-DeepSeek-V4 deepseek-ai-DeepSeek-V4-Flash-0731',
  'functionary-v3.1': 'meetkai-functionary-medium-v3.1',
  'functionary-v3.2': 'meetkai-functionary-medium-v3.2',
  functiongemma: 'tool_chat_template_functiongemma',
  gemma4:
    'google-gemma-4-31B-it google-gemma-4-31B-it-interleaved tool_chat_template_gemma4 vllm-tool_chat_template_gemma4 gemma4_31b_chat_template gemma4_e2b_chat_template',
  gigachat3: 'GigaChat3-10B-A1.8B GigaChat3.1-10B-A1.8B',
  'glm-4.5': 'GLM-4.6 tool_chat_template_glm4',
  'glm-4.7': 'GLM-4.7-Flash',
  granite: 'ibm-granite-granite-3.3-2B-Instruct tool_chat_template_granite vllm-tool_chat_template_granite',
  'granite-20b': 'tool_chat_template_granite_20b_fc',
  harmony: 'openai-gpt-oss-120b',
  hermes:
    'Bielik-11B-v3.0-Instruct MiMo-VL NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use NousResearch-Hermes-3-Llama-3.1-8B-tool_use Qwen-QwQ-32B Qwen-Qwen2.5-7B-Instruct Qwen-Qwen3-0.6B Reka-Edge ibm-granite-granite-4.0 ibm-granite-granite-4.1 qwen3 template_minicpmv45 tool_chat_template_hermes',
  'hunyuan-3': 'tencent-Hy3',
  'hunyuan-a13b': 'tool_chat_template_hunyuan_a13b',
  internlm2: 'tool_chat_template_internlm2_tool',
  'kimi-k2': 'Kimi-K2-Instruct Kimi-K2-Thinking moonshotai-Kimi-K2',
  'kimi-k3': 'Kimi-K3',
  laguna:
    'poolside-Laguna-S-2.1 poolside-Laguna-XS-2.1 poolside-Laguna-XS.2 laguna_v2_chat_template laguna_v8_chat_template',
  lfm2: 'LFM2-8B-A1B LFM2.5-8B-A1B LFM2.5-Instruct',
  'llama3-json':
    'meta-llama-Llama-3.1-8B-Instruct meta-llama-Llama-3.2-3B-Instruct meta-llama-Llama-3.3-70B-Instruct tool_chat_template_llama3.1_json tool_chat_template_llama3.2_json tool_chat_template_llama4_json sglang-tool_chat_template_llama3.1_json',
  'llama4-pythonic': 'tool_chat_template_llama4_pythonic sglang-tool_chat_template_llama4_pythonic',
  minicpm5: 'openbmb-MiniCPM5-1B',
  'minimax-m1': 'MiniMax-M1',
  'minimax-m2': 'MiniMax-M2',
  'minimax-m3': 'MiniMax-M3',
  mistral:
    'Mistral-Small-3.2-24B-Instruct-2506 mistralai-Ministral-3-14B-Reasoning-2512 unsloth-mistral-Devstral-Small-2507',
  'mistral-v3':
    'mistralai-Mistral-Nemo-Instruct-2407 tool_chat_template_mistral tool_chat_template_mistral3 tool_chat_template_mistral_parallel',
  muse: 'muse-glimmer tool_chat_template_muse_glimmer glimmer_chat_template',
  nemotron: 'NVIDIA-Nemotron-Nano-v2',
  'phi-4-mini': 'fireworks-ai-llama-3-firefunction-v2 tool_chat_template_phi4_mini',
  pythonic:
    'tool_chat_template_gemma3_pythonic tool_chat_template_llama3.2_pythonic tool_chat_template_toolace',
  'qwen3-coder':
    'NVIDIA-Nemotron-3-Nano-30B-A3B-BF16 Qwen3-Coder Qwen3.5-4B StepFun3.5-Flash qwen35 tool_chat_template_qwen3coder qwen38_chat_template nemotron35_chat_template nemotron3nano_chat_template',
  'seed-oss': 'ByteDance-Seed-OSS',
  'solar-open': 'upstage-Solar-Open-100B',
  xlam: 'tool_chat_template_xlam_llama tool_chat_template_xlam_qwen',
};

/** Templates without calls, or of models whose calls no dialect here is. */
const silent =
  'HuggingFaceTB-SmolLM3-3B google-gemma-2-2b-it llama-cpp-rwkv-world microsoft-Phi-3.5-mini-instruct ' +
  'bge-reranker-v2-gemma dse_qwen2_vl mxbai_rerank_v2 nemotron-rerank nemotron-vl-rerank nemotron_embed_vl qwen3_reranker ' +
  'qwen3_vl_reranker template_alpaca template_basic template_blip2 template_chatglm template_chatglm2 template_chatml ' +
  'template_deepseek_ocr template_deepseek_vl2 template_falcon template_falcon_180b template_inkbot template_kimi_audio ' +
  'template_teleflm vlm2vec_phi3v vlm2vec_qwen2vl vllm-template_chatml sglang-qwen3_reranker sglang-qwen3_vl_reranker ' +
  'tool_chat_template_c4ai_command_r_v01 vision_template_sarashina_vl';

const templates = new Map<string, string | undefined>([
  ...Object.entries(told).flatMap(([dialect, names]) =>
    names.split(' ').map((name): [string, string] => [name, dialect]),
  ),
  ...silent.split(' ').map((name): [string, undefined] => [name, undefined]),
]);
const isTemplate = /\.jinja2?$/;
const here = folder !== undefined && existsSync(folder) ? readdirSync(folder) : [];
const files = here.filter((file) => isTemplate.test(file));

describe('a chat template of the collections', () => {
  if (files.length === 0) {
    it.skip(`is told, of ${templates.size}; NOT TESTED: set DRAGOMAN_TEMPLATES to a folder that has them`);
    return;
  }
  it('is listed here', () => {
    expect(files.filter((file) => !templates.has(file.replace(isTemplate, '')))).toEqual([]);
  });

  it.each(files.map((file) => [file, templates.get(file.replace(isTemplate, ''))]))(
    '%s is told as %s',
    (file, dialect) => {
      const found = detect({ template: readFileSync(`${folder}/${file}`, 'utf8') });
      expect(found?.dialect.name).toBe(dialect);
      expect(found?.confidence ?? 1).toBeGreaterThanOrEqual(0.8);
    },
  );
});
