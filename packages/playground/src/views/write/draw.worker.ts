// The worker that draws, so that typing never waits for it.

import { drawColumns } from './draw.js';
import type { WriteState } from './state.js';

addEventListener('message', ({ data }: MessageEvent<WriteState>) => postMessage(drawColumns(data)));
