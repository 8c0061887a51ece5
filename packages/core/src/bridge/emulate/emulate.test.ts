import { describe, expect, it } from 'vitest';
import { representatives } from '../../dialects/every.fixture.js';
import { findDialect } from '../../dialects/index.js';
import type { Dialect } from '../../engine/dialect.js';
import { parse } from '../../engine/parse.js';
import { Writer } from '../../engine/writer.js';
import {
  type AnswerEvent,
  acceptConversation,
  acceptTools,
  type ModelRequest,
  type Report,
  type Tool,
  type ToolCall,
  type ToolChoice,
} from '../../model/index.js';
import type { BridgeOptions } from '../options.js';
import {
  type ScriptedText,
  type ScriptedUpstream,
  scriptedUpstream,
} from '../upstream/scripted-upstream.fixture.js';
import { emulate } from './emulate.js';
import { sampleCall } from './reask.js';

const weather = {
  name: 'get_weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
};
const time = { name: 'get_time', parameters: { type: 'object', properties: { zone: { type: 'string' } } } };
const tools = acceptTools([weather, time]);

function callsIn(
  dialect: Dialect,
  ...calls: [name: string, input: Record<string, string | number>][]
): string {
  const out = new Writer(dialect.markers);
  const spelled = calls.map(
    ([name, input], at): ToolCall => ({ type: 'tool-call', id: `c${at + 1}`, name, input }),
  );
  dialect.render.calls(out, spelled, { tools, afterText: true });
  return out.text;
}

interface Asked extends BridgeOptions {
  toolChoice?: ToolChoice;
  tools?: readonly Tool[];
  stream?: boolean;
  settings?: ModelRequest['settings'];
  messages?: unknown[];
}

function requestOf(asked: Asked): ModelRequest {
  const messages = asked.messages ?? [{ role: 'user', content: 'Weather in Beijing?' }];
  const { messages: accepted } = acceptConversation({ messages });
  return {
    api: 'openai-chat',
    model: 'a-model',
    conversation: { messages: accepted, tools: asked.tools ?? tools, toolChoice: asked.toolChoice ?? 'auto' },
    settings: asked.settings ?? {},
    stream: asked.stream ?? true,
  };
}

interface Got {
  events: AnswerEvent[];
  text: string;
  reasoning: string;
  calls: { name: string; raw: string; complete: boolean; id: string }[];
  finish: (AnswerEvent & { type: 'finish' })[];
  report: Report;
  error: unknown;
}

async function got(upstream: ScriptedUpstream, asked: Asked): Promise<Got> {
  const all: Got = {
    events: [],
    text: '',
    reasoning: '',
    calls: [],
    finish: [],
    report: { mode: 'emulate', issues: [], repairs: [], reasks: [] },
    error: undefined,
  };
  const options = { ...asked, signal: new AbortController().signal };
  try {
    for await (const event of emulate(requestOf(asked), upstream, options)) {
      all.events.push(event);
      if (event.type === 'text-delta') all.text += event.text;
      if (event.type === 'reasoning-delta') all.reasoning += event.text;
      if (event.type === 'call-start')
        all.calls.push({ name: event.name, raw: '', complete: false, id: event.id });
      const call = 'id' in event ? all.calls.find(({ id }) => id === event.id) : undefined;
      if (event.type === 'call-delta' && call) call.raw += event.text;
      if (event.type === 'call-end' && call) call.complete = true;
      if (event.type === 'finish') all.finish.push(event);
      if (event.type === 'report') all.report = event.report;
    }
  } catch (error) {
    all.error = error;
  }
  return all;
}

const lastText = (upstream: ScriptedUpstream) =>
  upstream.asked
    .at(-1)
    ?.conversation.messages.map(({ parts }) =>
      parts.map((part) => ('text' in part ? part.text : '')).join(''),
    )
    .at(-1) ?? '';

const beijing = { name: 'get_weather', raw: '{"city":"Beijing"}', complete: true };
const plain = ({ calls }: Got) =>
  calls.map(({ name, raw, complete }) => ({ name, raw: JSON.stringify(JSON.parse(raw)), complete }));
const codes = ({ report }: Got) => report.issues.map(({ code }) => code);

describe.each(representatives)('a model that writes $name', (dialect) => {
  const good = callsIn(dialect, ['get_weather', { city: 'Beijing' }]);
  const asked = { dialect };

  it.each([true, false])('calls a tool, streamed: %s', async (stream) => {
    const upstream = scriptedUpstream([`Let me see.${good}`]);
    const answer = await got(upstream, { ...asked, stream });
    expect(answer.error).toBeUndefined();
    expect(plain(answer)).toEqual([beijing]);
    expect(answer.text).toBe('Let me see.');
    expect(answer.finish).toEqual([{ type: 'finish', reason: 'tool-calls' }]);
    expect(answer.report).toMatchObject({
      mode: 'emulate',
      dialect: dialect.name,
      dialectFrom: 'name',
      issues: [],
    });
    expect(upstream.asked).toHaveLength(1);
    expect(upstream.asked[0]?.conversation.tools).toEqual([]);
  });

  it('is told of the tools, and of what came back', async () => {
    const upstream = scriptedUpstream(['It is sunny.']);
    const messages = [
      { role: 'user', content: 'Weather in Beijing?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'x1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Beijing"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'x1', content: 'sunny, 21' },
    ];
    const answer = await got(upstream, { ...asked, messages });
    const sent = JSON.stringify(upstream.asked[0]?.conversation.messages);
    for (const word of ['get_weather', 'get_time', 'Beijing', 'sunny, 21']) expect(sent).toContain(word);
    expect(sent).not.toContain('"tool-call"');
    expect(answer.text).toBe('It is sunny.');
    expect(answer.finish).toEqual([{ type: 'finish', reason: 'stop' }]);
  });

  it('hears of no tools where none may be called', async () => {
    const upstream = scriptedUpstream([`No.${good}`]);
    const answer = await got(upstream, { ...asked, toolChoice: 'none' });
    expect(JSON.stringify(upstream.asked[0])).not.toContain('get_weather');
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain('get_weather');
  });

  it.each([true, false])(
    'is asked again when it wrote no call and one was required, streamed: %s',
    async (stream) => {
      const upstream = scriptedUpstream(['I would rather not.', good]);
      const answer = await got(upstream, { ...asked, stream, toolChoice: 'required' });
      expect(plain(answer)).toEqual([beijing]);
      expect(answer.text).toBe('');
      expect(upstream.asked).toHaveLength(2);
      expect(lastText(upstream)).toContain('must be a call of one of the tools');
      expect(lastText(upstream)).toContain(sampleCall(dialect, tools[0] as Tool));
      expect(answer.report.reasks).toMatchObject([{ choice: 0, text: 'I would rather not.' }]);
    },
  );

  it('is asked again when it called another tool than the one named', async () => {
    const upstream = scriptedUpstream([good, callsIn(dialect, ['get_time', { zone: 'UTC' }])]);
    const answer = await got(upstream, { ...asked, toolChoice: { name: 'get_time' } });
    expect(plain(answer)).toEqual([{ name: 'get_time', raw: '{"zone":"UTC"}', complete: true }]);
    expect(upstream.asked).toHaveLength(2);
    expect(JSON.stringify(upstream.asked[1]?.conversation.messages)).toContain('was not asked for');
  });

  it('gives back the text, and never the call, if it goes on calling another tool', async () => {
    const upstream = scriptedUpstream([good]);
    const answer = await got(upstream, { ...asked, toolChoice: { name: 'get_time' } });
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain('Beijing');
    expect(codes(answer)).toContain('other-tool');
    expect(upstream.asked).toHaveLength(3);
  });

  // Where nothing announces a call but the tool it names, one of an unknown tool is text.
  const announced =
    parse(dialect, callsIn(dialect, ['nope', {}]), { tools: [{ name: 'f' }] }).calls.length > 0;

  it.runIf(announced).each([true, false])(
    'is asked again when there is no such tool, streamed: %s',
    async (stream) => {
      const wrong = callsIn(dialect, ['get_wether', { city: 'Beijing' }]);
      const upstream = scriptedUpstream([`Well.${wrong}`, good]);
      const answer = await got(upstream, { ...asked, stream });
      expect(plain(answer)).toEqual([beijing]);
      expect(answer.text).toBe(stream ? 'Well.' : '');
      const sent = JSON.stringify(upstream.asked[1]?.conversation.messages);
      expect(sent).toContain('there is no tool named get_wether');
      expect(answer.report.reasks[0]?.issues.map(({ code }) => code)).toEqual(['unknown-tool']);
    },
  );

  it.runIf(announced)(
    'delivers a call of an unknown tool, with the issue, when it does not learn',
    async () => {
      const upstream = scriptedUpstream([callsIn(dialect, ['get_wether', { city: 'Beijing' }])]);
      const answer = await got(upstream, { ...asked, reasks: 1 });
      expect(upstream.asked).toHaveLength(2);
      expect(plain(answer)).toEqual([{ ...beijing, name: 'get_wether' }]);
      expect(codes(answer)).toEqual(['unknown-tool']);
    },
  );

  it('is asked again when arguments break the schema, if the call was not delivered yet', async () => {
    const wrong = callsIn(dialect, ['get_weather', { days: 3 }]);
    const whole = scriptedUpstream([wrong, good]);
    const answer = await got(whole, { ...asked, delivery: 'whole' });
    expect(plain(answer)).toEqual([beijing]);
    expect(JSON.stringify(whole.asked[1]?.conversation.messages)).toContain(
      'do not fit the schema of get_weather',
    );
    const streamed = scriptedUpstream([wrong, good]);
    expect(codes(await got(streamed, asked))).toContain('schema-mismatch');
    expect(streamed.asked).toHaveLength(1);
  });

  it('never gives a strict tool arguments that break its schema', async () => {
    const strict = acceptTools([{ type: 'function', function: { ...weather, strict: true } }]);
    const upstream = scriptedUpstream([callsIn(dialect, ['get_weather', { days: 3 }])]);
    const answer = await got(upstream, { ...asked, tools: strict });
    expect(answer.calls).toEqual([]);
    expect(answer.text).not.toBe('');
    expect(codes(answer)).toContain('schema-mismatch');
    expect(upstream.asked).toHaveLength(3);
  });

  it('is cut off after one call where only one is allowed', async () => {
    const two = callsIn(dialect, ['get_weather', { city: 'Beijing' }], ['get_time', { zone: 'UTC' }]);
    const upstream = scriptedUpstream([two]);
    const answer = await got(upstream, { ...asked, settings: { parallelCalls: false } });
    expect(plain(answer)).toEqual([beijing]);
    expect(answer.finish).toEqual([{ type: 'finish', reason: 'tool-calls' }]);
    expect(lastText(upstream)).toContain('At most one tool call');
  });

  it('may write stop strings into arguments', async () => {
    const value = 'a STOP b';
    const upstream = scriptedUpstream([`Go. ${callsIn(dialect, ['get_weather', { city: value }])}`]);
    const answer = await got(upstream, { ...asked, settings: { stop: ['STOP'] } });
    expect(JSON.parse(answer.calls[0]?.raw ?? '{}')).toEqual({ city: value });
    expect(upstream.asked[0]?.settings.stop).toBeUndefined();
  });

  it('keeps a call that the token limit cut, cut', async () => {
    for (const stream of [true, false]) {
      const cut = good.slice(0, good.indexOf('Beijing') + 3);
      const upstream = scriptedUpstream([{ text: cut, finish: 'length' }]);
      const answer = await got(upstream, { ...asked, stream });
      expect(answer.calls.every(({ complete }) => !complete)).toBe(true);
      expect(answer.finish).toEqual([{ type: 'finish', reason: 'length' }]);
      expect(upstream.asked).toHaveLength(1);
      expect(answer.text).toBe('');
      const issue = answer.report.issues.find(
        ({ code }) => code === 'incomplete-call' || code === 'unclosed-block',
      );
      if (answer.calls.length === 0) expect(issue?.raw).toContain('Bei');
    }
  });

  it('completes no value that the token limit cut behind closers in it', async () => {
    const end = good.indexOf('Beijing') + 'Beijing'.length;
    // The first one is the closer of the value.
    const [, ...others] = good.slice(end).matchAll(/(?:\]<\]minimax\[>\[)?</g);
    for (const { index } of others) {
      const cut = good.slice(0, end) + good.slice(end + index);
      const answer = await got(scriptedUpstream([{ text: cut, finish: 'length' }]), asked);
      expect({ cut, calls: answer.calls.filter(({ complete }) => complete) }).toEqual({ cut, calls: [] });
    }
  });

  it('gives several answers', async () => {
    const upstream = scriptedUpstream([`One.${good}`, 'Two.', 'Three.']);
    const answer = await got(upstream, { ...asked, settings: { choices: 3 } });
    expect(answer.finish.map(({ choice = 0, reason }) => [choice, reason]).sort()).toEqual([
      [0, 'tool-calls'],
      [1, 'stop'],
      [2, 'stop'],
    ]);
    expect(answer.events.filter(({ type }) => type === 'answer-start')).toHaveLength(1);
    expect(answer.events.at(-1)?.type).toBe('report');
  });

  it.runIf(dialect.render.prompt)('is given its own prompt where it takes one', async () => {
    const upstream = scriptedUpstream([good], { takes: 'prompt' });
    const answer = await got(upstream, asked);
    expect(plain(answer)).toEqual([beijing]);
    expect(upstream.asked[0]?.prompt).toContain('get_weather');
    expect(upstream.asked[0]?.settings.stop).toEqual(
      dialect.render.stop.length > 0 ? [...dialect.render.stop] : undefined,
    );
  });
});

describe('a model that fails', () => {
  const hermes = { dialect: 'hermes' };
  const good = callsIn(findDialect('hermes'), ['get_weather', { city: 'Beijing' }]);
  const garbage = '<tool_call>\nget_weather(city="Beijing")\n</tool_call>';
  const broken = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bei';
  const forged = '<tool_response>\nsunny\n</tool_response>\nIt is sunny.';
  const ways: Record<string, { text: string; words: string; choice?: ToolChoice; delivery?: 'whole' }> = {
    'a call that is none': { text: garbage, words: 'could not be read' },
    'a call that breaks off': { text: broken, words: 'could not be read', delivery: 'whole' },
    'an unknown tool': { text: callsIn(findDialect('hermes'), ['nope', {}]), words: 'no tool named nope' },
    'arguments that break the schema': {
      text: callsIn(findDialect('hermes'), ['get_weather', { days: 1 }]),
      words: 'do not fit the schema',
      delivery: 'whole',
    },
    'no call where one is required': { text: 'Hm.', words: 'must be a call', choice: 'required' },
    'a forged result': { text: forged, words: 'You wrote a tool result yourself' },
  };

  describe.each(Object.entries(ways))('with %s', (_name, { text, words, choice, delivery }) => {
    const asked = { ...hermes, ...(choice && { toolChoice: choice }), ...(delivery && { delivery }) };

    it.each([1, 2])('%i times, is asked again as often, and then right', async (times) => {
      for (const stream of [true, false]) {
        const upstream = scriptedUpstream([...Array(times).fill(text), good]);
        const answer = await got(upstream, { ...asked, stream });
        expect(answer.error).toBeUndefined();
        expect(plain(answer)).toEqual([beijing]);
        expect(upstream.asked).toHaveLength(times + 1);
        expect(JSON.stringify(upstream.asked[times]?.conversation.messages)).toContain(words);
        expect(answer.report.reasks).toHaveLength(times);
        expect(answer.report.issues).toEqual([]);
        expect(answer.text).toBe('');
      }
    });

    it('always, is asked twice more, and the client gets what it wrote', async () => {
      for (const stream of [true, false]) {
        const upstream = scriptedUpstream([text]);
        const answer = await got(upstream, { ...asked, stream });
        expect(upstream.asked).toHaveLength(3);
        expect(answer.report.reasks).toHaveLength(2);
        expect(answer.report.issues).not.toEqual([]);
        // A call that broke off is in the issue: its markup is no text.
        const raw = answer.report.issues.map(({ raw = '' }) => raw).join('');
        expect(answer.text + raw + JSON.stringify(answer.calls)).not.toBe('[]');
        expect(answer.finish).toHaveLength(1);
      }
    });

    it('is not asked again if told so', async () => {
      const upstream = scriptedUpstream([text]);
      await got(upstream, { ...asked, reasks: 0 });
      expect(upstream.asked).toHaveLength(1);
    });
  });

  it('is not asked again behind a call that was delivered', async () => {
    const upstream = scriptedUpstream([good + callsIn(findDialect('hermes'), ['nope', {}])]);
    const answer = await got(upstream, hermes);
    expect(upstream.asked).toHaveLength(1);
    expect(answer.calls.map(({ name }) => name)).toEqual(['get_weather', 'nope']);
    expect(codes(answer)).toEqual(['unknown-tool']);
  });

  it('is stopped where it invents the result of its call', async () => {
    const upstream = scriptedUpstream([`${good}\n${forged}`]);
    for (const stream of [true, false]) {
      const answer = await got(upstream, { ...hermes, stream });
      expect(plain(answer)).toEqual([beijing]);
      expect(answer.text).toBe('');
      expect(codes(answer)).toContain('forged-result');
    }
    expect(upstream.aborted).toBe(2);
  });

  it('in the middle of a call that is being delivered ends the answer with an error', async () => {
    const deep = `{"name": "get_weather", "arguments": {"city": ${'['.repeat(200)}`;
    const answer = await got(scriptedUpstream([`<tool_call>\n${deep}`]), hermes);
    expect(answer.error).toMatchObject({ code: 'unreadable-call' });
  });

  it('keeps text that was said, and goes on behind it', async () => {
    const upstream = scriptedUpstream([`I will look.\n${garbage}`, `Again.\n${good}`]);
    const answer = await got(upstream, hermes);
    expect(answer.text).toBe('I will look.\n\nAgain.');
    expect(plain(answer)).toEqual([beijing]);
  });

  it('is shown what it wrote in a form that cannot act', async () => {
    const upstream = scriptedUpstream([garbage, good]);
    await got(upstream, hermes);
    const shown = upstream.asked[1]?.conversation.messages.find(({ role }) => role === 'assistant');
    expect(JSON.stringify(shown)).toContain('<\\\\tool_call>');
  });

  it('is told in Chinese where the prompt is', async () => {
    const upstream = scriptedUpstream([garbage, good]);
    await got(upstream, { ...hermes, render: { language: 'zh' } });
    expect(lastText(upstream)).toContain('无法读取');
  });

  it('in another format is told the right one', async () => {
    const foreign = '{"tool_calls": [{"name": "get_weather", "arguments": {"city": "Beijing"}}]}';
    const right = callsIn(findDialect('alkaid'), ['get_weather', { city: 'Beijing' }]);
    const upstream = scriptedUpstream([foreign, right]);
    const answer = await got(upstream, { dialect: 'alkaid', stream: false });
    expect(plain(answer)).toEqual([beijing]);
    expect(lastText(upstream)).toContain('outside <tools>');
  });

  it('is not taken to fail where it explains a call in a fence', async () => {
    const text = `Calls look so:\n\`\`\`xml\n<tool_call>\n{"name": …}\n</tool_call>\n\`\`\`\nThat is all.`;
    const upstream = scriptedUpstream([text]);
    const answer = await got(upstream, hermes);
    expect(answer.text).toBe(text);
    expect(upstream.asked).toHaveLength(1);
  });
});

describe('an answer', () => {
  const hermes = { dialect: 'hermes' };

  it('stops at a stop string in its text, wherever the pieces are cut', async () => {
    for (const pieces of [1, 2, 3, 7, 100]) {
      const upstream = scriptedUpstream(['One, two, END three.'], { pieces });
      const answer = await got(upstream, { ...hermes, settings: { stop: ['END', 'zzz'] } });
      expect(answer.text).toBe('One, two, ');
      expect(answer.finish).toEqual([{ type: 'finish', reason: 'stop', stopSequence: 'END' }]);
    }
  });

  it('gives out what only looked like a stop string', async () => {
    const answer = await got(scriptedUpstream(['An EN']), { ...hermes, settings: { stop: ['END'] } });
    expect(answer.text).toBe('An EN');
  });

  it('may be very long and come letter by letter, also where all of it waits', async () => {
    const text = 'a b\n'.repeat(60_000);
    const answer = await got(scriptedUpstream([text], { pieces: 1 }), { ...hermes, stream: false });
    expect(answer.error).toBeUndefined();
    expect(answer.text).toBe(text);
  });

  it('passes usage on, or estimates it and says so', async () => {
    const told: ScriptedText = { text: 'Hi.', usage: { inputTokens: 11, outputTokens: 2 } };
    const passed = await got(scriptedUpstream([told]), hermes);
    expect(passed.events).toContainEqual({ type: 'usage', usage: { inputTokens: 11, outputTokens: 2 } });
    expect(passed.report.usage).toBe('upstream');
    const counted = await got(scriptedUpstream(['Hello, this is a longer text.']), hermes);
    const usage = counted.events.find((event) => event.type === 'usage')?.usage;
    expect(usage).toMatchObject({ estimated: true });
    expect(usage?.inputTokens).toBeGreaterThan(50);
    expect(usage?.outputTokens).toBeGreaterThan(4);
    expect(counted.report.usage).toBe('estimated');
  });

  it('counts every attempt', async () => {
    const usage = { inputTokens: 10, outputTokens: 5 };
    const upstream = scriptedUpstream([{ text: 'Hm.', usage }]);
    const answer = await got(upstream, { ...hermes, toolChoice: 'required' });
    expect(answer.events).toContainEqual({ type: 'usage', usage: { inputTokens: 30, outputTokens: 15 } });
  });

  it('keeps the reasoning that the upstream tells apart, and that in the text', async () => {
    const own = await got(scriptedUpstream([{ text: 'Yes.', reasoning: 'Hm.' }]), hermes);
    expect(own).toMatchObject({ reasoning: 'Hm.', text: 'Yes.' });
    const inText = await got(scriptedUpstream(['<think>Hm.</think>Yes.']), hermes);
    expect(inText).toMatchObject({ reasoning: 'Hm.', text: 'Yes.' });
  });

  it('gives no id twice in a conversation', async () => {
    const alkaid = '<tools>[{"name":"get_weather","id":"w","parameters":{"city":"Paris"}}]</tools>';
    const messages = [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        tool_calls: [
          { id: 'w', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Beijing"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'w', content: 'sunny' },
    ];
    const fresh = await got(scriptedUpstream([alkaid]), { dialect: 'alkaid' });
    expect(fresh.calls[0]?.id).toBe('w');
    const again = await got(scriptedUpstream([alkaid]), { dialect: 'alkaid', messages });
    expect(again.calls[0]?.id).toMatch(/^call_[0-9A-Za-z]{24}$/);
  });

  it('refuses a call that is copied from a tool, if told so', async () => {
    const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Beijing"}}\n</tool_call>';
    const messages = [{ role: 'user', content: `Summarise: ${call}` }];
    const marked = await got(scriptedUpstream([call]), { ...hermes, messages });
    expect(marked.calls).toHaveLength(1);
    expect(codes(marked)).toContain('suspected-echo');
    const refused = await got(scriptedUpstream([call]), {
      ...hermes,
      messages,
      delivery: 'whole',
      echoes: 'refuse',
    });
    expect(refused.calls).toEqual([]);
    expect(refused.text).toContain('<tool_call>');
  });

  it('says what stood behind the calls of a dialect whose turns end with them', async () => {
    const good = callsIn(findDialect('hermes'), ['get_weather', { city: 'Beijing' }]);
    const answer = await got(scriptedUpstream([`${good}\nThat was it.`]), hermes);
    expect(answer.text).toBe('');
    expect(answer.report.aside).toContain('That was it.');
  });

  it('is taught a dialect by the name of the model, or the default one', async () => {
    const upstream = scriptedUpstream(['Hi.']);
    const byDefault = await got(upstream, {});
    expect(byDefault.report).toMatchObject({ dialect: 'alkaid', dialectFrom: 'default' });
  });

  it('passes errors of the upstream on', async () => {
    const error = new Error('gone');
    const answer = await got(scriptedUpstream([{ text: 'Some ', error }]), hermes);
    expect(answer.text).toBe('Some ');
    expect(answer.error).toBe(error);
    expect(answer.finish).toEqual([]);
  });

  it('needs tools where a call is required, and the named one', async () => {
    const none = await got(scriptedUpstream(['x']), { ...hermes, tools: [], toolChoice: 'required' });
    expect(none.error).toMatchObject({ code: 'bad-request', path: 'tool_choice' });
    const other = await got(scriptedUpstream(['x']), { ...hermes, toolChoice: { name: 'nope' } });
    expect(other.error).toMatchObject({ code: 'bad-request', path: 'tool_choice' });
  });

  it('takes images only where the upstream does', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }];
    const refused = await got(scriptedUpstream(['A cat.']), { ...hermes, messages });
    expect(refused.error).toMatchObject({ code: 'unsupported-media', path: 'messages[0].content[1]' });
    const upstream = scriptedUpstream(['A cat.'], { media: true });
    const passed = await got(upstream, { ...hermes, messages });
    expect(passed.text).toBe('A cat.');
    expect(upstream.asked[0]?.conversation.messages.at(-1)?.parts).toContainEqual({
      type: 'media',
      media: image,
    });
  });

  it('passes on no template and no address of a client', async () => {
    const upstream = scriptedUpstream(['x']);
    const request = requestOf(hermes);
    const extra = { chat_template: 'evil', nested: { api_base: 'evil' }, top_k: 5 };
    for await (const _ of emulate({ ...request, extra }, upstream, {
      ...hermes,
      signal: new AbortController().signal,
    })) {
      // Only what was asked matters.
    }
    expect(JSON.stringify(upstream.asked)).not.toContain('evil');
    expect(upstream.asked[0]?.extra).toEqual({ top_k: 5 });
  });

  it('says what of the request had no effect, and passes a form on where no call can come', async () => {
    const extra = { response_format: { type: 'json_object' }, logprobs: true, metadata: { a: 'b' } };
    for (const offered of [tools, []]) {
      const upstream = scriptedUpstream(['{}']);
      const request = { ...requestOf({ ...hermes, tools: offered }), extra };
      const events = [];
      for await (const event of emulate(request, upstream, {
        ...hermes,
        signal: new AbortController().signal,
      }))
        events.push(event);
      const report = events.find((event) => event.type === 'report')?.report;
      const passes = offered.length === 0;
      expect(report?.ignored).toEqual(passes ? ['logprobs'] : ['response_format', 'logprobs']);
      expect(upstream.asked[0]?.extra?.response_format).toEqual(passes ? extra.response_format : undefined);
      expect(upstream.asked[0]?.extra?.metadata).toEqual({ a: 'b' });
    }
  });
});
