/** A tokenizer.json of nine tokens. */
export const smallTokenizer = {
  version: '1.0',
  added_tokens: [
    {
      id: 8,
      content: '<|im_end|>',
      special: true,
      normalized: false,
      lstrip: false,
      rstrip: false,
      single_word: false,
    },
  ],
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: null,
  model: {
    type: 'BPE',
    unk_token: '?',
    vocab: { '?': 0, a: 1, b: 2, c: 3, ab: 4, abc: 5, d: 6, e: 7 },
    merges: ['a b', 'ab c'],
  },
};
