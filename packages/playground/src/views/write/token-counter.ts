// Counts tokens as a model does, by its tokenizer.json.

import { isObject } from '@dragoman/core/internal';
import { Tokenizer } from '@huggingface/tokenizers';

export interface TokenCounter {
  /** Tokens that the tokenizer knows. */
  vocabulary: number;
  count(text: string): number;
}

/** The models that the library knows. Old files do not name theirs. */
const kinds: unknown[] = ['BPE', 'Unigram', 'WordPiece'];

/** Parts that a file may leave out, where the library expects them. */
const parts = {
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: null,
  added_tokens: [],
};

/** Throws an error that tells what is wrong with the file. */
export function createTokenCounter(json: string): TokenCounter {
  const given: unknown = JSON.parse(json);
  if (!isObject(given) || !isObject(given.model) || !('vocab' in given.model))
    throw new Error('it has no model with a vocabulary');
  const { type } = given.model;
  // Another kind would be counted by characters, in silence.
  if (type !== undefined && !kinds.includes(type)) throw new Error(`its model is of the kind ${type}`);
  const tokenizer = new Tokenizer({ ...parts, ...given }, {});
  return {
    vocabulary: tokenizer.model?.vocab.length ?? 0,
    // The prompt has its special tokens already.
    count: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids.length,
  };
}
