// Joins the halves of surrogate pairs that were cut apart between two deltas. A lone surrogate becomes an escape in
// JSON that strict readers refuse, together with the whole event. One whose other half never comes becomes U+FFFD.

import { type AnswerEvent, ApiError } from '../model/index.js';
import { isHighSurrogate } from '../model/surrogates.js';
import type { StreamEncoder } from './wire.js';

type Delta = Extract<AnswerEvent, { type: 'text-delta' | 'reasoning-delta' | 'call-delta' }>;

/** Wraps the encoder so that it only gets whole characters. */
export function wholeCharacters(encoder: StreamEncoder): StreamEncoder {
  /** The high surrogate that ended the last delta; it waits for its other half. */
  let held: Delta | undefined;
  function flush(): string {
    const half = held;
    held = undefined;
    return half === undefined ? '' : encoder.encode({ ...half, text: half.text.toWellFormed() });
  }
  function delta(event: Delta): string {
    if (held === undefined && event.text.isWellFormed()) return encoder.encode(event);
    const joins = held !== undefined && isSame(held, event);
    const before = joins ? '' : flush();
    const text = joins ? `${held?.text}${event.text}` : event.text;
    const end = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    held = end < text.length ? { ...event, text: text.slice(end) } : undefined;
    if (end === 0 && text !== '') return before;
    return before + encoder.encode({ ...event, text: text.slice(0, end).toWellFormed() });
  }
  return {
    encode(event) {
      if (isDelta(event)) return delta(withWholeId(event));
      return flush() + encoder.encode(wholeEvent(event));
    },
    end: (response) => flush() + encoder.end(response),
    last: () => encoder.last?.(),
    rest: () => encoder.rest?.() ?? '',
  };
}

function isDelta(event: AnswerEvent): event is Delta {
  return event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'call-delta';
}

function withWholeId(event: Delta): Delta {
  return 'id' in event && !event.id.isWellFormed() ? { ...event, id: event.id.toWellFormed() } : event;
}

/**
 * Whether `event` continues the held text. An empty delta carries a provider's notes on a thought, so the half goes
 * first.
 */
function isSame(held: Delta, event: Delta): boolean {
  const ids = [held, event].map((one) => ('id' in one ? one.id : ''));
  const choices = [held, event].map(({ choice = 0 }) => choice);
  return held.type === event.type && ids[0] === ids[1] && choices[0] === choices[1] && event.text !== '';
}

function wholeEvent(event: AnswerEvent): AnswerEvent {
  if (event.type === 'error') return event.error.message.isWellFormed() ? event : wholeError(event.error);
  const whole: Record<string, unknown> = { ...event };
  for (const [key, value] of Object.entries(whole)) {
    if (typeof value === 'string') whole[key] = value.toWellFormed();
  }
  return whole as AnswerEvent;
}

function wholeError(error: ApiError): AnswerEvent {
  const { code, message, ...more } = error;
  const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
  return { type: 'error', error: new ApiError(code, message.toWellFormed(), given) };
}
