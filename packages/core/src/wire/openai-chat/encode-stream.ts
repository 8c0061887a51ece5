// Writes an answer as a stream of `chat.completion.chunk`s and `[DONE]`.
//
//   role · deltas …  for each choice, then its finish · usage, if it was asked for · [DONE]
//
// The parts of a chunk that do not change are written once for a stream, a choice or a call: a delta costs one string.

import { isFreeform } from '../../model/freeform.js';
import type { AnswerEvent, ApiError, Report, Usage } from '../../model/index.js';
import { ApiError as Failure } from '../../model/index.js';
import { Coalescer } from '../coalesce.js';
import { InputText } from '../input-text.js';
import { frame } from '../sse.js';
import { wholeCharacters } from '../whole-characters.js';
import type { EncodeContext, StreamEncoder } from '../wire.js';
import { encodeError } from './errors.js';
import { encodeFinish } from './finish-reasons.js';
import { encodeUsage } from './usage.js';

const unfinished = ',"logprobs":null,"finish_reason":null}]}';

interface Choice {
  /** The text of a chunk of this choice, up to its delta. */
  head: string;
  /** The text of an arguments chunk up to the fragment, for each call. */
  calls: Map<string, string>;
  /** Decodes the arguments of each freeform call. */
  inputs: Map<string, InputText>;
  finished: boolean;
}

export function createStreamEncoder(context: EncodeContext): StreamEncoder {
  return wholeCharacters(new ChatStreamEncoder(context));
}

type StartedCall = Extract<AnswerEvent, { type: 'call-start' }>;

class ChatStreamEncoder implements StreamEncoder {
  readonly #choices = new Map<number, Choice>();
  readonly #fragments = new Coalescer();
  /** The chunk text of the call whose fragments wait. */
  #head = '';
  #prefix = '';
  /** The last finish, held back so that it can carry the report. */
  #held = '';
  #usage: Usage | undefined;
  #report: Report | undefined;
  #over = false;

  constructor(private readonly context: EncodeContext) {}

  encode(event: AnswerEvent): string {
    if (this.#over) return '';
    switch (event.type) {
      case 'answer-start':
        this.#start(event);
        return '';
      case 'text-delta':
        return this.#string(event.choice, event.refusal ? '{"refusal":' : '{"content":', event.text);
      case 'reasoning-delta':
        return this.#string(event.choice, '{"reasoning_content":', event.text);
      case 'call-start':
        return this.#callStart(event.choice ?? 0, event);
      case 'call-delta':
        return this.#callDelta(event.choice ?? 0, event.id, event.text);
      case 'call-end':
        return this.#callEnd(event.choice ?? 0, event.id);
      case 'finish':
        return this.#finish(event.choice ?? 0, encodeFinish(event.reason));
      case 'usage':
        this.#usage = event.usage;
        return '';
      case 'report':
        this.#report = event.report;
        return '';
      case 'error':
        return this.#flush() + this.#release() + this.#fail(event.error);
    }
  }

  end(): string {
    if (this.#over) return '';
    const rest = this.#flush();
    const complete = this.#choices.size > 0 && [...this.#choices.values()].every((choice) => choice.finished);
    if (!complete) {
      return rest + this.#release() + this.#fail(new Failure('upstream-broken', 'The answer broke off.'));
    }
    this.#over = true;
    return rest + this.#release() + this.#usageChunk() + frame('[DONE]');
  }

  #start({ id, model, created }: Extract<AnswerEvent, { type: 'answer-start' }>): void {
    this.#prefix = JSON.stringify({
      id: id ?? this.context.newId('chatcmpl-'),
      object: 'chat.completion.chunk',
      created: created ?? 0,
      model: model ?? this.context.request.model,
    }).slice(0, -1);
  }

  /** Gives what must come before an event of this choice: waiting fragments, a held finish, the role. */
  #open(index: number): { choice: Choice; before: string } {
    if (this.#prefix === '') this.#start({ type: 'answer-start' });
    const before = this.#flush() + this.#release();
    const known = this.#choices.get(index);
    if (known !== undefined) return { choice: known, before };
    const head = `${this.#prefix},"choices":[{"index":${index},"delta":`;
    const choice: Choice = { head, calls: new Map(), inputs: new Map(), finished: false };
    this.#choices.set(index, choice);
    return { choice, before: before + frame(`${head}{"role":"assistant","content":""}${unfinished}`) };
  }

  #string(index: number | undefined, open: string, text: string): string {
    if (text === '') return '';
    const { choice, before } = this.#open(index ?? 0);
    return before + frame(`${choice.head}${open}${JSON.stringify(text)}}${unfinished}`);
  }

  #callStart(index: number, started: StartedCall): string {
    const { id, name } = started;
    const { choice, before } = this.#open(index);
    const place = `${choice.head}{"tool_calls":[{"index":${choice.calls.size},`;
    const freeform = isFreeform(started, this.context.request.conversation.tools);
    if (freeform) choice.inputs.set(id, new InputText());
    const [type, key] = freeform ? ['custom', 'input'] : ['function', 'arguments'];
    choice.calls.set(id, `${place}"${type}":{"${key}":`);
    const call = `"id":${JSON.stringify(id)},"type":"${type}","${type}":{"name":${JSON.stringify(name)},"${key}":""}`;
    return before + frame(`${place}${call}}]}${unfinished}`);
  }

  #callDelta(index: number, id: string, json: string): string {
    const choice = this.#choices.get(index);
    const input = choice?.inputs.get(id);
    return this.#addFragment(choice?.calls.get(id), input ? input.feed(json) : json);
  }

  #callEnd(index: number, id: string): string {
    const choice = this.#choices.get(index);
    const rest = choice?.inputs.get(id)?.finish() ?? '';
    return this.#addFragment(choice?.calls.get(id), rest) + this.#flush();
  }

  #addFragment(head: string | undefined, text: string): string {
    if (head === undefined || text === '') return '';
    const before = head === this.#head ? '' : this.#flush() + this.#release();
    this.#head = head;
    return before + this.#fragment(this.#fragments.add(text));
  }

  #flush(): string {
    return this.#fragment(this.#fragments.flush());
  }

  #fragment(text: string): string {
    return text === '' ? '' : frame(`${this.#head}${JSON.stringify(text)}}}]}${unfinished}`);
  }

  #finish(index: number, word: string): string {
    const { choice, before } = this.#open(index);
    if (choice.finished) return before;
    choice.finished = true;
    this.#held = `${choice.head}{},"logprobs":null,"finish_reason":"${word}"}]`;
    return this.context.report ? before : before + this.#release();
  }

  /** Gives the finish that was held back, with the report if there is one. */
  #release(): string {
    if (this.#held === '') return '';
    const report = this.context.report && this.#report;
    const chunk = report ? `${this.#held},"dragoman":${JSON.stringify(report)}}` : `${this.#held}}`;
    this.#held = '';
    return frame(chunk);
  }

  #usageChunk(): string {
    if (this.#usage === undefined || this.context.request.includeUsage !== true) return '';
    return frame(`${this.#prefix},"choices":[],"usage":${JSON.stringify(encodeUsage(this.#usage))}}`);
  }

  #fail(error: ApiError): string {
    this.#over = true;
    return frame(JSON.stringify(encodeError(error).body));
  }
}
