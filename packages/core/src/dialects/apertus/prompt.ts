// Writes the prompt of Apertus, as its chat template does.
//
//   <s><|system_start|>Be brief.<|system_end|><|developer_start|>Deliberation: disabled\nTool Capabilities:\n
//   // The weather\ntype get_weather = (_: {…}) => any;<|developer_end|><|user_start|>Weather?<|user_end|>
//   <|assistant_start|><|tools_prefix|>[{"get_weather": {…}}]<|tools_suffix|>[22]<|assistant_start|>
//
// (All in one line.) Results are in the assistant's turn as they are, in brackets; only a user message ends that turn.
// Reasoning is not repeated: the template takes it in blocks that no API knows. Without a system text the options
// `defaultSystem` and `current_date` ask for the vendor's, the latter with a date. A later system text becomes the
// developer's; the template refuses it.

import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { callsOf, contentField, textOf } from '../../engine/message-text.js';
import { resultsIn } from '../../families/declared/declared-results.js';
import { leadingSystem, templateText, writeTurns } from '../../families/writing/prompt-parts.js';
import { writeTypeScriptTools } from '../../families/writing/typescript-tools.js';
import type { Tool } from '../../model/index.js';

const BEGIN = '<|assistant_start|>';

const writeResults = resultsIn({ before: '[', each: '{output}', between: ', ', behind: ']' });

export function apertusPrompt(writeCalls: Render['calls']): NonNullable<Render['prompt']> {
  return (out, { messages, tools }, options) => {
    const { text, rest } = leadingSystem(messages);
    writeSystem(out.ours('<s>'), rest > 0 ? text : undefined, options);
    writeDeveloper(out, tools, options.thinking === true);
    let open = false;
    writeTurns(messages, rest, {
      text: (message, at) => {
        const speaker = message.role === 'system' ? 'developer' : 'user';
        out.ours(open ? '<|assistant_end|>' : '').ours(`<|${speaker}_start|>`);
        out.outside(textOf(message), contentField(at)).ours(`<|${speaker}_end|>`);
        open = false;
      },
      answer: (message, at) => {
        if (!out.ownWords(message, { options, begin: () => BEGIN, keeps: false, plain: BEGIN })) {
          out.ours(open ? '' : BEGIN).answer(textOf(message), contentField(at));
          writeCalls(out, callsOf(message), { tools: [], afterText: true });
        }
        open = true;
      },
      results: (results) => writeResults(out, results),
    });
    if (options.generate !== false) out.ours(BEGIN);
  };
}

/** Writes the system text that is given, or the vendor's if it, or its date, is asked for. */
function writeSystem(out: Writer, given: string | undefined, options: RenderOptions): void {
  const { defaultSystem, current_date: date } = options.template ?? {};
  if (given === undefined && defaultSystem !== true && date === undefined) return;
  out.ours('<|system_start|>');
  if (given === undefined) writeIdentity(out, options);
  else out.outside(given, contentField(0));
  out.ours('<|system_end|>');
}

function writeIdentity(out: Writer, { template = {} }: RenderOptions): void {
  out.ours(
    'You are Apertus, a helpful assistant created by the SwissAI initiative.\nKnowledge cutoff: 2024-04',
  );
  const date = templateText(template, 'current_date');
  if (date !== undefined) out.ours('\nCurrent date: ').outside(date, 'template.current_date');
}

function writeDeveloper(out: Writer, tools: readonly Tool[], thinks: boolean): void {
  out.ours(`<|developer_start|>Deliberation: ${thinks ? 'enabled' : 'disabled'}\nTool Capabilities:`);
  if (tools.length === 0) out.ours(' disabled');
  else writeTypeScriptTools(out.ours('\n'), tools, { last: '\n', behind: '', between: '\n' });
  out.ours('<|developer_end|>');
}
