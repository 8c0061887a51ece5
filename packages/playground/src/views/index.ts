// The views, in the order of their tabs.

import type { PageView } from '../view.js';
import { inspectView } from './inspect/index.jsx';
import { readView } from './read/read.jsx';
import { tryView } from './try/index.jsx';
import { writeView } from './write/write.jsx';

export const views: readonly PageView[] = [readView, writeView, tryView, inspectView];
