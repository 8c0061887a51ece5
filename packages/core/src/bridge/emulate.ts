// Tool calls over an upstream that only writes text.

import type { AnswerEvent, ModelRequest } from '../model/index.js';
import type { BridgeOptions } from './options.js';
import type { Upstream, UpstreamContext } from './upstream.js';

export function emulate(
  _request: ModelRequest,
  _upstream: Upstream,
  _options: BridgeOptions & UpstreamContext,
): AsyncIterable<AnswerEvent> {
  throw new Error('being built');
}
