// `--dialect`: a name, a file, or `auto`, which detects the dialect and reports what it found.
//
//   --dialect auto   --model <name>      its name
//                    --template <file>   its chat template
//                    --guess             the text itself, only when told

import { type Detection, type Dialect, detect, type Evidence } from '@dragoman/core';
import type { Arguments } from './arguments.js';
import { CommandError } from './command-error.js';
import { EXIT } from './exit-codes.js';
import { fieldsOf } from './fields.js';
import { dialectOption } from './find-dialect.js';
import { readJson, readTextFile } from './input.js';
import { note } from './terminal.js';
import { visibleLine } from './visible-text.js';

const aboutDialect =
  'The dialect of the model: a name, a file with a dialect of your own, or auto. `dragoman dialects` lists the names. Required';

export const dialectOrAuto = { '-d, --dialect <name>': `${aboutDialect}.` };

/** Of a verb with --jsonl. */
export const dialectOrLines = {
  '-d, --dialect <name>': `${aboutDialect}, but not for each line of --jsonl.`,
};

export const modelOption = { '--model <name>': 'For --dialect auto: the name of the model. Default: none.' };

export const templateOption = {
  '--template <file>':
    'For --dialect auto: its chat template, or a tokenizer_config.json that has one. Default: none.',
};

export const guessOption = {
  '--guess': 'For --dialect auto: guess from the text itself where nothing else decides. Default: off.',
};

/** The dialect `--dialect` means; undefined where it is not given. `text` is asked only where `--guess` is given. */
export async function chooseDialect(
  args: Arguments,
  sample: Pick<Evidence, 'text' | 'tools'> = {},
  /** Options that have no effect beside the name of a dialect. */
  clues: readonly string[] = ['model', 'template', 'guess'],
): Promise<Dialect | undefined> {
  const name = args.value('dialect');
  if (name !== 'auto') {
    refuseClues(args, clues);
    return dialectOption(name);
  }
  const evidence = { ...(await readEvidence(args)), ...(args.has('guess') && sample) };
  if (Object.keys(evidence).length === 0)
    throw new CommandError(
      '--dialect auto needs --model <name>, --template <file>, or --guess to guess from the text: add one',
    );
  return tellChoice(detect(evidence));
}

/** Rejects options that would have no effect. */
export function refuseClues(args: Arguments, clues: readonly string[]): void {
  const given = clues.find((clue) => args.has(clue));
  if (given !== undefined) throw new CommandError(`--${given} is for --dialect auto: add it`);
}

/** What the options say of a model. */
export async function readEvidence(args: Arguments): Promise<Pick<Evidence, 'model' | 'template'>> {
  const model = args.value('model');
  const file = args.value('template');
  return {
    ...(model !== undefined && { model }),
    ...(file !== undefined && { template: await readChatTemplate(file) }),
  };
}

/** Says what was found and why; a usage error where nothing tells. */
export function tellChoice(found: Detection | undefined): Dialect {
  if (!found)
    throw new CommandError(
      'the dialect could not be determined; name it with --dialect, `dragoman dialects` lists them',
    );
  note(`Dialect ${found.dialect.name}: ${visibleLine(found.reason)}${othersOf(found)}.`);
  return found.dialect;
}

function othersOf({ others }: Detection): string {
  return others.length === 0 ? '' : `; so do ${others.map(({ name }) => name).join(', ')}`;
}

/** The text of a template; of a tokenizer_config.json, of all it has. */
async function readChatTemplate(file: string): Promise<string> {
  const text = await readTextFile(file);
  // A template begins with text or with {% {{ {#.
  if (!/^\ufeff?\s*\{\s*"/.test(text)) return text;
  const given = fieldsOf(readJson(text, file))?.get('chat_template');
  if (typeof given === 'string') return given;
  const texts = Array.isArray(given) ? given.map((one) => fieldsOf(one)?.get('template')) : [];
  if (texts.length === 0) throw new CommandError(`${file} has no chat_template`, EXIT.input);
  return texts.filter((one) => typeof one === 'string').join('\n');
}
