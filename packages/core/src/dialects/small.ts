// A small registry for web pages that must load fast: dialects that share most of their code.

import { createRegistry, type Registry } from '../engine/registry.js';
import { alkaid } from './alkaid/alkaid.js';
import { deepseekV32 } from './deepseek/deepseek-v3.2.js';
import { deepseekV41 } from './deepseek/deepseek-v4.1.js';
import { deepseekV4 } from './deepseek/deepseek-v4.js';
import { glm45 } from './glm/glm-4.5.js';
import { glm47 } from './glm/glm-4.7.js';
import { hermes } from './hermes/hermes.js';
import { qwen3Coder } from './qwen3-coder/qwen3-coder.js';

const dialects = [alkaid, glm45, glm47, deepseekV32, deepseekV4, deepseekV41, hermes, qwen3Coder];

export type SmallDialectName = (typeof dialects)[number]['name'];

export const small: Registry<SmallDialectName> = createRegistry(dialects);
