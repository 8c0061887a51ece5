// The prompts of the models that speak qwen3-coder in other turns than Qwen3-Coder. The registry of all dialects has them;
// `qwen3Coder` imported alone does not, as `hermes`.

import type { PromptVariant } from '../../engine/dialect.js';
import { nemotron3, nemotron35 } from './nemotron-3.js';
import { qwen35, qwen38 } from './qwen3.5.js';
import { step35 } from './step-3.5.js';

export const qwen3CoderVariants: readonly PromptVariant[] = [qwen35, qwen38, nemotron3, nemotron35, step35];
