// Records one request to an upstream for the inspector: the request, the text that came back, the parser's events.

import type { JsonValue, ParseEvent } from '@dragoman/core';
import type { BridgeEvent } from '@dragoman/core/bridge';
import type { AttemptRecord, ParseRecord } from './inspector-shapes.js';
import type { Share } from './share.js';

export class RecordedAttempt {
  readonly choice: number;
  readonly attempt: number;
  readonly head: Pick<AttemptRecord, 'sent' | 'settings'>;
  readonly #shares: { sent: Share; text: Share; events: Share };
  readonly #at: number;
  #members: JsonValue | undefined;
  #textAt: [first: number, last: number] | undefined;
  #text = '';
  #textCut = 0;
  readonly #events: ParseRecord[] = [];
  #eventsCut = 0;
  #reasons: string[] | undefined;

  constructor(
    { choice, attempt, request }: Extract<BridgeEvent, { type: 'upstream-request' }>,
    shares: { sent: Share; text: Share; events: Share },
    at: number,
    readonly upstream?: string,
  ) {
    this.#at = at;
    this.choice = choice;
    this.attempt = attempt;
    this.#shares = shares;
    const { prompt, conversation, settings } = request;
    const tools = conversation.tools.length > 0 && { tools: shares.sent.copy(conversation.tools) };
    const sent =
      prompt === undefined
        ? { messages: shares.sent.copy(conversation.messages), ...tools }
        : { prompt: shares.sent.text(prompt) };
    this.head = { sent, settings: shares.sent.copy(settings) };
  }

  added(members: unknown): void {
    this.#members = this.#shares.sent.copy(members);
  }

  received(text: string, at: number): void {
    this.#textAt ??= [at, at];
    this.#textAt[1] = at;
    const kept = this.#textCut > 0 ? '' : this.#shares.text.text(text);
    this.#text += kept;
    this.#textCut += text.length - kept.length;
  }

  parsed(event: ParseEvent, at: number): void {
    const last = this.#events.at(-1);
    const { events } = this.#shares;
    if (last && continues(last, event)) {
      last.range[1] = event.range[1];
      last.at[1] = at;
      last.count++;
      if ('text' in event) last.text = (last.text ?? '') + events.text(event.text);
    } else if (events.has(64)) this.#events.push(this.#record(event, at));
    else this.#eventsCut++;
  }

  asked(reasons: readonly string[]): void {
    this.#reasons = reasons.map((reason) => this.#shares.events.text(reason));
  }

  record(): AttemptRecord {
    return {
      choice: this.choice,
      attempt: this.attempt,
      ...(this.upstream !== undefined && { upstream: this.upstream }),
      at: this.#at,
      ...(this.#textAt && { textAt: [...this.#textAt] }),
      ...this.head,
      ...(this.#members !== undefined && { members: this.#members }),
      text: this.#text,
      ...(this.#textCut > 0 && { textCut: this.#textCut }),
      events: this.#events.map((event) => ({ ...event, range: [...event.range], at: [...event.at] })),
      ...(this.#eventsCut > 0 && { eventsCut: this.#eventsCut }),
      ...(this.#reasons && { reasons: this.#reasons }),
    };
  }

  #record(event: ParseEvent, at: number): ParseRecord {
    const { events } = this.#shares;
    const { type, range, issues, repairs } = event;
    return {
      type,
      range: [...range],
      count: 1,
      at: [at, at],
      ...('text' in event && { text: events.text(event.text) }),
      ...('id' in event && event.id !== undefined && { id: events.text(event.id) }),
      ...('name' in event && event.name !== undefined && { name: events.text(event.name) }),
      ...('input' in event && { input: events.copy(event.input) }),
      ...('aside' in event && event.aside && { aside: true }),
      ...(issues && issues.length > 0 && { issues: issues.map((issue) => events.copy(issue)) }),
      ...(repairs && repairs.length > 0 && { repairs: repairs.map((repair) => events.copy(repair)) }),
    };
  }
}

/** Whether two deltas can be joined: same kind, adjacent, no issues on the second. */
function continues(last: ParseRecord, event: ParseEvent): boolean {
  if (last.type !== event.type || last.range[1] !== event.range[0]) return false;
  if (event.issues?.length || event.repairs?.length || last.issues || last.repairs) return false;
  if (event.type === 'call-delta') return last.id === event.id;
  if (event.type === 'text-delta') return (last.aside ?? false) === (event.aside ?? false);
  return event.type === 'reasoning-delta' || event.type === 'markup';
}
