// dragoman grammar: tools in, a sampling grammar of their calls out.

import {
  acceptTools,
  type Constraint,
  constrain,
  type ExactValue,
  GRAMMAR_FORMATS,
  indentJson,
  type ToolChoice,
  toPlain,
  UsageError,
} from '@dragoman/core';
import type { Arguments } from '../arguments.js';
import { chooseDialect, dialectOrAuto, modelOption, templateOption } from '../choose-dialect.js';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import { toolsIn } from '../fields.js';
import { dialectChoices, missingDialect } from '../find-dialect.js';
import { readInput, readJson } from '../input.js';
import { note, write, writeLine } from '../terminal.js';

const REASONING = ['no', 'yes', 'open'] as const;

export const grammarCommand: Command = {
  usage: 'grammar [file] --dialect <name> [options]',
  about:
    'Writes a grammar that limits an engine to calls of these tools (JSON, from a file or standard input), as the dialect spells them and with arguments of the right shape: GBNF for llama.cpp, a structural tag for vLLM and SGLang, Lark for llguidance, JSON Schema where the calls are nothing but JSON. What the engine cannot enforce is listed.',
  examples: {
    'A grammar for llama.cpp that makes the model call one of the tools.': `echo '[{"name": "get_weather", "parameters": {"type": "object",
  "properties": {"city": {"type": "string"}},
  "required": ["city"]}}]' > tools.json
dragoman grammar tools.json --dialect hermes --choice required`,
    'Text or calls, as vLLM and SGLang take it in response_format.': `echo '[{"name": "now"}]' |
  dragoman grammar --dialect qwen3-coder --format structural-tag`,
    'Exactly one call of one tool, with all that a request needs, as JSON.': `echo '[{"name": "now"}, {"name": "stop"}]' |
  dragoman grammar --dialect glm-4.5 --choice stop --json`,
  },
  options: {
    ...dialectOrAuto,
    ...modelOption,
    ...templateOption,
    '-f, --format <name>': 'gbnf, structural-tag, lark or json-schema. Default: gbnf.',
    '--choice <auto|required|<tool>>': 'Text or calls; calls; one call of that tool. Default: auto.',
    '--one': 'At most one call. Default: any number.',
    '--reasoning <no|yes|open>':
      'Whether the model may think first; open where the prompt has begun it. Default: no.',
    '--special <token> …': 'lark: a marker that is one token of the vocabulary. May be given several times.',
    '--json': 'Print one JSON object: the grammar, its triggers and its limits.',
  },
  completes: { dialect: dialectChoices, format: GRAMMAR_FORMATS, reasoning: REASONING },
  words: 'file',
  sections: {
    Output: `The grammar goes to standard output, its limits to standard error, one a line.
--json prints
  {"format", "grammar", "lazy", "triggers", "limits"}
with each limit as {"path", "keyword", "message"}. \`lazy\` means that the
grammar applies only after one of the triggers, which llama.cpp needs to know
(grammar_lazy, grammar_triggers). \`grammar\` is null where there is nothing to
enforce, and the limits give the reason.`,
    'Exit codes': `0  written
2  the command was called wrongly, or there is no such grammar
3  a file could not be read, or holds no tools`,
  },
  run,
};

async function run(args: Arguments): Promise<number> {
  const dialect = await chooseDialect(args);
  if (!dialect) throw missingDialect();
  const format = args.word('format', GRAMMAR_FORMATS) ?? 'gbnf';
  const reasoning = args.word('reasoning', REASONING) ?? 'no';
  const file = args.file();
  const tools = toPlain(toolsIn(readJson(await readInput(file), file ?? 'standard input')));
  const options = { format, reasoning, parallel: !args.has('one'), specialTokens: args.values('special') };
  await print(
    attempt(() => constrain(dialect, acceptTools(tools), choiceOf(args.value('choice')), options)),
    args,
  );
  return 0;
}

function choiceOf(value = 'auto'): ToolChoice {
  return value === 'auto' || value === 'required' || value === 'none' ? value : { name: value };
}

/** Reports a dialect or a tool choice without a grammar as a usage error; faulty tools stay an error of the input. */
function attempt(make: () => Constraint): Constraint {
  try {
    return make();
  } catch (error) {
    if (error instanceof UsageError && (error.code === 'no-grammar' || error.path === 'toolChoice'))
      throw new CommandError(error.message);
    throw error;
  }
}

async function print(constraint: Constraint, args: Arguments): Promise<void> {
  const { format, grammar, lazy, triggers, limits } = constraint;
  if (args.has('json')) {
    const members = {
      format,
      grammar: grammar ?? null,
      lazy,
      triggers: [...triggers],
      limits: limits.map((limit) => ({ ...limit })),
    };
    await writeLine(indentJson(members as ExactValue, 2));
    return;
  }
  for (const { path, keyword, message } of limits)
    note([path, keyword, message].filter((part) => part !== '').join(': '));
  if (typeof grammar === 'string') await write(grammar);
  else if (grammar) await writeLine(indentJson(grammar as ExactValue, 2));
}
