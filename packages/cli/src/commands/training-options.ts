// Reads the options of `dragoman convert` for training data.

import { resolve } from 'node:path';
import type { FormChoice } from '@dragoman/convert';
import { hashTokenizer, type TrainingSettings } from '@dragoman/convert/files';
import type { Arguments } from '../arguments.js';
import { CommandError } from '../command-error.js';
import { didYouMean } from '../nearest.js';
import { MASK_KINDS } from '../render-choices.js';

/** Whether rows of training data are asked for, which prompts are also written for that cannot be read back. */
export function isForTraining(args: Arguments): boolean {
  return ['mask', 'per-turn', 'check-prefix'].some((name) => args.has(name));
}

/** Gives undefined where no option asks for anything. `to` has been checked to be a form of text. */
export function readTraining(args: Arguments, to: FormChoice): TrainingSettings | undefined {
  const mask = args.has('mask') ? readKinds(args) : undefined;
  const tokenizer = args.value('tokenizer');
  const [perTurn, checkPrefix] = [args.has('per-turn'), args.has('check-prefix')];
  if (!mask && args.has('mask-without')) throw new CommandError('--mask-without is for --mask');
  if (tokenizer !== undefined && !mask && !checkPrefix)
    throw new CommandError('--tokenizer is for --mask or --check-prefix');
  if (args.has('train') && !mask && !perTurn)
    throw new CommandError('--train is for --mask or --per-turn: without one, nothing is chosen');
  if (!isForTraining(args)) return undefined;
  if (to.dialect === undefined) throw new CommandError('--mask is for --to messages or --to prompt');
  return {
    ...(mask && { mask }),
    ...(args.has('train') && { train: readTrain(args.value('train') ?? '') }),
    ...(tokenizer !== undefined && { tokenizer: hashTokenizer(resolve(tokenizer), to.form === 'messages') }),
    ...(perTurn && { perTurn }),
    ...(checkPrefix && { checkPrefix }),
  };
}

function readKinds(args: Arguments): (typeof MASK_KINDS)[number][] {
  const given = args.values('mask-without').flatMap((value) => value.split(','));
  const out = given.map((kind) => kind.trim()).filter((kind) => kind !== '');
  for (const kind of out)
    if (!(MASK_KINDS as readonly string[]).includes(kind)) {
      const near = didYouMean(kind, MASK_KINDS);
      throw new CommandError(`--mask-without: expected ${MASK_KINDS.join(', ')}, found ${kind}${near}`);
    }
  return MASK_KINDS.filter((kind) => !out.includes(kind));
}

function readTrain(text: string): NonNullable<TrainingSettings['train']> {
  if (text === 'all' || text === 'last') return text;
  const turn = /^turn:([1-9][0-9]{0,5})$/.exec(text)?.[1];
  if (turn !== undefined) return Number(turn);
  throw new CommandError(`--train: expected all, last or turn:n with n from 1, found ${text}`);
}
