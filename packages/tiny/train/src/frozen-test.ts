// The frozen test: which questions it asks. It was fixed before the training and depends on seeds alone.

import { createHash } from 'node:crypto';
import { type Dialect, dialects } from '@dragoman/core';
import { formOf } from '@dragoman/tiny';
import { type Ending, makeSample, type Sample } from './conversation.js';
import { type Example, spell } from './example.js';
import type { Split } from './word-lists.js';

const FIRST_SEED = 2_000_000_000;
const CALLS: readonly Ending[] = ['one', 'two'];
const OTHERS: readonly Ending[] = ['none', 'ask', 'talk', 'after'];
/** Calls of a dialect for each kind of wording; three quarters are English. */
export const CALLS_EACH = 250;
/** Answers without calls of a dialect for each. */
export const OTHERS_EACH = 50;
export const TESTED: readonly Split[] = ['tools', 'wording'];

export interface Question extends Example {
  id: string;
}

/**
 * Asks the questions of one dialect, spelled as it is served. `isAsked` picks some by their id and their place among
 * those of all dialects: the others are not made at all.
 */
export function* questionsOf(
  dialect: Dialect,
  isAsked: (id: string, place: number) => boolean = () => true,
): Generator<Question> {
  const place = dialects.findIndex(({ name }) => name === dialect.name);
  const each = CALLS_EACH + OTHERS_EACH;
  for (const [at, split] of TESTED.entries())
    for (let count = 0; count < each; count++) {
      const id = `${dialect.name}/${split}/${count}`;
      if (!isAsked(id, (place * TESTED.length + at) * each + count)) continue;
      const seed = FIRST_SEED + place * 100_000 + at * 10_000 + count;
      const endings = count < CALLS_EACH ? CALLS : OTHERS;
      const sample: Sample = makeSample(seed, { split, endings, language: count % 4 === 3 ? 'zh' : 'en' });
      yield { id, ...spell(sample, { dialect, options: { form: formOf(dialect), thinking: false } }) };
    }
}

/** A digest of what is asked and expected. How a dialect spells it is left out: that follows the vendors' prompts. */
export class QuestionDigest {
  readonly #hash = createHash('sha256');

  add({ id, sample: { tools, messages, expected } }: Question): void {
    this.#hash.update(`${id}\n${JSON.stringify([tools, messages, expected])}\n`);
  }

  hex(): string {
    return this.#hash.digest('hex');
  }
}
