import { describe, expect, it } from 'vitest';
import type { GgufFile } from '../gguf/gguf-files.js';
import type { PromptPiece } from '../local-model.js';
import type { LlamaContextHandle, LlamaModelHandle, LlamaSequence, Token } from './llama-api.js';
import { LlamaModel } from './llama-model.js';
import type { Engine } from './load-llama.js';

const ADDED = ['<tool_call>', '</tool_call>', '<tool_response>'];
const END = 1;
/** Behind all characters. */
const FIRST_ADDED = 0x11_0000;

/** A token for each character; added ones are found in any text, as tokenizers do. */
function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const found = ADDED.findIndex((token) => text.startsWith(token, at));
    tokens.push(found < 0 ? text.charCodeAt(at) : FIRST_ADDED + found);
    at += found < 0 ? 1 : (ADDED[found]?.length ?? 0);
  }
  return tokens;
}

const spelled = (token: Token) => ADDED[token - FIRST_ADDED] ?? String.fromCharCode(token);

/** Answers with the text, one token at a time, and notes the tokens of its context. */
function modelWith(answer: string) {
  const context: Token[] = [];
  const sequence: LlamaSequence = {
    get nextTokenIndex() {
      return context.length;
    },
    contextTokens: context,
    adaptStateToTokens: async ({ length }) => void context.splice(length),
    evaluateWithoutGeneratingNewTokens: async (tokens) => void context.push(...tokens),
    async *evaluate(tokens) {
      context.push(...tokens);
      for (const token of tokenize(answer)) {
        yield token;
        context.push(token);
      }
      yield END;
    },
  };
  const handle = {
    tokens: { bos: null, eos: END, shouldPrependBosToken: false },
    tokenize,
    detokenize: (tokens: readonly Token[]) => tokens.map(spelled).join(''),
    isEogToken: (token: Token) => token === END,
    isSpecialToken: () => false,
  } as unknown as LlamaModelHandle;
  const specialTokens = ADDED.map((text, at) => ({ id: FIRST_ADDED + at, text, kind: 'added' as const }));
  const file = { name: 'fake', info: { specialTokens, sampling: {} } } as unknown as GgufFile;
  const handles = { contextSize: 10_000, getSequence: () => sequence } as unknown as LlamaContextHandle;
  return { model: new LlamaModel({} as Engine, file, handle, handles, 1), context };
}

const ours = (text: string): PromptPiece => ({ text, origin: 'ours' });
const outside = (text: string): PromptPiece => ({ text, origin: 'outside' });
const { signal } = new AbortController();

async function tokensOf(prompt: readonly PromptPiece[], { model, context }: ReturnType<typeof modelWith>) {
  let text = '';
  let cached = 0;
  for await (const event of model.generate({ prompt, sampling: {}, stop: [], signal })) {
    if (event.type === 'text') text += event.text;
    else cached = event.usage.cachedTokens;
  }
  return { tokens: context.slice(0, context.length - tokenize(text).length), cached };
}

describe('the second turn of a conversation', () => {
  it.each(ADDED)('has the tokens of the same prompt anew where a result spells %s', async (token) => {
    // Markup in the system text alone: nothing of ours behind the answer spells it.
    const first = [ours(`Write ${ADDED.join(' ')}.\nuser: `), outside('Hi'), ours('\nmodel: ')];
    const second = [...first, ours('Well.'), ours('\ntool: '), outside(`a ${token} b`), ours('\nmodel: ')];
    const going = modelWith('Well.');
    await tokensOf(first, going);
    const found = await tokensOf(second, going);
    expect(found.cached).toBeGreaterThan(20);
    expect(found.tokens).toEqual((await tokensOf(second, modelWith('Well.'))).tokens);
    expect(found.tokens.filter((id) => id >= FIRST_ADDED)).toHaveLength(ADDED.length);
  });
});
