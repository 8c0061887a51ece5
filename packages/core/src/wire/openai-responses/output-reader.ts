// Reads the output of an answer while it arrives. Servers differ in what they send as deltas and what they only send
// whole, so every event with a whole text gives what the deltas before it have not given.

import type { AnswerEvent, FinishReason, Usage } from '../../model/index.js';
import { ApiError, isObject } from '../../model/index.js';
import { InputJson } from '../input-text.js';
import { defined, listOf, memberOf, numberOf, parsedJson, stringOf } from '../values.js';
import { flatName } from './spelling.js';

/** A call whose arguments still arrive. */
interface OpenCall {
  id: string;
  text: string;
  ended: boolean;
  /** Of a freeform call: its input so far, and how it becomes arguments. */
  freeform?: { input: string; json: InputJson };
}

/** Which of the two forms of a reasoning item is read: the first that comes. */
type Form = 'content' | 'summary';

export class OutputReader {
  #events: AnswerEvent[] = [];
  #started = false;
  #complete = false;
  /** Calls by the index in the output. */
  readonly #calls = new Map<number, OpenCall>();
  readonly #thoughts = new Map<number, Form>();
  /** The parts whose text came as deltas, as `item:form:part`. */
  readonly #given = new Set<string>();
  #items = 0;
  /** A call was marked as incomplete. */
  #itemCut = false;

  /** Gives the events read since the last call of this method. */
  taken(): AnswerEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Whether the answer has ended. */
  get complete(): boolean {
    return this.#complete;
  }

  #say(event: AnswerEvent): void {
    this.#events.push(event);
  }

  fail(error: ApiError): void {
    this.#say({ type: 'error', error });
  }

  #broken(message: string): void {
    this.fail(new ApiError('upstream-broken', message));
  }

  start(response: unknown): void {
    if (this.#started) return;
    this.#started = true;
    const id = stringOf(response, 'id');
    const model = stringOf(response, 'model');
    const created = numberOf(response, 'created_at');
    this.#say({ type: 'answer-start', ...defined({ id, model, created }) });
  }

  text(text: string, key: string, refusal = false): void {
    this.start(undefined);
    this.#given.add(key);
    if (text !== '') this.#say({ type: 'text-delta', text, ...(refusal && { refusal }) });
  }

  wholeText(text: string | undefined, key: string, refusal = false): void {
    if (text !== undefined && !this.#given.has(key)) this.text(text, key, refusal);
  }

  /** Reads reasoning. The item's id goes with the first delta: the encrypted form is only valid with this id. */
  thought(at: number, form: Form, part: number, text: string, id: string | undefined): void {
    this.start(undefined);
    const known = this.#thoughts.get(at) ?? form;
    if (known !== form || text === '') return;
    const extra = id === undefined || this.#thoughts.has(at) ? undefined : { id };
    this.#thoughts.set(at, form);
    const key = `${at}:${form}:${part}`;
    const gap = form === 'summary' && part > 0 && !this.#given.has(key) ? '\n\n' : '';
    this.#given.add(key);
    this.#say({ type: 'reasoning-delta', text: gap + text, ...(extra && { extra }) });
  }

  added(at: number, item: unknown): void {
    this.start(undefined);
    const type = stringOf(item, 'type');
    if (type === 'function_call' || type === 'custom_tool_call') this.#callStart(at, item);
  }

  #callStart(at: number, item: unknown): OpenCall | undefined {
    const known = this.#calls.get(at);
    if (known !== undefined) return known;
    this.start(undefined);
    const id = stringOf(item, 'call_id') ?? stringOf(item, 'id');
    const name = stringOf(item, 'name');
    if (id === undefined || name === undefined) {
      this.#broken('The upstream announced a call without an id or a name.');
      return undefined;
    }
    const namespace = stringOf(item, 'namespace');
    const custom = stringOf(item, 'type') === 'custom_tool_call';
    const freeform = custom && { freeform: { input: '', json: new InputJson() } };
    const call: OpenCall = { id, text: '', ended: false, ...freeform };
    this.#calls.set(at, call);
    const full = namespace === undefined ? name : flatName(namespace, name);
    this.#say({ type: 'call-start', id, name: full, ...(custom && { freeform: true }) });
    return call;
  }

  /** Reads a piece of the text of a freeform call. */
  input(at: number, text: string): void {
    const call = this.#calls.get(at);
    if (call?.freeform === undefined || text === '') return;
    call.freeform.input += text;
    this.argument(at, call.freeform.json.delta(text));
  }

  /** Gives the rest of the text of a freeform call, and the end of its arguments. */
  #inputDone(at: number, { id, freeform }: OpenCall, given: string | undefined): void {
    if (freeform === undefined) return;
    const { input, json } = freeform;
    const whole = given ?? input;
    if (whole.startsWith(input)) this.input(at, whole.slice(input.length));
    else this.#broken(`The upstream wrote the input of the call ${id} in two ways.`);
    this.argument(at, json.end());
  }

  argument(at: number, text: string): void {
    const call = this.#calls.get(at);
    if (call === undefined || call.ended || text === '') return;
    call.text += text;
    this.#say({ type: 'call-delta', id: call.id, text });
  }

  /** Gives the rest of the arguments, if they continue the deltas. */
  argumentsDone(at: number, whole: string | undefined): void {
    const call = this.#calls.get(at);
    if (call === undefined || call.ended || whole === undefined || whole === call.text) return;
    if (whole.startsWith(call.text)) this.argument(at, whole.slice(call.text.length));
    else this.#broken(`The upstream wrote the arguments of the call ${call.id} in two ways.`);
  }

  itemDone(at: number, item: unknown): void {
    this.#items++;
    const type = stringOf(item, 'type');
    if (type === 'message') this.#messageDone(at, item);
    else if (type === 'reasoning') this.#thoughtDone(at, item);
    else if (type === 'function_call' || type === 'custom_tool_call') this.#callDone(at, item);
  }

  #messageDone(at: number, item: unknown): void {
    for (const [part, content] of listOf(item, 'content').entries()) {
      const key = `${at}:text:${part}`;
      this.wholeText(stringOf(content, 'text'), key);
      this.wholeText(stringOf(content, 'refusal'), key, true);
    }
  }

  #thoughtDone(at: number, item: unknown): void {
    const id = stringOf(item, 'id');
    for (const form of ['content', 'summary'] as const) {
      for (const [part, content] of listOf(item, form).entries()) {
        if (this.#given.has(`${at}:${form}:${part}`)) continue;
        this.thought(at, form, part, stringOf(content, 'text') ?? '', id);
      }
    }
    const sealed = stringOf(item, 'encrypted_content');
    if (sealed === undefined) return;
    const extra = { ...(id !== undefined && { id }), encrypted_content: sealed };
    this.#say({ type: 'reasoning-delta', text: '', extra });
  }

  #callDone(at: number, item: unknown): void {
    const call = this.#callStart(at, item);
    if (call === undefined || call.ended) return;
    const whole = stringOf(item, 'arguments');
    if (call.freeform) this.#inputDone(at, call, stringOf(item, 'input'));
    else this.argumentsDone(at, whole === '' && call.text === '' ? '{}' : whole);
    this.#itemCut ||= stringOf(item, 'status') === 'incomplete';
    if (this.#itemCut || !isObject(parsedJson(call.text))) return;
    call.ended = true;
    this.#say({ type: 'call-end', id: call.id });
  }

  finish(response: unknown, incomplete: boolean): void {
    this.start(response);
    // Some servers send the output only here.
    if (this.#items === 0) {
      for (const [at, item] of listOf(response, 'output').entries()) this.itemDone(at, item);
    }
    this.#complete = true;
    const wasCut = incomplete || stringOf(response, 'status') === 'incomplete';
    const reason = this.#reason(response, wasCut);
    const given = reason === 'length' && !wasCut && !this.#itemCut && { given: 'tool-calls' as const };
    this.#say({ type: 'finish', reason, ...given });
    const usage = usageOf(memberOf(response, 'usage'));
    if (usage !== undefined) this.#say({ type: 'usage', usage });
  }

  #reason(response: unknown, incomplete: boolean): FinishReason {
    if (incomplete) {
      const why = stringOf(response, 'incomplete_details', 'reason');
      return why === 'content_filter' ? 'content-filter' : 'length';
    }
    const calls = [...this.#calls.values()];
    if (calls.some((call) => !call.ended)) return 'length';
    return calls.length > 0 ? 'tool-calls' : 'stop';
  }
}

function usageOf(usage: unknown): Usage | undefined {
  const inputTokens = numberOf(usage, 'input_tokens');
  const outputTokens = numberOf(usage, 'output_tokens');
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cachedTokens = numberOf(usage, 'input_tokens_details', 'cached_tokens');
  const reasoningTokens = numberOf(usage, 'output_tokens_details', 'reasoning_tokens');
  return { inputTokens, outputTokens, ...defined({ cachedTokens, reasoningTokens }) };
}
