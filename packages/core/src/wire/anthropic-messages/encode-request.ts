// Writes the body of a request to the Messages API. One that came by this API gets the body it had, with every change
// made since. Of any other, only the model's own fields are used, in the order and the forms the API demands.

import type { ModelRequest } from '../../model/index.js';
import { refuseDepth } from '../depth.js';
import { membersOf, notesOf } from '../notes.js';
import { encodeConversation } from './encode-messages.js';
import { encodeOutputFormat } from './output-format.js';
import { encodeSettings } from './settings.js';
import type { Spelling } from './spelling.js';
import { encodeChoice } from './tool-choice.js';
import { encodeTools } from './tools.js';

export function encodeRequest(request: ModelRequest): Record<string, unknown> {
  refuseDepth(request);
  const own = request.api === 'anthropic-messages';
  const { system, messages } = encodeConversation(request.conversation.messages, own);
  const tools = encodeTools(request, own);
  const body: Record<string, unknown> = {
    ...(own && membersOf(request.extra)),
    model: request.model,
    ...(system !== undefined && { system }),
    messages,
    ...(tools.length > 0 && { tools }),
  };
  encodeSettings(body, request, own);
  encodeOutputFormat(body, request.format);
  // The API refuses a choice without tools. It is kept only if the client itself sent no tools.
  const toolless = tools.length === 0 && (!own || notesOf<Spelling>(request.extra).tools !== undefined);
  const choice = toolless
    ? undefined
    : encodeChoice(body.tool_choice, request.conversation, request.settings);
  if (choice === undefined) delete body.tool_choice;
  else body.tool_choice = choice;
  if (request.stream) body.stream = true;
  return body;
}
