// The output items of an answer: finished, or (without text) as they are announced.

import type { Extra, ToolCall } from '../../model/index.js';
import { argumentsOf } from '../call-arguments.js';
import type { EncodeContext } from '../wire.js';
import { callSpelling } from './encode-tools.js';
import { extraReader } from './spelling.js';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The shape of one kind of item, and the names of its text events. */
export interface ItemShape {
  id: string;
  /** The event's name, `response.output_text`, without `.delta` and `.done`. */
  event: string;
  item(status: ItemStatus, text?: string): Extra;
  /** The content part that holds the text, the name of its events, and their member that holds its index. */
  part?: { event: string; index: string; of(text: string): Extra };
  /** The members of each delta, beside its text. */
  delta?: Extra;
  /** Gives the members of the text's last event, with the whole text. */
  done(text: string): Extra;
}

export function messageShape(context: EncodeContext): ItemShape {
  const id = context.newId('msg_');
  const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
  return {
    id,
    event: 'response.output_text',
    item: (status, text) => ({
      id,
      type: 'message',
      status,
      role: 'assistant',
      content: text === undefined ? [] : [part(text)],
    }),
    part: { event: 'response.content_part', index: 'content_index', of: part },
    delta: { logprobs: [] },
    done: (text) => ({ text, logprobs: [] }),
  };
}

/** A message whose content is a refusal. */
export function refusalShape(context: EncodeContext): ItemShape {
  const part = (refusal: string) => ({ type: 'refusal', refusal });
  const { id, item } = messageShape(context);
  return {
    id,
    event: 'response.refusal',
    item: (status, text) => ({ ...item(status), content: text === undefined ? [] : [part(text)] }),
    part: { event: 'response.content_part', index: 'content_index', of: part },
    done: (refusal) => ({ refusal }),
  };
}

/**
 * Writes reasoning as a summary, with its whole text: that is what every client shows. Many show nothing else, and
 * those that also show `reasoning_text` would show the same twice if both were sent.
 * `kept` are the members that an upstream of this API sent, above all the encrypted form.
 */
export function reasoningShape(context: EncodeContext, kept: Extra): ItemShape {
  const id = typeof kept.id === 'string' && kept.id.startsWith('rs_') ? kept.id : context.newId('rs_');
  const part = (text: string) => ({ type: 'summary_text', text });
  return {
    id,
    event: 'response.reasoning_summary_text',
    item: (_status, text) => ({
      id,
      type: 'reasoning',
      summary: text === undefined || text === '' ? [] : [part(text)],
      ...(isSealed(kept) && { encrypted_content: kept.encrypted_content }),
    }),
    part: { event: 'response.reasoning_summary_part', index: 'summary_index', of: part },
    done: (text) => ({ text }),
  };
}

/** Whether the reasoning ends here: its encrypted form comes with its last delta. */
export function isSealed(kept: Extra | undefined): boolean {
  return typeof kept?.encrypted_content === 'string';
}

export function callShape(context: EncodeContext, call: { id: string; name: string }): ItemShape {
  const id = context.newId('fc_');
  const { request } = context;
  const spelling = callSpelling(call.name, request.conversation.tools, extraReader(request));
  return {
    id,
    event: 'response.function_call_arguments',
    item: (status, text = '') => ({
      id,
      type: 'function_call',
      status,
      arguments: text,
      call_id: call.id,
      ...spelling,
    }),
    done: (text) => ({ name: spelling.name, arguments: text }),
  };
}

export function callItem(context: EncodeContext, call: ToolCall): Extra {
  return callShape(context, call).item('completed', argumentsOf(call).toWellFormed());
}
