import { describe, expect, it } from 'vitest';
import { makesAnswers, preferredModel } from './preferred-model.js';

describe('the preferred model', () => {
  it('makes answers', () => {
    const others = [
      'nomic-embed-text:latest',
      'text-embedding-3-small',
      'Qwen3-Reranker-8B',
      'whisper-1',
      'gpt-4o-mini-tts',
      'all-minilm',
      'BAAI/bge-m3',
    ];
    expect(others.filter(makesAnswers)).toEqual([]);
    const models = ['qwen3:8b', 'gpt-oss:20b', 'meta-llama/Llama-3.3-70B-Instruct', 'demo', 'minimax-m2'];
    expect(models.filter(makesAnswers)).toEqual(models);
    expect(preferredModel(others.map((name) => ({ name })))).toBeUndefined();
  });

  it('has a dialect that is known, if there is one, and is the first of these', () => {
    const models = [
      { name: 'nomic-embed-text', dialect: 'hermes' },
      { name: 'mine' },
      { name: 'qwen3:8b', dialect: 'hermes' },
      { name: 'glm-4.5', dialect: 'glm-4.5' },
    ];
    expect(preferredModel(models)?.name).toBe('qwen3:8b');
    expect(preferredModel(models.slice(0, 2))?.name).toBe('mine');
  });
});
