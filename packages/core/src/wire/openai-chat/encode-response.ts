// Writes a whole answer: `chat.completion`.

import { isFreeform } from '../../model/freeform.js';
import type { Answer, AnswerChoice, Extra, Tool, ToolCall } from '../../model/index.js';
import { answeredArguments } from '../call-arguments.js';
import { inputText } from '../input-text.js';
import type { EncodeContext } from '../wire.js';
import { encodeFinish } from './finish-reasons.js';
import { encodeUsage } from './usage.js';

export function encodeResponse(answer: Answer, context: EncodeContext): Extra {
  return {
    id: answer.id,
    object: 'chat.completion',
    created: answer.created,
    model: answer.model,
    choices: answer.choices.map((choice, at) => encodeChoice(choice, at, context.request.conversation.tools)),
    usage: encodeUsage(answer.usage),
    ...(context.report && answer.report && { dragoman: answer.report }),
  };
}

function encodeChoice({ parts, finish }: AnswerChoice, index: number, tools: readonly Tool[]): Extra {
  const texts = parts.filter((part) => part.type === 'text' && !part.aside);
  const text = textOf(texts.filter((part) => !isRefusal(part)));
  const refusal = textOf(texts.filter(isRefusal));
  const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const calls = parts.filter((part) => part.type === 'tool-call');
  const message = {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== '') ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning !== '' && { reasoning_content: reasoning.toWellFormed() }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => encodeCall(call, isFreeform(call, tools))),
    }),
  };
  return { index, message, logprobs: null, finish_reason: encodeFinish(finish) };
}

type Part = AnswerChoice['parts'][number];

const isRefusal = ({ extra }: Part) => extra?.type === 'refusal';

const textOf = (parts: Part[]) =>
  parts
    .map((part) => ('text' in part ? part.text : ''))
    .join('')
    .toWellFormed();

function encodeCall(call: ToolCall, freeform: boolean): Extra {
  const { id, name } = call;
  const json = answeredArguments(call);
  return freeform
    ? { id, type: 'custom', custom: { name, input: inputText(json).toWellFormed() } }
    : { id, type: 'function', function: { name, arguments: json.toWellFormed() } };
}
