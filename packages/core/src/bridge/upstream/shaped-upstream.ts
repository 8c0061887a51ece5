// An upstream that gets each conversation in the order of roles that it accepts (history/role-shapes.ts). Where it refuses
// one, it is asked again in a stricter shape, and what it then accepts is remembered for the model.

import { type AnswerEvent, ApiError, type Mend, type ModelRequest } from '../../model/index.js';
import { refusedRoles } from '../history/role-refusals.js';
import { type RoleShape, roleShapes, shapeRoles } from '../history/role-shapes.js';
import type { BridgeEvent, BridgeOptions } from '../options.js';
import { type Batches, batchesOf, fromBatches } from './batches.js';
import type { Upstream, UpstreamContext, UpstreamRequest } from './upstream.js';

/** The shapes that the models of one endpoint need. */
export class KnownShapes {
  readonly #shapes = new Map<string, RoleShape>();

  /** `first` is the shape for models that have refused none. */
  constructor(readonly first: RoleShape) {}

  of(model: string): RoleShape {
    return this.#shapes.get(model) ?? this.first;
  }

  /** Bounded, since clients choose the names of models. */
  learn(model: string, shape: RoleShape): void {
    if (this.#shapes.size >= 1000) this.#shapes.clear();
    this.#shapes.set(model, shape);
  }
}

type Tell = BridgeOptions['onEvent'];

/** What is done to the conversation of one request. */
export interface ShapedUpstream {
  upstream: Upstream;
  /** Tells events, with requests to the upstream in their shape. */
  onEvent: Tell;
  /** The places are those of the client's conversation. Another list after a refusal, which is in it. */
  mended: readonly Mend[];
}

export function shapedUpstream(
  upstream: Upstream,
  known: KnownShapes,
  { model, conversation: { messages } }: ModelRequest,
  tell: Tell,
  changed: () => void,
): ShapedUpstream {
  const { mended } = shapeRoles(messages, known.of(model));
  const learn = (shape: RoleShape) => known.learn(model, shape);
  const refuse = (message: string, shape: RoleShape) => {
    const told = `The upstream refused the order of roles, and was asked again with roles: ${shape}. ${message}`;
    const refusal: Mend = { code: 'refused-roles', path: 'messages', message: told };
    shaped.mended = [refusal, ...shapeRoles(messages, shape).mended];
    changed();
  };
  const ask: Upstream['ask'] = (request, context) =>
    fromBatches(new ShapedAnswer(upstream, request, context, { shape: known.of(model), refuse, learn }));
  const shaped: ShapedUpstream = {
    upstream: { ...upstream, ask },
    onEvent: tell && ((event) => tell(inShapeTold(event, known.of(model)))),
    mended,
  };
  return shaped;
}

function inShapeTold(event: BridgeEvent, shape: RoleShape): BridgeEvent {
  return event.type === 'upstream-request' ? { ...event, request: inShape(event.request, shape) } : event;
}

interface Shaping {
  /** The shape in which the upstream is asked first. */
  shape: RoleShape;
  /** The upstream refused the roles, and is asked again in another shape. */
  refuse(message: string, shape: RoleShape): void;
  /** The upstream accepted another shape than the first. */
  learn(shape: RoleShape): void;
}

class ShapedAnswer implements Batches<AnswerEvent> {
  #shape: RoleShape;
  #request: UpstreamRequest;
  #batches: Batches<AnswerEvent>;
  #started = false;
  #begun = false;

  constructor(
    private readonly upstream: Upstream,
    private readonly asked: UpstreamRequest,
    private readonly context: UpstreamContext,
    private readonly shaping: Shaping,
  ) {
    this.#shape = shaping.shape;
    this.#request = inShape(asked, this.#shape);
    this.#batches = this.#ask();
  }

  next(): Promise<IteratorResult<AnswerEvent[], unknown>> {
    return this.#begun ? this.#batches.next() : this.#begin();
  }

  return(): Promise<IteratorResult<AnswerEvent[], unknown>> {
    return this.#batches.return?.() ?? Promise.resolve({ done: true, value: undefined });
  }

  #ask(): Batches<AnswerEvent> {
    const { handles } = this.context;
    // A refusal of roles stays one: it is not retried, whatever its status.
    const isHandled = (error: ApiError) => this.#after(error) !== undefined || handles?.(error) === true;
    return batchesOf(this.upstream.ask(this.#request, { ...this.context, handles: isHandled }));
  }

  async #begin(): Promise<IteratorResult<AnswerEvent[], unknown>> {
    for (;;) {
      try {
        return this.#passed(await this.#batches.next());
      } catch (error) {
        const next = error instanceof ApiError && !this.context.signal.aborted && this.#after(error);
        if (!next) throw error;
        this.shaping.refuse(error.message, next.shape);
        this.#shape = next.shape;
        this.#request = next.request;
        this.#batches = this.#ask();
      }
    }
  }

  /** Passes a step on, and one start in all. Throws an error that comes before all content. */
  #passed(step: IteratorResult<AnswerEvent[], unknown>): IteratorResult<AnswerEvent[], unknown> {
    const content = step.done ? undefined : step.value.find(({ type }) => type !== 'answer-start');
    if (content?.type === 'error') throw content.error;
    if (content !== undefined || step.done) {
      this.#begun = true;
      if (this.#shape !== this.shaping.shape) this.shaping.learn(this.#shape);
    }
    const events = step.done || !this.#started ? undefined : step.value.filter(isNoStart);
    this.#started = true;
    return events ? { done: false, value: events } : step;
  }

  /** Gives the next shape that can help and the request in it; none if all would be the same request. */
  #after(error: ApiError): { shape: RoleShape; request: UpstreamRequest } | undefined {
    const helps = refusedRoles(error);
    if (helps === undefined) return undefined;
    const from = Math.max(roleShapes.indexOf(helps), roleShapes.indexOf(this.#shape) + 1);
    const sent = JSON.stringify(this.#request.conversation.messages);
    for (const shape of roleShapes.slice(from)) {
      const request = inShape(this.asked, shape);
      if (JSON.stringify(request.conversation.messages) !== sent) return { shape, request };
    }
    return undefined;
  }
}

const isNoStart = ({ type }: AnswerEvent) => type !== 'answer-start';

function inShape(request: UpstreamRequest, shape: RoleShape): UpstreamRequest {
  const { conversation } = request;
  const { messages } = shapeRoles(conversation.messages, shape);
  return messages === conversation.messages
    ? request
    : { ...request, conversation: { ...conversation, messages } };
}
