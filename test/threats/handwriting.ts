// Calls as models write them, written without the library: attacks must not be made by the code they test.

import type { Dialect } from '@dragoman/core';
import { fullyTried } from '../../packages/core/src/dialects/every.fixture.js';

export interface HandCall {
  name: string;
  id?: string;
  /** Keys and values, the values as JSON text. Keys may repeat. */
  args?: [key: string, json: string][];
}

interface Hand {
  /** Writes a whole answer of only these calls. */
  write(calls: readonly HandCall[]): string;
  /** The opener of a call or a block of calls, as prose would mention it. */
  openers: readonly string[];
  /** The text that ends a call's arguments, which a value may contain. */
  closer: string;
}

const object = (args: HandCall['args'] = []) =>
  `{${args.map(([key, json]) => `${JSON.stringify(key)}: ${json}`).join(', ')}}`;

/** Gives a string as it is, any other value as JSON. */
const verbatim = (json: string) => (json.startsWith('"') ? String(JSON.parse(json)) : json);

const idOf = (call: HandCall, at: number) => call.id ?? `id_${at + 1}`;

const glm = (gap: string): Hand => ({
  write: (calls) =>
    calls
      .map(({ name, args = [] }) => {
        const pairs = args.map(
          ([key, json]) => `<arg_key>${key}</arg_key>${gap}<arg_value>${verbatim(json)}</arg_value>${gap}`,
        );
        return `<tool_call>${name}${gap}${pairs.join('')}</tool_call>`;
      })
      .join(gap),
  openers: ['<tool_call>'],
  closer: '</arg_value>',
});

const dsml = (wrapper: string, space: string): Hand => ({
  write: (calls) => {
    const invokes = calls.map(({ name, args = [] }) => {
      const parameters = args.map(
        ([key, json]) =>
          `<｜DSML｜${space}parameter name="${key}" string="${json.startsWith('"')}">${verbatim(json)}</｜DSML｜${space}parameter>`,
      );
      return `<｜DSML｜${space}invoke name="${name}">\n${parameters.join('\n')}\n</｜DSML｜${space}invoke>\n`;
    });
    return `<｜DSML｜${space}${wrapper}>\n${invokes.join('')}</｜DSML｜${space}${wrapper}>`;
  },
  openers: [`<｜DSML｜${space}${wrapper}>`, `<｜DSML｜${space}invoke name="f">`],
  closer: `</｜DSML｜${space}parameter>`,
});

const hands: Record<string, Hand> = {
  alkaid: {
    write: (calls) => {
      const entries = calls.map(
        (call, at) =>
          `{"name": ${JSON.stringify(call.name)}, "id": ${JSON.stringify(idOf(call, at))}, "parameters": ${object(call.args)}}`,
      );
      return `<tools>\n[${entries.join(', ')}]\n</tools>`;
    },
    openers: ['<tools>'],
    closer: '</tools>',
  },
  xnl: {
    write: (calls) => {
      const elements = calls.map(
        (call, at) =>
          `<tool_call id=${JSON.stringify(idOf(call, at))} lang="javascript" #>\nTools.${call.name}(${object(call.args)})\n</#>\n`,
      );
      return `!unquote_start\n${elements.join('')}!unquote_end`;
    },
    openers: ['!unquote_start', '<tool_call id="x" lang="javascript" #>'],
    closer: '</#>',
  },
  'glm-4.5': glm('\n'),
  'glm-4.7': glm(''),
  'deepseek-v3.1': {
    write: (calls) => {
      const spelled = calls.map(
        ({ name, args }) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${object(args)}<｜tool▁call▁end｜>`,
      );
      return `<｜tool▁calls▁begin｜>${spelled.join('')}<｜tool▁calls▁end｜>`;
    },
    openers: ['<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>'],
    closer: '<｜tool▁call▁end｜>',
  },
  'deepseek-v3.2': dsml('function_calls', ''),
  'deepseek-v4': dsml('tool_calls', ''),
  'deepseek-v4.1': dsml('calls', ' '),
  hermes: {
    write: (calls) =>
      calls
        .map(
          ({ name, args }) =>
            `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${object(args)}}\n</tool_call>`,
        )
        .join('\n'),
    openers: ['<tool_call>'],
    closer: '</tool_call>',
  },
  'qwen3-coder': {
    write: (calls) =>
      calls
        .map(({ name, args = [] }) => {
          const parameters = args.map(
            ([key, json]) => `<parameter=${key}>\n${verbatim(json)}\n</parameter>\n`,
          );
          return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
        })
        .join('\n'),
    openers: ['<tool_call>', '<function=f>', '<parameter=s>'],
    closer: '</parameter>',
  },
};

export function handOf(dialect: Dialect): Hand {
  const hand = hands[dialect.name];
  if (!hand) throw new Error(`test/threats/handwriting.ts does not know how ${dialect.name} is written`);
  return hand;
}

/** Writes a whole answer of only these calls. */
export const write = (dialect: Dialect, ...calls: HandCall[]) => handOf(dialect).write(calls);

export const f = (...args: [key: string, json: string][]): HandCall => ({ name: 'f', args });

/** The dialects the project began with, for `it.each`: `$name` in a title is the dialect's. */
export const every = [...fullyTried];

export const named = (...names: string[]) => every.filter(({ name }) => names.includes(name));
export const except = (...names: string[]) => every.filter(({ name }) => !names.includes(name));

/** The tool most attacks aim at. */
export const TOOLS = [
  {
    name: 'f',
    parameters: {
      type: 'object',
      properties: {
        s: { type: 'string' },
        t: { type: 'string' },
        n: { type: 'number' },
        o: { type: 'object' },
        a: { type: 'array' },
      },
    },
  },
];
