// The way back of each dialect of the list. Apart from the dialects: only who turns transcripts into conversations needs
// it, and a page or an agent need not load it. A dialect that is not in the list brings its own.

import type { Dialect, ReadBack } from '../engine/dialect.js';
import { alkaid } from './alkaid/alkaid.js';
import { alkaidBack } from './alkaid/read-back.js';
import { hermesBack, qwen3CoderBack } from './chatml-back.js';
import { deepseekV31 } from './deepseek/deepseek-v3.1.js';
import { deepseekV32 } from './deepseek/deepseek-v3.2.js';
import { deepseekV41 } from './deepseek/deepseek-v4.1.js';
import { deepseekV4 } from './deepseek/deepseek-v4.js';
import { deepseekV4Back, deepseekV31Back, deepseekV32Back, deepseekV41Back } from './deepseek/read-back.js';
import { glm45 } from './glm/glm-4.5.js';
import { glm47 } from './glm/glm-4.7.js';
import { glm45Back, glm47Back } from './glm/read-back.js';
import { hermes } from './hermes.js';
import { qwen3Coder } from './qwen3-coder/qwen3-coder.js';
import { xnlBack } from './xnl/read-back.js';
import { xnl } from './xnl/xnl.js';

const backs = new Map<Dialect, ReadBack>([
  [alkaid, alkaidBack],
  [xnl, xnlBack],
  [glm45, glm45Back],
  [glm47, glm47Back],
  [deepseekV31, deepseekV31Back],
  [deepseekV32, deepseekV32Back],
  [deepseekV4, deepseekV4Back],
  [deepseekV41, deepseekV41Back],
  [hermes, hermesBack],
  [qwen3Coder, qwen3CoderBack],
]);

export function backOf(dialect: Dialect): ReadBack | undefined {
  return dialect.render.back ?? backs.get(dialect);
}
