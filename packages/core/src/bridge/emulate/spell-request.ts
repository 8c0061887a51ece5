// Renders a conversation with tools in a dialect, for an upstream that only knows text.

import type { Dialect } from '../../engine/dialect.js';
import { textOf } from '../../engine/message-text.js';
import {
  type RenderedMessage,
  type RenderedMessages,
  type RenderedPrompt,
  renderDecodedMessages,
  renderDecodedPrompt,
} from '../../engine/renderer.js';
import { constrain } from '../../families/constrain.js';
import { type Constraint, constrainAnswer, type GrammarFormat } from '../../grammar/constrain.js';
import { isConstant, makeConstant, onceConstant } from '../../model/constants.js';
import {
  ApiError,
  acceptedByName,
  type Extra,
  type Message,
  type ModelRequest,
  type Tool,
  UsageError,
  type UserMessage,
} from '../../model/index.js';
import { linkCopies } from '../../model/link-calls.js';
import { isLinked } from '../../model/link-names.js';
import { specialTokensOf } from '../engines/special-tokens.js';
import type { BridgeOptions } from '../options.js';
import { ignoredFormats, saysFormat } from '../structured/format-members.js';
import { takesFormat, withFormatText } from '../structured/teach-format.js';
import { liftResultMedia, readableMedia, seesMedia } from '../upstream/media.js';
import type { Upstream, UpstreamRequest } from '../upstream/upstream.js';
import { isHonoured, isOwnApi, vendorMembers } from '../upstream/vendor-members.js';
import { withPatterns } from './freeform-grammars.js';
import { noteBeforeLoop } from './keep-reasoning.js';
import { type ReaskTurns, withChoiceNote } from './reask.js';
import { thinkingOptions } from './thinking.js';

export interface SpelledRequest {
  request: UpstreamRequest;
  /** The prompt ends inside the reasoning, so the answer begins there. */
  inReasoning: boolean;
}

/** Members that an endpoint of the client's own API may get, too. Others are not passed on, and the report lists them. */
const passed = ['user', 'metadata', 'service_tier', 'prompt_cache_key', 'safety_identifier', 'verbosity'];

/** Members that force a form on the whole answer, so that no call could be written: passed only without tools. */
const forms = ['response_format'];

/** Members that do not affect the model, or are handled elsewhere. */
export const silent = new Set([
  'dragoman:notes',
  'tool_choice',
  'stream',
  'store',
  'stream_options',
  'betas',
  'reasoning',
  'thinking',
]);

/** Gives the members of a request that have no effect on an upstream that only writes text. */
export function ignoredMembers(request: ModelRequest, upstream: Upstream): string[] {
  const known = new Set([...passedTo(upstream, request), ...silent]);
  return Object.entries(request.extra ?? {})
    .filter(([key, value]) => value !== null && !known.has(key) && !isHonoured(key, value))
    .flatMap(([key, value]) => (saysFormat(key) ? ignoredFormats(request, key, value) : [key]));
}

function passedTo(upstream: Upstream, request: ModelRequest): string[] {
  const own = isOwnApi(request, upstream) ? [...passed, ...(offersTools(request) ? [] : forms)] : [];
  return [...vendorMembers, ...own];
}

const offersTools = ({ conversation: { tools, toolChoice } }: ModelRequest) =>
  tools.length > 0 && toolChoice !== 'none';

export function spellRequest(
  request: ModelRequest,
  dialect: Dialect,
  upstream: Upstream,
  options: BridgeOptions,
  again: readonly ReaskTurns[],
): SpelledRequest {
  const { messages: readable, refused } = readableMedia(request.conversation.messages, seesMedia(upstream));
  if (refused) throw refused;
  const { language } = options.render ?? {};
  const noted = withChoiceNote(request, readable, language);
  const placed = upstream.takes === 'prompt' ? noteBeforeLoop(noted, readable) : noted;
  const asked = withFormatText(placed, request, language);
  const messages = liftResultMedia(asked);
  const trusted: number[] = [];
  for (const turns of again) {
    trusted.push(...turns.trusted.map((place) => messages.length + place));
    messages.push(...turns.messages);
  }
  const { tools } = request.conversation;
  // The decoder of an API may leave the names of results open.
  const linked = messages.every(isLinked) ? messages : linkCopies(messages);
  const conversation = { ...request.conversation, messages: linked, tools: eachOnce(tools) };
  const rendering = { ...thinkingOptions(request, dialect, options), trusted, reasoning: true };
  try {
    const spelled =
      upstream.takes === 'prompt'
        ? asPrompt(
            request,
            dialect,
            upstream,
            renderDecodedPrompt(dialect, conversation, {
              ...rendering,
              model: upstream.model ?? request.model,
            }),
          )
        : asMessages(
            request,
            dialect,
            upstream,
            options,
            renderDecodedMessages(dialect, conversation, { closers: true, ...rendering }),
          );
    return upstream.grammar ? held(spelled, request, dialect, upstream, options) : spelled;
  } catch (error) {
    throw asApiError(error);
  }
}

/** Of two tools of one name the later one counts, at the place of the first. */
function eachOnce(tools: readonly Tool[]): readonly Tool[] {
  const byName = acceptedByName(tools);
  return byName.size === tools.length ? tools : [...byName.values()];
}

function held(
  spelled: SpelledRequest,
  request: ModelRequest,
  dialect: Dialect,
  upstream: Upstream,
  options: BridgeOptions,
): SpelledRequest {
  const begun = spelled.inReasoning || options.inReasoning === true;
  const thinks =
    request.settings.thinking ??
    options.render?.thinking ??
    upstream.reasons ??
    dialect.traits.reasoning !== undefined;
  const reasoning = begun ? 'open' : thinks ? 'yes' : 'no';
  const { grammar: format, beginnings = false } = upstream;
  const members = format ? grammarMembers(request, dialect, { format, reasoning, beginnings }) : {};
  if (Object.keys(members).length === 0) return spelled;
  return { ...spelled, request: { ...spelled.request, members: { ...spelled.request.members, ...members } } };
}

/**
 * Gives the format for an upstream that takes it in its own words: not beside tools, since no call could be written then,
 * and not inside reasoning, which would be left out. A grammar says the same.
 */
function sentFormat(
  request: ModelRequest,
  upstream: Upstream,
  { inReasoning }: BridgeOptions,
): Pick<UpstreamRequest, 'format'> {
  const { format } = request;
  if (!format || offersTools(request) || upstream.grammar || inReasoning) return {};
  return takesFormat(request, upstream) ? { format } : {};
}

function asMessages(
  request: ModelRequest,
  dialect: Dialect,
  upstream: Upstream,
  options: BridgeOptions,
  rendered: RenderedMessages,
): SpelledRequest {
  return {
    request: {
      ...plainRequest(request, dialect, upstream),
      ...sentFormat(request, upstream, options),
      conversation: chatOf(rendered),
      ...(upstream.origins && { rendered: rendered.messages }),
    },
    inReasoning: false,
  };
}

function asPrompt(
  request: ModelRequest,
  dialect: Dialect,
  upstream: Upstream,
  { text, stop, spans }: RenderedPrompt,
): SpelledRequest {
  const plain = plainRequest(request, dialect, upstream);
  const opens = dialect.traits.reasoning?.open;
  return {
    request: {
      ...plain,
      settings: { ...plain.settings, ...(stop.length > 0 && { stop: [...stop] }) },
      conversation: { messages: [], tools: [], toolChoice: 'auto' },
      prompt: text,
      ...(upstream.origins && { spans }),
    },
    inReasoning: opens !== undefined && text.trimEnd().endsWith(opens),
  };
}

/** Gives a request for one streamed answer, without what only the bridge understands: stop strings are handled here. */
function plainRequest(request: ModelRequest, dialect: Dialect, upstream: Upstream): UpstreamRequest {
  const { stop: _stop, choices: _choices, parallelCalls: _parallel, ...settings } = request.settings;
  const { extra = {} } = request;
  const members = Object.fromEntries(
    passedTo(upstream, request)
      .filter((key) => Object.hasOwn(extra, key))
      .map((key) => [key, extra[key]]),
  );
  const specialTokens = offersTools(request) ? specialTokensOf(dialect) : [];
  return {
    ...(request.api && { api: request.api }),
    model: request.model,
    conversation: request.conversation,
    settings,
    stream: true,
    ...(Object.keys(members).length > 0 && { [isOwnApi(request, upstream) ? 'extra' : 'members']: members }),
    ...(specialTokens.length > 0 && { specialTokens }),
  };
}

function chatOf({ messages }: RenderedMessages): ModelRequest['conversation'] {
  const chat: Message[] = [];
  for (const [at, message] of messages.entries()) {
    const last = chat.at(-1);
    if (messages[at - 1]?.role === 'tool' && message.role === 'user' && last?.role === 'user')
      chat[chat.length - 1] = joined(last, plainMessage(message) as UserMessage);
    else chat.push(plainMessage(message));
  }
  return { messages: chat, tools: [], toolChoice: 'auto' };
}

/** A message that was rendered before gives the same constant again, so that it is not encoded again either. */
const plainMessage = onceConstant((rendered: RenderedMessage) => {
  const message = chatMessage(rendered);
  return isConstant(rendered) ? makeConstant(message) : message;
});

/** Gives results the role `user`: an endpoint without tools has no role for them. */
function chatMessage({ role, content, media = [] }: RenderedMessage): Message {
  const text = { type: 'text' as const, text: content };
  if (role === 'user') return { role, parts: content === '' ? media : [text, ...media] };
  return { role: role === 'tool' ? 'user' : role, parts: [text] };
}

/** Joins a user's message to the results before it: chat templates refuse two user messages in a row. */
function joined(results: UserMessage, user: UserMessage): UserMessage {
  const [first, ...others] = user.parts;
  if (first?.type !== 'text') return { ...results, parts: [...results.parts, ...user.parts] };
  const text = `${textOf(results)}\n\n${first.text}`;
  return { ...results, parts: [{ type: 'text', text }, ...others] };
}

/** Turns any error into an ApiError: a UsageError of core is about what the client sent. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof UsageError)
    return new ApiError('bad-request', error.message, {
      ...(error.path !== undefined && { path: error.path }),
      cause: error,
    });
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError('internal', message, { cause: error });
}

interface Holding {
  format: GrammarFormat;
  /** Whether the model may reason first; `open`: the prompt ends inside the reasoning. */
  reasoning: 'no' | 'yes' | 'open';
  /** Whether the upstream takes the beginnings of answers. Default false. */
  beginnings?: boolean;
}

/** Gives members for the request's body; none where the tools or the dialect have no such grammar. */
export function grammarMembers(request: ModelRequest, dialect: Dialect, holding: Holding): Extra {
  const { tools, toolChoice } = request.conversation;
  const { format } = request;
  if (!offersTools(request) && !format) return {};
  // A schema holds the whole answer, also its reasoning.
  if (!offersTools(request) && holding.format === 'json-schema' && holding.reasoning === 'open') return {};
  const parallel = request.settings.parallelCalls !== false;
  const { beginnings: takesBeginnings, ...held } = holding;
  try {
    if (offersTools(request)) {
      const constraint = constrain(dialect, withPatterns(tools), toolChoice, { ...held, parallel });
      const { beginnings } = constraint;
      return {
        ...membersOf(constraint),
        ...(takesBeginnings && beginnings && { grammar_beginnings: [...beginnings] }),
      };
    }
    const schema = format?.type === 'json-schema' ? format.schema : { type: 'object' };
    return membersOf(constrainAnswer(dialect, schema, held), 'answer');
  } catch (error) {
    // Without a grammar the prompt and reasks have to do, as with other upstreams.
    if (error instanceof UsageError) return {};
    throw error;
  }
}

/** llama.cpp's number for a trigger that is a word. */
const WORD = 1;

function membersOf({ format, grammar, lazy, triggers }: Constraint, name = 'calls'): Extra {
  if (grammar === undefined) return {};
  if (format === 'json-schema')
    return {
      response_format: { type: 'json_schema', json_schema: { name, strict: true, schema: grammar } },
    };
  if (format === 'structural-tag') return { response_format: grammar };
  if (format === 'lark') return { structured_outputs: { grammar } };
  if (!lazy) return { grammar };
  return {
    grammar,
    grammar_lazy: true,
    grammar_triggers: triggers.map((value) => ({ type: WORD, value })),
    preserved_tokens: [...triggers],
  };
}
