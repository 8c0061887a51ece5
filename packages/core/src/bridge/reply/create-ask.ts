// Asks a model in the mode that fits what it can do: emulate, heal or native.

import type { AnswerEvent, ModelRequest } from '../../model/index.js';
import { ApiError } from '../../model/index.js';
import { emulate } from '../emulate/emulate.js';
import { taughtGrammars } from '../emulate/freeform-grammars.js';
import { heal } from '../heal/heal.js';
import { mendHistory } from '../history/mend-history.js';
import type { BridgeOptions } from '../options.js';
import { askedInWords } from '../structured/teach-format.js';
import { mapEvents } from '../upstream/batches.js';
import { createUpstream, type UpstreamOptions } from '../upstream/http-upstream.js';
import { stripControl } from '../upstream/strip-control.js';
import type { Ask, AskContext, Upstream, UpstreamContext } from '../upstream/upstream.js';

export interface AskOptions extends BridgeOptions {
  upstream: Upstream | UpstreamOptions;
  /**
   * `emulate`: the upstream only writes text. `heal`: it has tools and may leak. `native`: its calls are
   * passed as they are. Default `auto`: heal where the upstream takes tools, else emulate.
   */
  mode?: 'auto' | 'emulate' | 'heal' | 'native';
}

export function createAsk(options: AskOptions): Ask {
  const upstream = toUpstream(options.upstream);
  const mode = settleMode(options, upstream);
  // Models that refused tools once are not asked with tools again.
  const refusing = new Set<string>();
  const answer = (request: ModelRequest, context: AskContext) => {
    const asked: BridgeOptions & AskContext = { ...options, ...context };
    if (mode === 'native') return passThrough(request, upstream, context);
    if (mode === 'emulate' || refusing.has(request.model)) return emulate(request, upstream, asked);
    return heal(request, upstream, {
      ...asked,
      onEvent: (event) => {
        if (event.type === 'tools-refused') remember(refusing, request.model);
        asked.onEvent?.(event);
      },
    });
  };
  // Native mode passes everything as it is, unless told otherwise.
  const { history = mode === 'native' ? 'exact' : 'mend' } = options;
  return history === 'exact' ? answer : mendingAsk(answer, options);
}

/** Mends the history of each request, once for all attempts and modes, and lists the mends in the report. */
function mendingAsk(answer: Ask, options: BridgeOptions): Ask {
  return (given, context) => {
    const { request, mended } = mendHistory(given);
    if (mended.length === 0) return answer(request, context);
    (context.onEvent ?? options.onEvent)?.({ type: 'mended', mended });
    return mapEvents(answer(request, context), (event) =>
      event.type === 'report' ? { ...event, report: { ...event.report, mended } } : event,
    );
  };
}

export function toUpstream(upstream: AskOptions['upstream']): Upstream {
  return 'ask' in upstream ? upstream : createUpstream(upstream);
}

export function settleMode(
  { mode = 'auto' }: Pick<AskOptions, 'mode'>,
  upstream: Upstream,
): 'emulate' | 'heal' | 'native' {
  if (upstream.takes === 'prompt' && mode !== 'auto' && mode !== 'emulate') {
    throw new ApiError('internal', `mode '${mode}' needs an upstream with messages and tools: use 'emulate'`);
  }
  if (mode !== 'auto') return mode;
  return upstream.tools && upstream.takes === 'messages' ? 'heal' : 'emulate';
}

/** Remembers a model's name; bounded, since clients choose the names. */
function remember(models: Set<string>, model: string): void {
  if (models.size >= 1000) models.clear();
  models.add(model);
}

async function* passThrough(
  request: ModelRequest,
  upstream: Upstream,
  context: UpstreamContext,
): AsyncGenerator<AnswerEvent> {
  yield* upstream.ask(askedInWords(stripControl(request), upstream), context);
  const taught = taughtGrammars(request, upstream);
  const grammars = taught.length > 0 && { taughtGrammars: taught };
  yield { type: 'report', report: { mode: 'native', issues: [], repairs: [], reasks: [], ...grammars } };
}
