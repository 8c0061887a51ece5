// What a case is, and what the cases are made of.

import { type Dialect, parseExact, stringifyJson } from '@dragoman/core';
import type { ResponderOptions, UpstreamOptions } from '@dragoman/core/bridge';
import { type SpelledTurn, spell } from '../scripted/spell.js';
import type { ModelBody, ScriptedReply } from '../scripted/text-model.js';
import type { Choice, Client, ClientTool, Ending, Turn } from './client.js';

export const tools: ClientTool[] = [
  {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  {
    name: 'write_file',
    description: 'Writes a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' }, serial: { type: 'integer' } },
      required: ['path', 'content'],
    },
  },
];

export const RESULT = 'clear-sky-4711';

/** A call that was run, as the tool saw it. */
export interface Ran {
  name: string;
  input: unknown;
  raw?: string;
}

interface SeenTurn {
  text: string | RegExp;
  calls?: string[];
  ending?: Ending;
  /** Looked at where the client shows it. Default none. */
  reasoning?: string | RegExp;
}

export interface Case {
  name: string;
  /** In which dialects it is run. Default: all of those the project began with. */
  dialects?: 'every' | 'one' | ((dialect: Dialect) => boolean);
  /** Only where reasoning stands in <think> and text in no frame: a chat endpoint knows no other. */
  unframed?: true;
  /** How the model is reached, and what the library is told besides. */
  upstream?: Partial<UpstreamOptions>;
  options?: (dialect: Dialect) => Partial<ResponderOptions>;
  script(dialect: Dialect): ScriptedReply[];
  choice?: Choice;
  /** Requests the client may make. Default 5. */
  turns?: number;
  /** What the tools were called with, as JSON text. */
  ran(dialect: Dialect): { name: string; raw: string }[];
  /** The turns the client saw. */
  turnsSeen?: SeenTurn[];
  /** The client throws instead; with this status, where it is no matter of a stream. */
  throws?: true | number;
  /** The token limit cuts the answer off: some clients throw then. */
  cut?: true;
  /** What must hold besides. */
  also?(seen: { turns: Turn[]; asked: ModelBody[]; client: Client }): void;
}

export const weather = (city: string) => ({ name: 'get_weather', raw: JSON.stringify({ city }) });
export const say = (dialect: Dialect, turn: SpelledTurn) => spell(dialect, turn, tools);

/** Quotes the results if it has been told any. */
export function quoteResult(dialect: Dialect, times = 1): ScriptedReply {
  return (body) => {
    const told = JSON.stringify(body.messages ?? body.prompt).split(RESULT).length - 1;
    return (
      opened(body) + say(dialect, { text: told === times ? `It says ${RESULT}.` : `I saw ${told} results.` })
    );
  };
}

/** A model whose prompt opened its reasoning begins inside it. */
export function opened({ prompt }: ModelBody): string {
  return prompt?.trimEnd().endsWith('<think>') ? 'Let me see.</think>' : '';
}

export const quoted: SeenTurn = { text: `It says ${RESULT}.`, calls: [], ending: 'stop' };

/** Digits and key order count, spelling does not. */
export function exact(json: string): string {
  return stringifyJson(parseExact(json), 'compact');
}
