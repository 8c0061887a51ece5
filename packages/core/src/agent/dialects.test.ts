import { describe, expect, it } from 'vitest';
import { spell } from '../../../../test/scripted/spell.js';
import { createAsk } from '../bridge/reply/create-ask.js';
import type { Upstream, UpstreamRequest } from '../bridge/upstream/upstream.js';
import { representatives } from '../dialects/every.fixture.js';
import { runAgent } from './run-agent.js';
import type { AgentTool } from './tool.js';

/** A model that writes these texts, one a question. */
function textModel(...texts: string[]): Upstream & { asked: UpstreamRequest[] } {
  const asked: UpstreamRequest[] = [];
  return {
    takes: 'messages',
    tools: false,
    media: false,
    asked,
    async *ask(request) {
      const text = texts[asked.push(request) - 1] ?? 'The script is over.';
      for (let at = 0; at < text.length; at += 7) yield { type: 'text-delta', text: text.slice(at, at + 7) };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

/** The text of the last message the model was sent. */
function lastWords(model: { asked: UpstreamRequest[] }): string {
  const parts = model.asked.at(-1)?.conversation.messages.at(-1)?.parts ?? [];
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}

const files: AgentTool<{ path: string }> = {
  name: 'SysBuiltIn.read_file',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  run: ({ path }) => `contents of ${path}`,
};

describe('the loop of the seed documents', () => {
  it('in xnl: code in a call, the result in a tool_resp', async () => {
    const model = textModel(
      `I look.\n!unquote_start\n<tool_call id="abcd" lang="javascript" #>\nSysBuiltIn.read_file({\n  path: "a.js"\n})\n</#>\n<tool_call id="bcde" lang="javascript" #>\nSysBuiltIn.read_file({ path: "b.json" })\n</#>\n!unquote_end`,
      'Both are there.',
    );
    const ask = createAsk({ upstream: model, dialect: 'xnl' });
    const result = await runAgent({ model: ask, tools: [files], messages: 'Look.' }).result;
    expect(result).toMatchObject({ reason: 'done', text: 'Both are there.', steps: 2, calls: 2 });
    expect(lastWords(model)).toContain(
      '<tool_resp id="abcd" #>\ncontents of a.js\n</#>\n<tool_resp id="bcde" #>\ncontents of b.json\n</#>',
    );
  });

  it('in alkaid: JSON in tools, the results in tools_return', async () => {
    const model = textModel(
      '<tools>\n[{"name": "get_weather", "id": "w1", "parameters": {"location": "Beijing"}}]\n</tools>',
      'Sunny.',
    );
    const weather: AgentTool<{ location: string }> = {
      name: 'get_weather',
      parameters: { type: 'object', properties: { location: { type: 'string' } } },
      run: ({ location }) => ({ weather: 'Sunny', location }),
    };
    const ask = createAsk({ upstream: model, dialect: 'alkaid' });
    const result = await runAgent({ model: ask, tools: [weather], messages: 'Weather?' }).result;
    expect(result).toMatchObject({ reason: 'done', text: 'Sunny.' });
    const [, returned = ''] = /<tools_return>\n([\s\S]*)\n<\/tools_return>/.exec(lastWords(model)) ?? [];
    expect(JSON.parse(returned)).toEqual([
      { name: 'get_weather', id: 'w1', return: '{"weather": "Sunny", "location": "Beijing"}' },
    ]);
  });
});

describe.each(representatives.map((dialect) => [dialect.name, dialect] as const))(
  'the loop in %s',
  (_, dialect) => {
    const add: AgentTool<{ a: number; b: number }> = {
      name: 'add',
      parameters: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        required: ['a', 'b'],
      },
      run: ({ a, b }) => `the sum is ${a + b}`,
    };
    const calls = [
      { name: 'add', raw: '{"a":1,"b":2}' },
      { name: 'add', raw: '{"a":30,"b":40}' },
    ];

    it('runs what the model writes, and sends back what came of it', async () => {
      const model = textModel(spell(dialect, { text: 'Let me add.\n', calls }, [add]), 'Done.');
      const ask = createAsk({ upstream: model, dialect });
      const result = await runAgent({ model: ask, tools: [add], messages: 'Add.' }).result;
      expect(result).toMatchObject({ reason: 'done', text: 'Done.', steps: 2, calls: 2 });
      const words = lastWords(model);
      expect(words.indexOf('the sum is 3')).toBeGreaterThan(-1);
      expect(words.indexOf('the sum is 70')).toBeGreaterThan(words.indexOf('the sum is 3'));
    });

    it('runs nothing of an answer that breaks off in its second call', async () => {
      const whole = spell(dialect, { calls }, [add]);
      let ran = 0;
      const model = textModel(whole.slice(0, whole.lastIndexOf('40') + 1));
      const ask = createAsk({ upstream: model, dialect, reasks: 0 });
      const counted = { ...add, run: () => ran++ };
      const run = runAgent({ model: ask, tools: [counted], messages: 'Add.', maxSteps: 1 });
      const reason = await run.result.then(
        (result) => result.reason,
        () => 'error',
      );
      expect(['length', 'error']).toContain(reason);
      expect(ran).toBe(0);
    });
  },
);
