// Heals an upstream that has native tool calls: they are read, checked and, if they are wrong, asked for again, like those
// of emulation; text is searched for calls that leaked, in the model's dialects; calls in an error of the upstream, which
// could not read them, are delivered (rescue-calls.ts); and an upstream that refuses tools is asked again with emulation.

import { type AnswerEvent, ApiError, type ModelRequest, type Reask } from '../../model/index.js';
import { emulateBatches } from '../emulate/emulate.js';
import type { BridgeOptions } from '../options.js';
import { refusedFormat, rememberRefusal, withoutFormats } from '../structured/format-refusals.js';
import { fromBatches } from '../upstream/batches.js';
import type { AskContext, Upstream } from '../upstream/upstream.js';
import { type CallFailure, callFailure } from './call-failures.js';
import { Healing } from './healing.js';
import { refusesTools } from './tool-refusals.js';

/** Throws an ApiError, before the first event or between two. */
export function heal(
  request: ModelRequest,
  upstream: Upstream,
  options: BridgeOptions & AskContext,
): AsyncIterable<AnswerEvent> {
  return fromBatches(healBatches(request, upstream, options));
}

async function* healBatches(
  request: ModelRequest,
  upstream: Upstream,
  options: BridgeOptions & AskContext,
): AsyncGenerator<AnswerEvent[]> {
  const healing = new Healing(request, upstream, options);
  let failed: ApiError | undefined;
  let failure: CallFailure | undefined;
  try {
    // One generator for all: each further one would cost more than the events that it passes on.
    for (let asking = healing.begin(); asking; asking = healing.again()) {
      const batches = healing.ask(asking);
      try {
        for (let step = await batches.next(); !step.done; step = await batches.next()) {
          const { events, error } = healing.read(asking, step.value);
          if (events.length > 0) yield events;
          if (error) throw error;
        }
      } finally {
        asking.usage.end();
        batches.return?.()?.catch(() => {});
      }
    }
    yield healing.end();
    return;
  } catch (error) {
    const refused = healing.started ? undefined : refusedFormat(error, healing.sent);
    if (refused !== undefined) return yield* healWithoutFormat(request, upstream, options, refused);
    if (!(error instanceof ApiError) || healing.delivered || !healing.hasTools) throw error;
    failure = callFailure(error);
    if (!failure && !refusesTools(error)) throw error;
    failed = error;
  }
  const rescued = failure && healing.rescue(failure, failed);
  if (rescued) return yield rescued;
  const reask = failure && failedCall(failure, failed);
  if (reask) options.onEvent?.({ type: 'reask', reask });
  else options.onEvent?.({ type: 'tools-refused', message: failed.message });
  const reasks = [...healing.reasks, ...(reask ? [reask] : [])];
  for await (const batch of emulateBatches(request, upstream, options)) {
    // Reasoning of the failed answer went out, and the start with it.
    const events = healing.started ? batch.filter(({ type }) => type !== 'answer-start') : batch;
    yield events.map((event) => {
      if (event.type !== 'report') return event;
      const report = { ...event.report, reasks: [...reasks, ...event.report.reasks] };
      return { type: 'report', report: reask ? report : { ...report, refused: failed.message } };
    });
  }
}

/** Asks an upstream again that refused the format. */
async function* healWithoutFormat(
  request: ModelRequest,
  upstream: Upstream,
  options: BridgeOptions & AskContext,
  refused: string,
): AsyncGenerator<AnswerEvent[]> {
  for await (const batch of healBatches(request, withoutFormats(upstream), options))
    yield batch.map((event) =>
      event.type === 'report' ? { ...event, report: { refused, ...event.report } } : event,
    );
  rememberRefusal(upstream, request);
}

/** How much a report keeps of what the model wrote in a call that the upstream could not read. */
const LONGEST_TEXT = 2000;

function failedCall({ raw = '' }: CallFailure, { message }: ApiError): Reask {
  return { choice: 0, reasons: [message], issues: [], text: raw.slice(0, LONGEST_TEXT) };
}
