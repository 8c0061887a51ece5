// dragoman explain: shows why a tool call did not work.

import { detect, indentJson } from '@dragoman/core';
import { verdictWords } from '@dragoman/core/internal';
import type { Arguments } from '../arguments.js';
import { readEvidence } from '../choose-dialect.js';
import type { Command } from '../command.js';
import { explanationAnswer } from '../explain/explain-answer.js';
import { type Explanation, explainText } from '../explain/explain-text.js';
import { showExplanation } from '../explain/explain-view.js';
import { dialectChoices, dialectOption } from '../find-dialect.js';
import { readInput, readTools } from '../input.js';
import { Places } from '../places.js';
import { columns, note, writeLine } from '../terminal.js';
import { visibleLine } from '../visible-text.js';

export const explainCommand: Command = {
  usage: 'explain [file] [options]',
  about:
    "Reads a model's output, from a file or standard input, or pasted into the terminal and ended with Ctrl-D. Names the dialects that could have written it and how sure that is; shows how each character was read; lists calls, issues and repairs, each with its place, what it means and what to do; and shows how the calls should have been written.",
  examples: {
    'A call with a comma too many. Which format is it?': `echo '<tool_call>{"name": "add", "arguments": {"a": 1,}}</tool_call>' |
  dragoman explain`,
    'A call that was cut off. The code is 1: there are issues.': `printf '<tool_call>wait<arg_key>days</arg_key><arg_value>3' > output.txt
dragoman explain output.txt --model glm-4.5-air || test $? = 1`,
    'Checked against the tools that were offered.': `echo '[{"name": "get_weather"}]' > tools.json
echo '<tool_call>{"name": "getweather", "arguments": {}}</tool_call>' |
  dragoman explain --tools tools.json --quiet || test $? = 1`,
  },
  options: {
    '-d, --dialect <name>':
      'Read it in this dialect: a name, or a file with a dialect of your own. Default: auto, in all of them, and the one that fits best is shown.',
    '--model <name>': 'What the model is called. Decides where several dialects fit equally. Default: none.',
    '--template <file>':
      'Its chat template, or a tokenizer_config.json that has one. Decides where several fit equally. Default: none.',
    '--tools <file>':
      'The tools that were offered, as JSON: a list in the shape of OpenAI, Anthropic, the AI SDK or MCP, or a request that holds one. Default: none.',
    '--thinking': 'The prompt ended inside the reasoning. Default: detected from the text, and stated.',
    '--no-thinking': 'The prompt did not end inside the reasoning.',
    '--json': 'Print one JSON object, with every character. Default: text.',
    '-q, --quiet': 'One line for the answer, and one for each issue and each repair. Default: all of it.',
  },
  completes: { dialect: dialectChoices },
  words: 'file',
  sections: {
    'How sure': `sure    no other dialect recognises anything in the text
likely  others do, too, but with more that is wrong or left over
open    several read it equally well; --dialect, --model or --template decides
none    no dialect reads a call; the output says what the text looks like`,
    JSON: `--json prints
  {"dialect", "confidence", "why", "thinking", "dialects", "spans", "calls",
   "lost", "issues", "repairs", "left", "signs", "shouldBe"}
"spans" tile the text: {"start", "end", "role"}, where the role is text,
aside, reasoning, name, argument, markup or lost. Ranges are [start, end) in
UTF-16 code units; "line" and "column" count from 1. "left" are markers in
plain text, "signs" what the text looks like when no dialect reads it.`,
    'Exit codes': `0  read without issues
1  there are issues; or no call was read, but something looks like one;
   or another dialect reads more than the one that was asked for
2  the command was called wrongly
3  a file could not be read, or holds no tools`,
  },
  run,
};

async function run(args: Arguments): Promise<number> {
  args.oneOf('json', 'quiet');
  const file = args.file();
  const model = args.value('model');
  const tools = await readTools(args.value('tools'));
  const named = args.value('dialect');
  const dialect = named === 'auto' ? undefined : dialectOption(named);
  const told = detect(await readEvidence(args));
  if (model !== undefined && told?.by !== 'model')
    note(`No dialect is known for the model ${visibleLine(model)}.`);
  if (args.has('template') && !told) note(`No dialect is known for the template ${args.value('template')}.`);
  const thinking = args.choice('thinking');
  const text = await readInput(file);
  const explanation = explainText(text, { tools, dialect, told, thinking });
  if (args.has('json')) await writeLine(indentJson(explanationAnswer(explanation), 2));
  else if (args.has('quiet')) await writeLine(inShort(explanation));
  else await writeLine(showExplanation(explanation, columns()));
  return explanation.code;
}

function inShort({ text, verdict, told }: Explanation): string {
  const places = new Places(text);
  const at = (offset: number) => {
    const { line, column } = places.of(offset);
    return `${line}:${column}`;
  };
  const { issues, repairs } = verdict.best;
  return [
    verdictWords(verdict, told)[0] ?? '',
    ...issues.map(({ code, message, range }) => `${at(range[0])}  issue ${code}: ${message}`),
    ...repairs.map(({ code, range }) => `${at(range[0])}  repair ${code}`),
  ]
    .map(visibleLine)
    .join('\n');
}
