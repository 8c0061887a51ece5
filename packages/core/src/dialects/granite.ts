// granite: IBM's Granite 3.0 to 3.3. (Granite 4 writes hermes.)
//
//   <|tool_call|>[{"name": "get_weather", "arguments": {"location": "Beijing"}}]
//
// Granite 3.0 and 3.1 also write <tool_call>, without a closing tag. Granite 3.3 thinks in <think> and may put its
// answer in <response>: both tags around the answer are read as if they were not there, and not written. The headings
// in prose with which Granite 3.2 parts thought and answer stay text. The whole prompt is that of Granite 3.3, whose
// template does not know calls. Where no system text is given, it writes one with the date of the day: here the option
// `defaultSystem` asks for it, and `current_date` is the date (2026-03-01).

import { codeTokens } from '../families/declared/code-tokens.js';
import type { VendorSystem } from '../families/declared/declared-prompt.js';
import { defineDialect } from '../families/declared/define-dialect.js';
import { templateText } from '../families/writing/prompt-parts.js';

const WITH_TOOLS =
  "You are a helpful assistant with access to the following tools. When a tool is required to answer the user's query, respond only with <|tool_call|> followed by a JSON list of tools used. If a tool does not exist in the provided list of tools, notify the user that you do not have the ability to fulfill the request.";

const WITH_THOUGHTS = `You are a helpful AI assistant.
Respond to every user query in a comprehensive and detailed way. You can write down your thoughts and reasoning process before responding. In the thought process, engage in a comprehensive cycle of analysis, summarization, exploration, reassessment, reflection, backtracing, and iteration to develop well-considered thinking process. In the response section, based on various attempts, explorations, and reflections from the thoughts section, systematically present the final solution that you deem correct. The response should summarize the thought process. Write your thoughts between <think></think> and write your response between <response></response> for each user query.`;

const system: VendorSystem = (out, tools, { thinking, template = {} }) => {
  const date = templateText(template, 'current_date');
  out.ours('Knowledge Cutoff Date: April 2024. ');
  if (date !== undefined)
    out.ours("Today's Date: ").outside(inWords(date), 'template.current_date').ours('. ');
  out.ours('You are Granite, developed by IBM. ');
  out.ours(tools.length > 0 ? WITH_TOOLS : thinking ? WITH_THOUGHTS : 'You are a helpful AI assistant.');
};

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Gives `March 01, 2026` for `2026-03-01`, and any other text as it is. */
function inWords(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? date : `${name} ${day}, ${year}`;
}

export const granite = defineDialect(
  {
    name: 'granite',
    aliases: ['granite3', 'granite-3.1', 'granite-3.2', 'granite-3.3'],
    about: 'A JSON list of calls behind <|tool_call|>.',
    models: ['Granite 3.0', 'Granite 3.1', 'Granite 3.2', 'Granite 3.3'],
    calls: {
      family: 'json',
      open: ['<|tool_call|>', '<tool_call>'],
      shape: 'list',
      keys: { name: 'name', arguments: 'arguments' },
    },
    reasoning: { open: '<think>', close: '</think>' },
    frames: [{ open: '<response>', close: '</response>' }],
    results: { each: '<|start_of_role|>tool_response<|end_of_role|>{output}<|end_of_text|>', between: '\n' },
    turns: {
      system: { open: '<|start_of_role|>system<|end_of_role|>', close: '<|end_of_text|>\n' },
      tools: {
        at: 'behind-system',
        open: '<|start_of_role|>available_tools<|end_of_role|>',
        close: '<|end_of_text|>\n',
        tools: 'openai',
        layout: 'list',
        indent: 4,
      },
      user: { open: '<|start_of_role|>user<|end_of_role|>', close: '<|end_of_text|>\n' },
      assistant: { open: '<|start_of_role|>assistant<|end_of_role|>', close: '<|end_of_text|>\n' },
      results: {
        open: '<|start_of_role|>tool<|end_of_role|>',
        close: '<|end_of_text|>\n',
        each: true,
        says: '{output}',
      },
      reasoning: { open: '<think>', close: '</think>', kept: 'none' },
    },
    ends: ['<|end_of_text|>'],
    tokens: ['<|start_of_role|>', '<|end_of_role|>'],
    special: [
      '<|start_of_cite|>',
      '<|end_of_cite|>',
      '<|start_of_plugin|>',
      '<|end_of_plugin|>',
      '<|audio|>',
      ...codeTokens,
    ],
  },
  { system },
);
