// An upstream that gets each conversation in a form that it accepts: in an order of roles (history/role-shapes.ts), and with
// images or without. Where it refuses one, it is asked again in another, and what it then accepts is remembered for the
// model.

import { type AnswerEvent, ApiError, type Mend, type Message, type ModelRequest } from '../../model/index.js';
import { refusedRoles } from '../history/role-refusals.js';
import { type RoleShape, roleShapes, shapeRoles } from '../history/role-shapes.js';
import type { BridgeEvent, BridgeOptions } from '../options.js';
import { shareRefusals } from '../structured/format-refusals.js';
import { type Batches, batchesOf, fromBatches } from './batches.js';
import { readableMedia } from './media.js';
import { refusesMedia } from './media-refusals.js';
import { ModelMemory } from './model-memory.js';
import type { Upstream, UpstreamContext, UpstreamRequest } from './upstream.js';

interface Form {
  roles: RoleShape;
  /** The model cannot see images: those in results become notes. */
  blind?: boolean;
  /** The model refused tools: it is emulated. */
  toolless?: boolean;
}

/** The forms that the models of one endpoint need. */
export class KnownForms {
  readonly #learnt = new ModelMemory<Partial<Form>>();

  /**
   * `first` is the order of roles for models that have refused none, and `emulated` that for models that have refused
   * tools. `fixed`: it is never another.
   */
  constructor(
    readonly first: RoleShape,
    readonly emulated: RoleShape,
    readonly fixed: boolean,
  ) {}

  of(model: string): Form {
    const learnt = this.#learnt.get(model);
    return { roles: learnt?.toolless ? this.emulated : this.first, ...learnt };
  }

  /** Adds to what is known of the model. */
  learn(model: string, learnt: Partial<Form>): void {
    this.#learnt.set(model, { ...this.#learnt.get(model), ...learnt });
  }
}

type Tell = BridgeOptions['onEvent'];

export interface FittedUpstream {
  upstream: Upstream;
  /** Tells events, with requests to the upstream in their form. */
  onEvent: Tell;
  /** The places are those of the client's conversation. Another list after each refusal, which is in it. */
  mended: readonly Mend[];
  /** The model refused tools before. */
  toolless: boolean;
  /** Remembers that the model refuses tools. The next time it is asked in the form for emulation. */
  refuseTools(): void;
}

/** `changed` is called after a refusal. */
export function fittedUpstream(
  upstream: Upstream,
  known: KnownForms,
  { model, conversation: { messages } }: ModelRequest,
  tell: Tell,
  changed: () => void,
): FittedUpstream {
  // By their message: choices that are asked for at once are refused alike.
  const refusals = new Map<string, Mend>();
  const reshape = (form: Form) => {
    fitted.mended = [...refusals.values(), ...inForm(messages, form).mended];
    changed();
  };
  const refuse = (refusal: Mend, form: Form) => {
    refusals.set(refusal.message, refusal);
    reshape(form);
  };
  const ask: Upstream['ask'] = (request, context) =>
    fromBatches(
      new FittedAnswer(upstream, request, context, {
        form: known.of(model),
        fixed: known.fixed,
        learn: (learnt) => known.learn(model, learnt),
        refuse,
      }),
    );
  const shown = (event: BridgeEvent): BridgeEvent =>
    event.type === 'upstream-request' ? { ...event, request: fit(event.request, known.of(model)) } : event;
  const asked: Upstream = { ...upstream, ask };
  shareRefusals(upstream, asked);
  const form = known.of(model);
  const fitted: FittedUpstream = {
    upstream: asked,
    onEvent: tell && ((event) => tell(shown(event))),
    mended: inForm(messages, form).mended,
    toolless: form.toolless ?? false,
    refuseTools() {
      known.learn(model, { toolless: true });
      reshape(known.of(model));
    },
  };
  return fitted;
}

function inForm(messages: Message[], { roles, blind }: Form): { messages: Message[]; mended: Mend[] } {
  const read = blind ? readableMedia(messages, false) : { messages, mended: [] };
  const shaped = shapeRoles(read.messages, roles);
  return { messages: shaped.messages, mended: [...read.mended, ...shaped.mended] };
}

function fit(request: UpstreamRequest, form: Form): UpstreamRequest {
  const { conversation } = request;
  const { messages } = inForm(conversation.messages, form);
  return messages === conversation.messages
    ? request
    : { ...request, conversation: { ...conversation, messages } };
}

interface Fitting {
  /** The form in which the upstream is asked first. */
  form: Form;
  /** The order of roles stays. */
  fixed: boolean;
  /** The upstream refused a form, and is asked again in another. */
  refuse(refusal: Mend, form: Form): void;
  /** The upstream accepted a form that differs from the first in this. */
  learn(learnt: Partial<Form>): void;
}

/** What to change in the form, and why. */
interface Change {
  to: Partial<Form>;
  refusal: Mend;
  /** It is about this request alone. */
  once?: boolean;
}

class FittedAnswer implements Batches<AnswerEvent> {
  #form: Form;
  #request: UpstreamRequest;
  #batches: Batches<AnswerEvent>;
  #started = false;
  #begun = false;
  #learnt: Partial<Form> | undefined;

  constructor(
    private readonly upstream: Upstream,
    private readonly asked: UpstreamRequest,
    private readonly context: UpstreamContext,
    private readonly fitting: Fitting,
  ) {
    this.#form = fitting.form;
    this.#request = fit(asked, this.#form);
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
    // A refusal stays one: it is not retried, whatever its status.
    const isHandled = (error: ApiError) => this.#after(error) !== undefined || handles?.(error) === true;
    return batchesOf(this.upstream.ask(this.#request, { ...this.context, handles: isHandled }));
  }

  async #begin(): Promise<IteratorResult<AnswerEvent[], unknown>> {
    for (;;) {
      try {
        return this.#passed(await this.#batches.next());
      } catch (error) {
        const change = error instanceof ApiError && !this.context.signal.aborted && this.#after(error);
        if (!change) throw error;
        const { to, refusal, once } = change;
        this.#form = { ...this.#form, ...to };
        if (!once) this.#learnt = { ...this.#learnt, ...to };
        this.fitting.refuse(refusal, this.#form);
        this.#request = fit(this.asked, this.#form);
        this.#batches = this.#ask();
      }
    }
  }

  /** Passes a step on, and one start in all. Throws an error that comes before all content. */
  #passed(step: IteratorResult<AnswerEvent[], unknown>): IteratorResult<AnswerEvent[], unknown> {
    const content = step.done ? undefined : step.value.find(isNoStart);
    if (content?.type === 'error') throw content.error;
    if (content !== undefined || step.done) {
      this.#begun = true;
      if (this.#learnt) this.fitting.learn(this.#learnt);
    }
    const events = step.done || !this.#started ? undefined : step.value.filter(isNoStart);
    this.#started = true;
    return events ? { done: false, value: events } : step;
  }

  /** Gives a change that can help; none if the error is about something else, or the request would stay the same. */
  #after(error: ApiError): Change | undefined {
    if (!this.#form.blind && refusesMedia(error)) return this.#withoutMedia(error);
    const helps = this.fitting.fixed ? undefined : refusedRoles(error);
    return helps && this.#inOtherRoles(helps, error.message);
  }

  #withoutMedia({ code, message }: ApiError): Change | undefined {
    const { mended, refused } = readableMedia(this.asked.conversation.messages, false);
    if (refused || mended.length === 0) return undefined;
    const told = `The upstream refused media, and was asked again with notes in their place. ${message}`;
    const refusal: Mend = { code: 'refused-media', path: 'messages', message: told };
    return { to: { blind: true }, refusal, once: code === 'unsupported-media' };
  }

  #inOtherRoles(helps: RoleShape, message: string): Change | undefined {
    const from = Math.max(roleShapes.indexOf(helps), roleShapes.indexOf(this.#form.roles) + 1);
    const sent = JSON.stringify(this.#request.conversation.messages);
    const changes = (roles: RoleShape) =>
      JSON.stringify(fit(this.asked, { ...this.#form, roles }).conversation.messages) !== sent;
    const roles = roleShapes.slice(from).find(changes);
    if (roles === undefined) return undefined;
    const told = `The upstream refused the order of roles, and was asked again with roles: ${roles}. ${message}`;
    return { to: { roles }, refusal: { code: 'refused-roles', path: 'messages', message: told } };
  }
}

const isNoStart = ({ type }: AnswerEvent) => type !== 'answer-start';
