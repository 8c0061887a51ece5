import { describe, expect, it } from 'vitest';
import { finish, scripted, text } from '../../../../test/agent/scripted-model.js';
import { runAgent } from './run-agent.js';

describe('a run', () => {
  it('takes an answer of two hundred thousand pieces', async () => {
    const model = scripted([...Array.from({ length: 200_000 }, () => text('word ')), finish('stop')]);
    expect((await runAgent({ model, messages: 'Go.' }).result).text).toHaveLength(1_000_000);
  });
});
