// Collects the events of an answer into one value.

import {
  type Answer,
  type AnswerChoice,
  type AnswerEvent,
  ApiError,
  type Issue,
  type Usage,
} from '../../model/index.js';
import { inputOf } from '../emulate/validate-input.js';

/**
 * Throws what the events throw, and the error if they hold one. Calls that were cut off are left out and listed as
 * issues. A native call whose arguments are no JSON object becomes text: it cannot be run as it was meant.
 */
export async function collectAnswer(events: AsyncIterable<AnswerEvent>): Promise<Answer> {
  const answer: Answer = { id: '', model: '', created: 0, choices: [], usage: NO_USAGE };
  const choices = new CollectedChoices(answer.choices);
  for await (const event of events) {
    if (event.type === 'error') throw event.error;
    if (event.type === 'answer-start') {
      answer.id = event.id ?? '';
      answer.model = event.model ?? '';
      answer.created = event.created ?? 0;
    } else if (event.type === 'usage') answer.usage = event.usage;
    else if (event.type === 'report') answer.report = event.report;
    else choices.add(event);
  }
  answer.report?.issues.push(...choices.issues());
  return answer;
}

/** The parts of each choice, collected while the events pass. */
export class CollectedChoices {
  readonly #open = new OpenCalls();

  constructor(readonly choices: AnswerChoice[] = []) {}

  add(event: ChoiceEvent): void {
    addTo(choiceOf(this.choices, event.choice ?? 0), event, this.#open);
  }

  partsOf(choice: number): AnswerChoice['parts'] {
    return this.choices[choice]?.parts ?? [];
  }

  issues(): Issue[] {
    return this.#open.issues();
  }
}

/** Marks the text of a refusal, as in a conversation. */
const REFUSAL = { extra: { type: 'refusal' } };

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, estimated: true };

/** An upstream that numbers its choices higher is broken. */
const MOST_CHOICES = 1024;

function choiceOf(choices: AnswerChoice[], at: number): AnswerChoice {
  if (at >= MOST_CHOICES) {
    throw new ApiError('upstream-broken', `The upstream gave an answer the number ${at}.`);
  }
  while (choices.length <= at) choices.push({ parts: [], finish: 'stop' });
  return choices[at] as AnswerChoice;
}

type ChoiceEvent = Exclude<AnswerEvent, { type: 'answer-start' | 'usage' | 'report' | 'error' }>;

const ofAnswer: readonly AnswerEvent['type'][] = ['answer-start', 'usage', 'report', 'error'];

export function isOfChoice(event: AnswerEvent): event is ChoiceEvent {
  return !ofAnswer.includes(event.type);
}

function addTo(choice: AnswerChoice, event: ChoiceEvent, open: OpenCalls): void {
  const last = choice.parts.at(-1);
  switch (event.type) {
    case 'text-delta':
      if (last?.type === 'text' && (last.extra !== undefined) === (event.refusal ?? false))
        last.text += event.text;
      else choice.parts.push({ type: 'text', text: event.text, ...(event.refusal && REFUSAL) });
      break;
    case 'reasoning-delta':
      addReasoning(choice, event);
      break;
    case 'call-start':
    case 'call-delta':
      open.add(event);
      break;
    case 'call-end': {
      const { name, raw, ...kind } = open.take(event);
      const input = inputOf(raw);
      if (input) choice.parts.push({ type: 'tool-call', id: event.id, name, input, raw, ...kind });
      else {
        choice.parts.push({ type: 'text', text: `${name}(${raw})` });
        open.unreadable(name);
      }
      break;
    }
    case 'finish':
      choice.finish = event.reason;
      if (event.reason === 'tool-calls' && !hasCall(choice)) choice.finish = 'stop';
      if (event.stopSequence !== undefined) choice.stopSequence = event.stopSequence;
      break;
  }
}

/** Adds reasoning. A provider's signature ends a reasoning part; encrypted reasoning is a part of its own. */
function addReasoning({ parts }: AnswerChoice, event: ChoiceEvent & { type: 'reasoning-delta' }): void {
  const last = parts.at(-1);
  const standsAlone = event.text === '' && event.extra?.type !== undefined;
  if (last?.type !== 'reasoning' || last.extra || standsAlone) {
    parts.push({ type: 'reasoning', text: event.text, ...(event.extra && { extra: event.extra }) });
    return;
  }
  last.text += event.text;
  if (event.extra) last.extra = event.extra;
}

/** Calls between their start and their end. */
class OpenCalls {
  readonly #calls = new Map<string, { name: string; freeform?: boolean; pieces: string[] }>();
  readonly #unreadable: Issue[] = [];

  add(event: Extract<ChoiceEvent, { type: 'call-start' | 'call-delta' }>): void {
    const key = keyOf(event);
    if (event.type === 'call-start')
      this.#calls.set(key, {
        name: event.name,
        pieces: [],
        ...(event.freeform && { freeform: true }),
      });
    else this.#calls.get(key)?.pieces.push(event.text);
  }

  take(event: { id: string; choice?: number }): { name: string; raw: string; freeform?: boolean } {
    const { name = '', pieces = [], ...kind } = this.#calls.get(keyOf(event)) ?? {};
    this.#calls.delete(keyOf(event));
    return { name, raw: pieces.join('') || '{}', ...kind };
  }

  unreadable(name: string): void {
    const message = `The arguments of a call of ${name} are no JSON object; it is delivered as text.`;
    this.#unreadable.push({ code: 'unreadable-call', range: [0, 0], message });
  }

  issues(): Issue[] {
    const cut = [...this.#calls.values()].map(
      ({ name, pieces }): Issue => ({
        code: 'incomplete-call',
        range: [0, 0],
        message: `The call of ${name} was cut off; it is not delivered.`,
        raw: pieces.join(''),
      }),
    );
    return [...this.#unreadable, ...cut];
  }
}

const keyOf = ({ id, choice = 0 }: { id: string; choice?: number }) => `${choice} ${id}`;

function hasCall({ parts }: AnswerChoice): boolean {
  return parts.some(({ type }) => type === 'tool-call');
}
