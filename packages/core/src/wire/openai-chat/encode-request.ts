// Writes a request for the chat API. One that came by this API is written as it came, with all changes made since.

import type { AnswerFormat, Conversation, Extra, ModelRequest } from '../../model/index.js';
import { decodeFormat, encodeFormat, sameFormat } from '../answer-format.js';
import { refuseDepth } from '../depth.js';
import { notesOf } from '../notes.js';
import { sameJson } from '../same-json.js';
import { richerChoice } from '../transcript-codec.js';
import { fieldsOf, setMember } from '../values.js';
import { encodeMessages, type MessageCount, reasoningIn, toStrangerMessages } from './encode-message.js';
import { type Group, type Note, restOf, writeMembers } from './spelling.js';
import { effortWord, kwargsThinking, thinkingKeys } from './thinking.js';
import { choiceOf, encodeChoice, encodeTools, type KeptTool } from './tools.js';

export const apiName = 'openai-chat';

/** Notes on a whole request. */
export interface RequestNote extends Note {
  /** Tools that run at the provider. */
  kept?: KeptTool[];
  /** Where calls or results came without an id. */
  count?: MessageCount;
}

const toolKeys = ['tools', 'functions', 'tool_choice', 'function_call', 'parallel_tool_calls'];

export function encodeRequest(request: ModelRequest): Extra {
  refuseDepth(request);
  const note = request.api === apiName ? notesOf<RequestNote>(request.extra) : undefined;
  const { messages } = request.conversation;
  const known = request.api === apiName ? messages : toStrangerMessages(messages);
  const encoded = encodeMessages(known, note?.count);
  const groups = requestGroups(request, reasoningIn(encoded, request.reasoningMember));
  return writeMembers(groups, requestRest(request, groups), note);
}

/** Gives the members of the request, in our spelling. */
export function requestGroups(request: ModelRequest, messages: unknown[]): Group[] {
  const { settings } = request;
  return [
    member('model', request.model),
    member('messages', messages),
    maxTokensGroup(request),
    member('temperature', settings.temperature),
    member('top_p', settings.topP),
    member('top_k', settings.topK),
    member('seed', settings.seed),
    member('stop', settings.stop),
    member('n', settings.choices),
    member('stream', request.stream ? true : undefined),
    member('stream_options', asksUsage(request) ? { include_usage: true } : undefined),
    toolGroup(request),
    thinkingGroup(request),
  ];
}

/** Gives the members that the model has no field for. `chat_template_kwargs` is updated if thinking was changed. */
export function requestRest(request: ModelRequest, groups: Group[]): Extra {
  if (request.api !== apiName) return withFormat({}, request.format);
  const rest = withFormat(restOf(request.extra, groups), request.format);
  const { thinking } = request.settings;
  const given = kwargsThinking(rest.chat_template_kwargs);
  if (given === undefined || given.value === thinking) return rest;
  const kwargs: Extra = Object.fromEntries(fieldsOf(rest.chat_template_kwargs) ?? []);
  if (thinking === undefined) delete kwargs[given.key];
  else setMember<unknown>(kwargs, given.key, thinking);
  return { ...rest, chat_template_kwargs: kwargs };
}

/** Gives `response_format` as the client spelled it, unless the format was changed since. */
function withFormat(rest: Extra, format: AnswerFormat | undefined): Extra {
  const { response_format: given, ...others } = rest;
  if (sameFormat(decodeFormat(given, ''), format)) return rest;
  return format ? { ...others, response_format: encodeChatFormat(format) } : others;
}

function encodeChatFormat(format: AnswerFormat): Extra {
  const { type, ...members } = encodeFormat(format);
  return format.type === 'json' ? { type } : { type, json_schema: members };
}

function member(name: string, value: unknown): Group {
  return { name, keys: [name], members: value === undefined ? {} : { [name]: value } };
}

/**
 * Writes the token limit as `max_tokens`, which engines know. Newer models of OpenAI take only `max_completion_tokens`,
 * which is kept if the client used it.
 */
function maxTokensGroup({ settings, extra }: ModelRequest): Group {
  const keys = ['max_tokens', 'max_completion_tokens'];
  const { maxTokens } = settings;
  const used = notesOf<Note>(extra).spelled?.maxTokens?.as;
  const key = used && Object.hasOwn(used, 'max_completion_tokens') ? 'max_completion_tokens' : 'max_tokens';
  return {
    name: 'maxTokens',
    keys,
    members: maxTokens === undefined ? {} : { [key]: maxTokens },
    meaning: { maxTokens },
  };
}

/** Whether to ask for usage. The other APIs always give it, so their clients rely on it. */
function asksUsage({ api, stream, includeUsage }: ModelRequest): boolean {
  return stream && (includeUsage ?? (api !== undefined && api !== apiName));
}

function toolGroup({ api, conversation, settings, extra }: ModelRequest): Group {
  const own = api === apiName;
  const kept = own ? (notesOf<RequestNote>(extra).kept ?? []) : [];
  const { tools, toolChoice } = conversation;
  const { parallelCalls } = settings;
  const members: Extra = {};
  if (tools.length > 0) {
    members.tools = encodeTools(tools, own, kept);
    if (toolChoice !== 'auto' || own) setChoice(members, conversation, own);
    if (parallelCalls !== undefined) members.parallel_tool_calls = parallelCalls;
  }
  return { name: 'tools', keys: toolKeys, members, meaning: { members, toolChoice, parallelCalls } };
}

/** Writes the choice as it came, if that has more members and still means the same. */
function setChoice(members: Extra, { tools, toolChoice, extra }: Conversation, own: boolean): void {
  const arrived = own ? richerChoice(extra) : undefined;
  if (arrived !== undefined && sameJson(choiceOf({ tool_choice: arrived }), toolChoice)) {
    members.tool_choice = arrived;
  } else if (toolChoice !== 'auto') members.tool_choice = encodeChoice(toolChoice, tools);
}

/**
 * Writes whether to think, and how much. For clients of other APIs `true` without an effort is left out: many upstreams
 * refuse the member.
 */
function thinkingGroup({ api, settings, extra }: ModelRequest): Group {
  const { thinking, effort } = settings;
  const elsewhere = api === apiName && kwargsThinking(extra?.chat_template_kwargs) !== undefined;
  const foreign = api !== undefined && api !== apiName;
  const usual = thinking && !foreign ? 'medium' : undefined;
  const said = foreign && effort !== undefined ? effortWord(effort) : (effort ?? usual);
  const word = thinking === false ? 'none' : said;
  return {
    name: 'thinking',
    keys: thinkingKeys,
    members: word === undefined || elsewhere ? {} : { reasoning_effort: word },
    meaning: { thinking, effort, elsewhere },
  };
}
