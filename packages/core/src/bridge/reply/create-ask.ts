// Asks a model in the mode that fits what it can do: emulate, heal or native.

import type { AnswerEvent, ModelRequest, Report } from '../../model/index.js';
import { ApiError } from '../../model/index.js';
import { allowedTools } from '../emulate/allowed-tools.js';
import { emulate } from '../emulate/emulate.js';
import { taughtGrammars } from '../emulate/freeform-grammars.js';
import { silent } from '../emulate/spell-request.js';
import { heal } from '../heal/heal.js';
import { leftOut, tellItems } from '../history/stand-ins.js';
import type { BridgeOptions } from '../options.js';
import { askedInWords } from '../structured/teach-format.js';
import { type Batches, batchesOf, fromBatches, mapEvents } from '../upstream/batches.js';
import { HeldSize } from '../upstream/held-size.js';
import { createUpstream, type UpstreamOptions } from '../upstream/http-upstream.js';
import { pause } from '../upstream/portions.js';
import { controlMembers, stripControl } from '../upstream/strip-control.js';
import type { Ask, AskContext, Upstream } from '../upstream/upstream.js';
import { foreignMembers, isOwnApi } from '../upstream/vendor-members.js';
import { createFitting, type FittedRequest } from './fit-request.js';

export interface AskOptions extends BridgeOptions {
  upstream: Upstream | UpstreamOptions;
  /**
   * `emulate`: the upstream only writes text. `heal`: it has tools and may leak. `native`: its calls are
   * passed as they are. Default `auto`: heal where the upstream is known to have tools, else emulate.
   */
  mode?: 'auto' | 'emulate' | 'heal' | 'native';
}

export function createAsk(options: AskOptions): Ask {
  const upstream = toUpstream(options.upstream);
  const mode = settleMode(options, upstream);
  const answer = (fitted: FittedRequest, context: AskContext) => {
    const { request: asking, upstream: given } = fitted;
    const request = asking.api === given.api ? asking : tellItems(asking);
    const asked: BridgeOptions & AskContext = { ...options, ...context };
    if (mode === 'native') return passThrough(request, given, context);
    if (mode === 'emulate' || fitted.toolless) return emulate(request, given, asked);
    return heal(request, given, {
      ...asked,
      onEvent: (event) => {
        if (event.type === 'tools-refused') fitted.refuseTools();
        asked.onEvent?.(event);
      },
    });
  };
  const fit = createFitting(options, upstream, mode);
  const isGuess = (options.mode ?? 'auto') === 'auto' && upstream.tools === undefined;
  return (given, { onEvent = options.onEvent, ...context }) => {
    context.turn?.ask(upstream);
    const fitted = fit(given, onEvent);
    const held = context.held ?? (given.stream ? undefined : new HeldSize());
    const asked = { ...context, ...(fitted.onEvent && { onEvent: fitted.onEvent }), ...(held && { held }) };
    const ask = () => answer(fitted, asked);
    const events = fitted.reported(fitted.isMended ? afterPause(ask) : ask());
    return isGuess ? mapEvents(events, guessed) : events;
  };
}

/** To mend a history can take as long as all that follows. */
function afterPause(ask: () => AsyncIterable<AnswerEvent>): AsyncIterable<AnswerEvent> {
  let batches: Batches<AnswerEvent> | undefined;
  let left = false;
  return fromBatches({
    async next() {
      if (batches) return batches.next();
      await pause();
      // The client disconnected during the pause: the upstream is not asked.
      if (left) return { done: true, value: undefined };
      batches = batchesOf(ask());
      return batches.next();
    },
    async return() {
      left = true;
      await batches?.return?.();
      return { done: true, value: undefined };
    },
  });
}

/** Adds to the report that nothing told the mode. */
function guessed(event: AnswerEvent): AnswerEvent {
  if (event.type !== 'report') return event;
  const { mode, ...report } = event.report;
  return { ...event, report: { mode, modeFrom: 'default', ...report } };
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

async function* passThrough(
  request: ModelRequest,
  upstream: Upstream,
  context: AskContext,
): AsyncGenerator<AnswerEvent> {
  const stripped = stripControl(request);
  const { members, dropped } = foreignMembers(stripped, upstream, silent);
  const { skippedItems, ignored: left = [] } = leftOut(request, upstream);
  const ignored = [...dropped, ...controlMembers(request), ...left, ...ignoredChoice(request, upstream)];
  const asked = askedInWords(stripped, upstream);
  const onIgnored = (member: string) => {
    if (!ignored.includes(member)) ignored.push(member);
  };
  const sent = Object.keys(members).length > 0 ? { ...asked, members } : asked;
  for await (const event of upstream.ask(sent, { ...context, onIgnored })) {
    const tooMuch = context.held?.add(event);
    if (tooMuch) throw tooMuch;
    yield event;
  }
  const taught = taughtGrammars(request, upstream);
  const report: Report = {
    mode: 'native',
    issues: [],
    repairs: [],
    reasks: [],
    ...(skippedItems && { skippedItems }),
    ...(ignored.length > 0 && { ignored }),
    ...(taught.length > 0 && { taughtGrammars: taught }),
  };
  yield { type: 'report', report };
}

/** Names a list of allowed tools that another API has no words for: in this mode nothing else holds the model to it. */
function ignoredChoice(request: ModelRequest, upstream: Upstream): string[] {
  const { conversation } = request;
  const narrows = allowedTools(conversation).length < conversation.tools.length;
  return narrows && !isOwnApi(request, upstream) ? ['tool_choice.allowed_tools'] : [];
}
