// The prompts of the models that speak hermes in other turns than Qwen3. The registry of all dialects has them; `hermes`
// imported alone writes the prompt of Qwen3, so that a page that only reads calls does not load them.

import type { PromptVariant } from '../../engine/dialect.js';
import { granite4 } from './granite-4.js';
import { hermes3 } from './hermes-3.js';
import { mimoVl, qwen25, qwq } from './qwen2.5.js';

export const hermesVariants: readonly PromptVariant[] = [qwen25, qwq, mimoVl, granite4, hermes3];
