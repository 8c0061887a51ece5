// Writes the prompt of Functionary 3.2, as its chat template does: Llama's turns, and a system turn of the vendor's.
//
//   <|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nYou are capable … namespace functions {…<|eot_id|>
//   <|start_header_id|>user<|end_header_id|>\n\nWeather?<|eot_id|>
//   <|start_header_id|>assistant<|end_header_id|>\n\n>>>all\nI look.>>>get_weather\n{"location": "Rome"}<|eot_id|>
//   <|start_header_id|>tool<|end_header_id|>\n\n22<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n>>>
//
// The vendor's system turn is there without tools, too. An answer begins after `>>>`. There is no reasoning; arguments
// are the client's own text.

import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { callField, callsOf, contentField, textOf } from '../../engine/message-text.js';
import { resultsIn } from '../../families/declared/declared-results.js';
import { argumentsText } from '../../families/writing/call-arguments.js';
import { writeTurns } from '../../families/writing/prompt-parts.js';
import { readToolLines, teaching } from '../../families/writing/tool-text.js';
import { all, callEach, many, type Spelling, text } from '../../grammar/spelling.js';
import type { AssistantMessage, Conversation, ToolCall } from '../../model/index.js';
import { writeFunctionaryTools } from './tools.js';

const END = '<|eot_id|>';
const open = (role: string) => `<|start_header_id|>${role}<|end_header_id|>\n\n`;

export const functionaryRender: Render = {
  instructions: teaching({
    example: '>>>NAME\n{"key": "text", "count": 2}',
    rules:
      'The arguments are one JSON object. For several calls, write several, each behind its own >>>. Write text ' +
      'for the user, if any, behind a line >>>all.',
    result: 'text',
  }),
  // The vendor has no line break before the calls; without one, text that ends in `>` or in half a token would merge
  // with the mark.
  calls: (out, calls, { afterText }) =>
    writeCalls(out.ours(afterText && calls.length > 0 ? '\n' : ''), calls),
  // The vendor gives each result a turn of its own, without a name: the turn's frame separates several in one message.
  results: resultsIn({ each: '{output}', between: END + open('tool') }),
  prompt: writePrompt,
  stop: [END],
  back: { tools: readToolLines },
};

const eachCall = callEach(({ name }) => [`${name}\n`, ''], [END], '>>>');

/** The prompt ends with the first mark: a model that is held has to go on with the name. */
export const functionarySpelling: Spelling = {
  triggers: ['>>>'],
  // `all` is text.
  beginnings: (tools) => tools.filter(({ name }) => name !== 'all').map(({ name }) => `${name}\n`),
  calls: (tools, howMany) => all(many(text('>>>'), { from: 0, to: 1 }), eachCall(tools, howMany)),
};

function writeCalls(out: Writer, calls: readonly ToolCall[]): void {
  for (const call of calls) {
    const field = callField(call);
    out.ours('>>>').outside(call.name, field).ours('\n').jsonText(argumentsText(call), field);
  }
}

const writeResults = resultsIn({ each: `${open('tool')}{output}${END}`, between: '' });

function writePrompt(out: Writer, { messages, tools }: Conversation, options: RenderOptions): void {
  out.ours(`<|begin_of_text|>${open('system')}${RULES}`);
  writeFunctionaryTools(out, tools);
  out.ours(END);
  writeTurns(messages, 0, {
    text: (message, at) => out.ours(open(message.role)).outside(textOf(message), contentField(at)).ours(END),
    answer: (message, at) => {
      const begin = () => `${open('assistant')}>>>`;
      // The template ends an empty answer before the mark.
      const plain = isEmpty(message) ? open('assistant') : begin();
      if (!out.ownWords(message, { options, begin, keeps: true, plain })) writeAssistant(out, message, at);
      out.ours(END);
    },
    results: (results) => writeResults(out, results),
  });
  if (options.generate !== false) out.ours(`${open('assistant')}>>>`);
}

const isEmpty = (message: AssistantMessage) => textOf(message) === '' && callsOf(message).length === 0;

const RULES = `You are capable of executing available function(s) if required.
Only execute function(s) when absolutely necessary.
Ask for the required input to:recipient==all
Use JSON for function arguments.
Respond in this format:
>>>\${recipient}
\${content}
Available functions:
`;

function writeAssistant(out: Writer, message: AssistantMessage, at: number): void {
  const text = textOf(message);
  out.ours(open('assistant'));
  const calls = callsOf(message);
  if (text !== '') out.ours('>>>all\n').outside(text, contentField(at));
  if (calls.length > 0 && joinsMark(out, text)) out.ours('\n');
  writeCalls(out, calls);
}

/** Whether the text ends so that it would merge with the mark after it: a line break keeps them apart. */
function joinsMark({ safety }: Writer, text: string): boolean {
  return safety !== 'exact' && text !== '' && '>|\\'.includes(text.slice(-1));
}
