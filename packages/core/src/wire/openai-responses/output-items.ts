// The output items of an answer: finished, or (without text) as they are announced.

import { isFreeform } from '../../model/freeform.js';
import type { Extra, ToolCall } from '../../model/index.js';
import { answeredArguments } from '../call-arguments.js';
import { inputText } from '../input-text.js';
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
  /** The item is a call of a freeform tool: its text is that of the one argument. */
  freeform?: boolean;
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

type StartedCall = Pick<ToolCall, 'id' | 'name' | 'freeform'>;

export function callShape(context: EncodeContext, call: StartedCall): ItemShape {
  const { request } = context;
  const { tools } = request.conversation;
  const spelling = callSpelling(call.name, tools, extraReader(request));
  const members = { call_id: call.id, ...spelling };
  return isFreeform(call, tools) ? customShape(context, members) : functionShape(context, members);
}

function functionShape(context: EncodeContext, call: Extra): ItemShape {
  const id = context.newId('fc_');
  return {
    id,
    event: 'response.function_call_arguments',
    item: (status, text = '') => ({ id, type: 'function_call', status, arguments: text, ...call }),
    done: (text) => ({ name: call.name, arguments: text }),
  };
}

function customShape(context: EncodeContext, call: Extra): ItemShape {
  const id = context.newId('ctc_');
  return {
    id,
    event: 'response.custom_tool_call_input',
    freeform: true,
    item: (status, text = '') => ({ id, type: 'custom_tool_call', status, input: text, ...call }),
    done: (text) => ({ input: text }),
  };
}

export function callItem(context: EncodeContext, call: ToolCall): Extra {
  const shape = callShape(context, call);
  const json = answeredArguments(call);
  return shape.item('completed', (shape.freeform ? inputText(json) : json).toWellFormed());
}
