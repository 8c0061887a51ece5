// Writes the prompt of Functionary 3.2, as its chat template does: Llama's turns, and a system turn of the vendor's.
//
//   <|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nYou are capable … namespace functions {…<|eot_id|>
//   <|start_header_id|>user<|end_header_id|>\n\nWeather?<|eot_id|>
//   <|start_header_id|>assistant<|end_header_id|>\n\n>>>all\nI look.>>>get_weather\n{"location": "Rome"}<|eot_id|>
//   <|start_header_id|>tool<|end_header_id|>\n\n22<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n>>>
//
// The vendor's system turn is there without tools, too. An answer begins after `>>>`. There is no reasoning; arguments
// are the client's own text.

import type { RenderOptions, Writer } from '../../engine/dialect.js';
import { callField, callsOf, contentField, resultField, textOf } from '../../engine/message-text.js';
import { resultText } from '../../engine/result-text.js';
import { argumentsText } from '../../families/writing/call-arguments.js';
import { runOfResults } from '../../families/writing/prompt-parts.js';
import type { AssistantMessage, Conversation, Message } from '../../model/index.js';
import { writeFunctionaryTools } from './tools.js';

const END = '<|eot_id|>';
const open = (role: string) => `<|start_header_id|>${role}<|end_header_id|>\n\n`;

export function writeFunctionaryPrompt(
  out: Writer,
  { messages, tools }: Conversation,
  options: RenderOptions,
): void {
  out.ours(`<|begin_of_text|>${open('system')}${RULES}`);
  writeFunctionaryTools(out, tools);
  out.ours(END);
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role === 'assistant') writeAssistant(out, message, at);
    else if (message.role === 'tool') {
      const { results, last } = runOfResults(messages, at);
      for (const result of results)
        out.ours(open('tool')).outside(resultText(result), resultField(result)).ours(END);
      at = last;
    } else out.ours(open(message.role)).outside(textOf(message), contentField(at)).ours(END);
  }
  if (options.generate !== false) out.ours(`${open('assistant')}>>>`);
}

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
  for (const call of calls) {
    out.ours('>>>').outside(call.name, callField(call)).ours('\n');
    out.jsonText(argumentsText(call), callField(call));
  }
  out.ours(END);
}

/** Whether the text ends so that it would merge with the mark after it: a line break keeps them apart. */
function joinsMark({ safety }: Writer, text: string): boolean {
  return safety !== 'exact' && text !== '' && '>|\\'.includes(text.slice(-1));
}
