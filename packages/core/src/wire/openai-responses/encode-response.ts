// Writes a whole answer. This API has one choice only: the first.

import type { Answer, AnswerChoice, Extra, ReasoningPart, TextPart, ToolCall } from '../../model/index.js';
import type { EncodeContext } from '../wire.js';
import { callItem, isSealed, messageShape, reasoningShape, refusalShape } from './output-items.js';
import { echoOf, endingOf, responseObject } from './response-object.js';

export function encodeResponse(answer: Answer, context: EncodeContext): Record<string, unknown> {
  const choice = answer.choices[0] ?? { parts: [], finish: 'stop' };
  const output = encodeParts(choice, context);
  for (const item of output) context.onItem?.(item);
  return responseObject(answer, echoOf(context.request), {
    ...endingOf(choice.finish),
    output,
    usage: answer.usage,
    ...(context.report && answer.report && { report: answer.report }),
  });
}

function encodeParts({ parts, finish }: AnswerChoice, context: EncodeContext): Extra[] {
  const joined = joinTexts(parts);
  const last = endingOf(finish).status === 'incomplete' ? 'incomplete' : 'completed';
  return joined.map((part, at) => {
    const status = at === joined.length - 1 ? last : 'completed';
    if (part.type === 'tool-call') return callItem(context, part);
    if (part.type === 'text') {
      const shape = isRefusal(part) ? refusalShape(context) : messageShape(context);
      return shape.item(status, part.text.toWellFormed());
    }
    return reasoningShape(context, part.extra ?? {}).item(status, part.text.toWellFormed());
  });
}

/** Joins neighbouring parts of one kind into one item, as a stream does, which cannot tell them apart. */
function joinTexts(parts: AnswerChoice['parts']): AnswerChoice['parts'] {
  const joined: AnswerChoice['parts'] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (isEmpty(part)) continue;
    if (last === undefined || part.type === 'tool-call' || !isJoinable(last, part)) joined.push(part);
    else joined[joined.length - 1] = join(last as TextPart | ReasoningPart, part);
  }
  return joined;
}

function isEmpty(part: TextPart | ReasoningPart | ToolCall): boolean {
  return (
    part.type !== 'tool-call' && part.text === '' && !(part.type === 'reasoning' && isSealed(part.extra))
  );
}

function isJoinable(last: TextPart | ReasoningPart | ToolCall, part: TextPart | ReasoningPart): boolean {
  if (isRefusal(last) !== isRefusal(part)) return false;
  return last.type === part.type && !(last.type === 'reasoning' && isSealed(last.extra));
}

function isRefusal({ type, extra }: TextPart | ReasoningPart | ToolCall): boolean {
  return type === 'text' && extra?.type === 'refusal';
}

function join<P extends TextPart | ReasoningPart>(last: P, part: P): P {
  const extra = last.extra || part.extra ? { extra: { ...last.extra, ...part.extra } } : {};
  return { ...last, ...extra, text: last.text + part.text };
}
