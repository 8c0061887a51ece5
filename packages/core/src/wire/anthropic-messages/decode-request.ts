// Reads a client's request to the Messages API.

import type { Message, ModelRequest } from '../../model/index.js';
import { linkCalls } from '../../model/link-calls.js';
import { clientFault, Members, messageList, modelName } from '../members.js';
import { withNotes } from '../notes.js';
import { decodeMessages, decodeSystem } from './decode-messages.js';
import { decodeOutputFormat } from './output-format.js';
import { decodeSettings } from './settings.js';
import { decodeChoice } from './tool-choice.js';
import { decodeTools } from './tools.js';

export function decodeRequest(body: unknown): ModelRequest {
  return clientFault(() => decodeBody(Members.of(body, '', 'a request: {model, max_tokens, messages}')));
}

function decodeBody(body: Members): ModelRequest {
  const model = modelName(body);
  const messages: Message[] = [...decodeSystem(body), ...decodeMessages(messageList(body))];
  const { tools, skippedTools, spelling } = decodeTools(body);
  const { toolChoice, parallelCalls } = decodeChoice(body.peek('tool_choice'));
  const settings = { ...decodeSettings(body), ...(!parallelCalls && { parallelCalls }) };
  // `stream: false` is the default: it is left in the rest, so that it is written again.
  const stream = body.peek('stream') !== false && body.boolean('stream') === true;
  const format = decodeOutputFormat(body.fields);
  return {
    api: 'anthropic-messages',
    model,
    conversation: { messages: linkCalls(messages), tools, toolChoice },
    settings,
    stream,
    ...(format && { format }),
    ...(skippedTools.length > 0 && { skippedTools: [...skippedTools] }),
    ...unreadItems(messages),
    ...withNotes(body.rest(), spelling),
  };
}

/** Lists reasoning that only the provider can read. */
function unreadItems(messages: readonly Message[]): Pick<ModelRequest, 'unreadItems'> {
  const unread = messages.flatMap(({ parts }, at) =>
    parts.flatMap((part, place) => {
      const type = part.type === 'reasoning' && part.text === '' ? part.extra?.type : undefined;
      return typeof type === 'string' ? [{ path: `messages[${at}].parts[${place}]`, type }] : [];
    }),
  );
  return unread.length > 0 ? { unreadItems: unread } : {};
}
