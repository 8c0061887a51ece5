// Reads a conversation in any of the usual shapes: a request of OpenAI's chat API or of Anthropic's Messages API, the
// AI SDK's messages, a bare list of messages, or our Conversation. The shape is detected message by message and part by
// part, so a history that two programs wrote is read, too.
//
// Nothing is normalised and nothing is lost: members that have no place in our model go into `extra`.

import { acceptMessages, acceptSystem } from './accept-messages.js';
import { acceptTools } from './accept-tools.js';
import type { Conversation, Extra, ToolChoice } from './conversation.js';
import { extraOf, type Fields, fieldsOf, notExpected, pick, toOpaque } from './fields.js';
import { linkCalls } from './link-calls.js';

const knownKeys = ['messages', 'system', 'tools', 'functions', 'toolChoice', 'tool_choice', 'function_call'];

/** Reads a conversation. Throws a UsageError that names the path and what was expected there. */
export function acceptConversation(value: unknown): Conversation {
  if (Array.isArray(value))
    return { messages: linkCalls(acceptMessages(value, '')), tools: [], toolChoice: 'auto' };
  const fields = fieldsOf(value);
  const list = fields?.get('messages');
  if (fields === undefined || !Array.isArray(list)) {
    const path = fields === undefined ? '' : 'messages';
    const found = fields === undefined ? value : list;
    throw notExpected(path, 'a list of messages, or a request that has one as `messages`', found);
  }
  const messages = [...acceptSystem(pick(fields, 'system'), 'system'), ...acceptMessages(list, 'messages')];
  const choice = acceptChoice(fields);
  const extra = requestExtra(fields, choice);
  return {
    messages: linkCalls(messages),
    tools: fields.has('tools')
      ? acceptTools(fields.get('tools'))
      : acceptTools(fields.get('functions'), 'functions'),
    toolChoice: choice.toolChoice,
    ...(extra && { extra }),
  };
}

/** Gives, for each message of an accepted conversation, the path of its text in the value it was accepted from. */
export function contentPaths(value: unknown): string[] {
  const fields = Array.isArray(value) ? undefined : fieldsOf(value);
  const list = (fields ? fields.get('messages') : value) as unknown[];
  const system = fields && pick(fields, 'system');
  return [
    ...acceptSystem(system, 'system').map(() => 'system'),
    ...list.flatMap((item, at) => acceptMessages([item], '').map(() => `messages[${at}].content`)),
  ];
}

function requestExtra(fields: Fields, { rest }: Choice): Extra | undefined {
  const own = fields.has('toolChoice') && fieldsOf(fields.get('extra')) !== undefined;
  const extra = extraOf(fields, knownKeys, own, '');
  return rest === undefined ? extra : { ...extra, tool_choice: rest };
}

interface Choice {
  toolChoice: ToolChoice;
  /** The choice as it arrived, where our `ToolChoice` cannot express all of it. */
  rest?: unknown;
}

function acceptChoice(fields: Fields): Choice {
  const key = ['toolChoice', 'tool_choice', 'function_call'].find((name) => pick(fields, name) !== undefined);
  if (key === undefined) return { toolChoice: 'auto' };
  const value = fields.get(key);
  const given = fieldsOf(value);
  const toolChoice = given === undefined ? choiceOfWord(value) : choiceOfObject(given);
  if (toolChoice === undefined) {
    throw notExpected(key, "'auto', 'none', 'required' or the name of a tool as {name}", value);
  }
  return holdsMore(given) ? { toolChoice, rest: toOpaque(value, key) } : { toolChoice };
}

function choiceOfWord(word: unknown): ToolChoice | undefined {
  if (word === 'auto' || word === 'none' || word === 'required') return word;
  return word === 'any' ? 'required' : undefined;
}

/** Reads {type: 'function', function: {name}}, {type: 'tool', name | toolName}, {type: 'any'}, {name}. */
function choiceOfObject(given: Fields): ToolChoice | undefined {
  const inner = fieldsOf(pick(given, 'function', 'custom')) ?? given;
  const name = pick(inner, 'name', 'toolName');
  if (typeof name === 'string') return { name };
  const allowed = fieldsOf(given.get('allowed_tools')) ?? given;
  return given.get('type') === 'allowed_tools'
    ? choiceOfWord(allowed.get('mode'))
    : choiceOfWord(given.get('type'));
}

function holdsMore(given: Fields | undefined): boolean {
  const words = ['type', 'function', 'custom', 'name', 'toolName'];
  return [...(given?.keys() ?? [])].some((key) => !words.includes(key));
}
