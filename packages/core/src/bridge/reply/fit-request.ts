// Fits a request to what its upstream accepts, once for all attempts and modes: faults of the history are mended, media that
// the model cannot see become notes, and roles get the order that the upstream wants. The report lists all of it.

import type { AnswerEvent, Mend, ModelRequest } from '../../model/index.js';
import { settleDialect } from '../emulate/dialect-of-model.js';
import { mendHistory } from '../history/mend-history.js';
import { type RoleShape, shapeRoles } from '../history/role-shapes.js';
import type { BridgeOptions } from '../options.js';
import { mapEvents } from '../upstream/batches.js';
import { type FittedUpstream, fittedUpstream, KnownForms } from '../upstream/fitted-upstream.js';
import { readableMedia, seesMedia } from '../upstream/media.js';
import type { Upstream } from '../upstream/upstream.js';

type Tell = BridgeOptions['onEvent'];

export interface FittedRequest extends Omit<FittedUpstream, 'mended'> {
  request: ModelRequest;
  /** Whether the history had to be mended. */
  isMended: boolean;
  /** Adds to the report what was mended. */
  reported(events: AsyncIterable<AnswerEvent>): AsyncIterable<AnswerEvent>;
}

/** Native mode passes everything as it is, unless told otherwise. */
export function createFitting(
  options: BridgeOptions,
  upstream: Upstream,
  mode: 'emulate' | 'heal' | 'native',
): (given: ModelRequest, onEvent: Tell) => FittedRequest {
  const native = mode === 'native';
  const { history = native ? 'exact' : 'mend', roles = native ? 'as-is' : 'auto' } = options;
  const emulated = roles === 'auto' ? 'strict' : roles;
  const first = roles === 'auto' && mode !== 'emulate' ? 'as-is' : emulated;
  const known = new KnownForms(first, emulated, roles === 'as-is');
  const learns = upstream.takes === 'messages' && !(native && roles === 'as-is');
  return (given, onEvent) => {
    const mended: Mend[] = [];
    let request = history === 'mend' ? noting(mendHistory(given), mended) : given;
    if (upstream.takes === 'prompt') request = noting(asPrompt(request, { ...options, roles }), mended);
    if (!native && !seesMedia(upstream))
      mended.push(...readableMedia(request.conversation.messages, false).mended);
    const all = () => [...mended, ...fitted.mended];
    const tell = () => {
      if (all().length > 0) onEvent?.({ type: 'mended', mended: all() });
    };
    const fitted: FittedUpstream = learns
      ? fittedUpstream(upstream, known, request, onEvent, tell)
      : { upstream, mended: [], onEvent, toolless: false, refuseTools: () => {} };
    tell();
    const add = (event: AnswerEvent): AnswerEvent =>
      event.type === 'report' ? { ...event, report: { ...event.report, mended: all() } } : event;
    return {
      ...fitted,
      request,
      isMended: mended.length > 0,
      reported: (events) => mapEvents(events, add, () => mended.length + fitted.mended.length > 0),
    };
  };
}

interface Mended {
  request: ModelRequest;
  mended: readonly Mend[];
}

function noting({ request, mended }: Mended, list: Mend[]): ModelRequest {
  list.push(...mended);
  return request;
}

/** Brings roles into the order that the dialect's whole prompt can write. */
function asPrompt(request: ModelRequest, { roles, ...options }: BridgeOptions): Mended {
  const shape = roles === undefined || roles === 'auto' ? promptShape(options, request.model) : roles;
  const { conversation } = request;
  const { messages, mended } = shapeRoles(conversation.messages, shape);
  return { request: { ...request, conversation: { ...conversation, messages } }, mended };
}

function promptShape(options: BridgeOptions, model: string): RoleShape {
  try {
    return settleDialect(options, model).dialect.traits.roles ?? 'as-is';
  } catch {
    // The dialect is unknown, which is told when the prompt is written.
    return 'as-is';
  }
}
