// Reads a client's chat request: checks it, decodes it, and notes its spelling so that it can be passed on as it came.

import { isConstant, onceConstant } from '../../model/constants.js';
import { extraOf } from '../../model/fields.js';
import { acceptToolsReport, type ModelRequest, type Settings, type ToolsReport } from '../../model/index.js';
import { isPlainSchema } from '../../model/tool-schema.js';
import { decodeFormat } from '../answer-format.js';
import { preparedAs, preparedFrom } from '../decoded-tools.js';
import { clientFault, Members, messageList, modelName, wrong } from '../members.js';
import { withNotes } from '../notes.js';
import { limitStops } from '../stop-strings.js';
import { defined, toOpaque } from '../values.js';
import { countUnlinked, decodeMessages } from './decode-messages.js';
import { apiName, type RequestNote, requestGroups, requestRest } from './encode-request.js';
import { noteSpelling } from './spelling.js';
import { decodeThinking, effortIn } from './thinking.js';
import { decodeChoice, decodeCustom } from './tools.js';
import { usualTools } from './usual-tools.js';

const MAX_CHOICES = 128;

export function decodeRequest(body: unknown): ModelRequest {
  return clientFault(() => decode(Members.of(body, '', 'a request: {model, messages}')));
}

function decode(body: Members): ModelRequest {
  const model = modelName(body);
  const messages = decodeMessages(messageList(body));
  const { tools, skipped } = decodeTools(body);
  const choice = decodeChoice({
    tool_choice: body.take('tool_choice'),
    function_call: body.take('function_call'),
  });
  const stream = body.boolean('stream') ?? false;
  const includeUsage = decodeStreamOptions(body);
  const format = decodeFormat(body.peek('response_format'), 'response_format');
  const request: ModelRequest = {
    api: apiName,
    model,
    conversation: { messages, tools, ...choice },
    settings: decodeSettings(body),
    stream,
    ...(format && { format }),
    ...(includeUsage !== undefined && { includeUsage }),
    ...(skipped.length > 0 && { skippedTools: [...skipped] }),
  };
  checkChoice(request, body);
  return noted(request, body);
}

function decodeTools(body: Members): ToolsReport {
  const key = body.peek('tools') === undefined || body.peek('tools') === null ? 'functions' : 'tools';
  return toolReaders[key](body.list(key, 'a list of tools') ?? []);
}

const readTools = (key: string) => (list: unknown[]) => {
  const usual = isConstant(list) ? usualTools(list) : undefined;
  if (usual) {
    preparedAs(list, usual);
    return { tools: usual, skipped: [] };
  }
  const read = acceptToolsReport(
    list.map((tool, at) => decodeCustom(tool, `${key}[${at}]`) ?? tool),
    key,
    isConstant(list) ? (schema) => isPlainSchema(schema) : undefined,
  );
  return preparedFrom(list, read);
};
const toolReaders = {
  tools: onceConstant(readTools('tools')),
  functions: onceConstant(readTools('functions')),
};

/**
 * Refuses a choice of a tool that does not exist, since it can only fail. If tools were skipped, the choice becomes
 * `auto`, and is listed with them: it may mean one that runs at the provider.
 */
function checkChoice({ conversation, skippedTools = [] }: ModelRequest, body: Members): void {
  const { toolChoice, tools } = conversation;
  if (typeof toolChoice === 'string' || tools.some((tool) => tool.name === toolChoice.name)) return;
  if (skippedTools.length > 0) {
    conversation.toolChoice = 'auto';
    skippedTools.push({ path: 'tool_choice', type: toolChoice.name });
    return;
  }
  const key = body.take('tool_choice') === undefined ? 'function_call' : 'tool_choice';
  throw wrong(key, 'the name of one of the tools', toolChoice.name);
}

function decodeSettings(body: Members): Settings {
  return defined({
    maxTokens: decodeMaxTokens(body),
    temperature: body.number('temperature'),
    topP: body.number('top_p'),
    topK: body.number('top_k', { whole: true }),
    seed: body.number('seed', { whole: true }),
    stop: decodeStop(body),
    choices: body.number('n', { whole: true, min: 1, max: MAX_CHOICES }),
    parallelCalls: body.boolean('parallel_tool_calls'),
    thinking: decodeThinking(body.fields),
    effort: decodeEffort(body),
  });
}

/** Reads the token limit. Some servers take -1 for no limit. */
function decodeMaxTokens(body: Members): number | undefined {
  const range = { whole: true, min: -1 };
  const older = body.number('max_tokens', range);
  const limit = body.number('max_completion_tokens', range) ?? older;
  if (limit === 0) {
    const key = body.peek('max_completion_tokens') === 0 ? 'max_completion_tokens' : 'max_tokens';
    throw wrong(key, 'a whole number of at least 1', 0);
  }
  return limit === -1 ? undefined : limit;
}

function decodeStop(body: Members): string[] | undefined {
  const stop = body.take('stop');
  const list = typeof stop === 'string' ? [stop] : body.strings('stop', 'a string or a list of strings');
  return limitStops(list, 'stop');
}

function decodeEffort(body: Members): string | undefined {
  const effort = effortIn(body.string('reasoning_effort'));
  // What we write ourselves for thinking without an effort.
  return effort === 'medium' ? undefined : effort;
}

function decodeStreamOptions(body: Members): boolean | undefined {
  const options = body.take('stream_options');
  if (options === undefined) return undefined;
  return Members.of(options, 'stream_options', '{include_usage}').boolean('include_usage');
}

/** Notes the spelling of the request. Messages have their own notes, so they are left out here. */
function noted(request: ModelRequest, body: Members): ModelRequest {
  const keys = requestGroups(request, []).flatMap((group) => group.keys);
  const rest = extraOf(body.fields, keys, false, '');
  const kept = keptTools(request, body);
  const bare = { ...request, ...withNotes(rest, kept) };
  const groups = requestGroups(bare, []);
  const source = new Map(body.fields).set('messages', []);
  const spelling = noteSpelling(source, groups, requestRest(bare, groups), '');
  const { messages } = request.conversation;
  const count = { messages: messages.length, unlinked: countUnlinked(messages) };
  const note: RequestNote = { ...spelling, ...kept, ...(count.unlinked > 0 && { count }) };
  return { ...request, ...withNotes(rest, note) };
}

/** Gives the tools that were skipped, each with its index. */
function keptTools({ skippedTools = [] }: ModelRequest, body: Members): RequestNote {
  const list = body.peek('tools');
  if (skippedTools.length === 0 || !Array.isArray(list)) return {};
  const places = skippedTools.filter(({ path }) => path.startsWith('tools['));
  const kept = places.map(({ path }) => {
    const at = Number(path.slice('tools['.length, -1));
    return { at, value: toOpaque(list[at], path) };
  });
  return { kept };
}
