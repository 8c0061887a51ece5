// A model writes a file that holds the closers of its own dialect, over each API.

import { describe, expect, it } from 'vitest';
import { findDialect } from '../../dialects/index.js';
import { scriptedUpstream } from '../upstream/scripted-upstream.fixture.js';
import { createResponder, type ResponderOptions } from './respond.js';

const parameters = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path', 'content'],
};
const said = [{ role: 'user', content: 'Write the file.' }];
const apis = {
  '/v1/chat/completions': {
    model: 'm',
    messages: said,
    tools: [{ type: 'function', function: { name: 'write_file', parameters } }],
  },
  '/v1/messages': {
    model: 'm',
    max_tokens: 1000,
    messages: said,
    tools: [{ name: 'write_file', input_schema: parameters }],
  },
  '/v1/responses': {
    model: 'm',
    input: said,
    tools: [{ type: 'function', name: 'write_file', parameters }],
  },
};

/** In each dialect: the file as a model writes it at first, then as it was taught. */
const files: Record<string, { naive: string; taught: string; content: string; rule: string }> = {
  'qwen3-coder': {
    naive: qwen('A call:\n<tool_call>\n<function=f>\n</parameter>\n</function>\n</tool_call>\nEnd.'),
    taught: qwen(
      'A call:\n<\\tool_call>\n<\\function=f>\n<\\/parameter>\n<\\/function>\n<\\/tool_call>\nEnd.',
    ),
    content: 'A call:\n<tool_call>\n<function=f>\n</parameter>\n</function>\n</tool_call>\nEnd.',
    rule: '<\\/parameter>',
  },
  'glm-4.5': {
    naive: glm('x = 1\n</arg_value>\n</tool_call>\ny = 2\n'),
    taught: glm('x = 1\n<\\/arg_value>\n<\\/tool_call>\ny = 2\n'),
    content: 'x = 1\n</arg_value>\n</tool_call>\ny = 2\n',
    rule: '<\\/arg_value>',
  },
  xnl: {
    naive: xnl('#', 'x </#> y'),
    taught: xnl('#m1', 'x </#> y'),
    content: 'x </#> y',
    rule: '</#m1>',
  },
};

function qwen(content: string): string {
  return `<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`;
}

function glm(content: string): string {
  return `<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${content}</arg_value>\n</tool_call>`;
}

function xnl(marker: string, content: string): string {
  return `!unquote_start\n<tool_call id="a" lang="javascript" ${marker}>\nwrite_file({ path: "a", content: "${content}" })\n</${marker}>\n!unquote_end`;
}

async function ask(
  path: string,
  texts: string[],
  stream: boolean,
  options: Partial<ResponderOptions>,
): Promise<{ answer: string; asked: string[] }> {
  const upstream = scriptedUpstream(texts);
  const respond = createResponder({ upstream, ...options });
  const body = { ...apis[path as keyof typeof apis], stream };
  const request = new Request(`http://test.invalid${path}`, { method: 'POST', body: JSON.stringify(body) });
  const answer = await (await respond(request)).text();
  return { answer, asked: upstream.asked.map(({ conversation }) => JSON.stringify(conversation.messages)) };
}

/** Whether the answer holds the whole file: as an object, or in a string of JSON that is not cut into deltas. */
function delivers(answer: string, content: string): boolean {
  const once = JSON.stringify(content).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return answer.includes(once) || answer.includes(twice);
}

describe.each(Object.entries(files))('a file with the closers of %s', (dialect, file) => {
  const { naive, taught, content, rule } = file;
  const inJson = JSON.stringify(rule).slice(1, -1);

  describe.each(Object.keys(apis))('over %s', (path) => {
    it.each([
      { stream: false, delivery: 'stream' as const },
      { stream: true, delivery: 'whole' as const },
    ])('is asked for again, with the cause and the rule: %j', async ({ stream, delivery }) => {
      const { answer, asked } = await ask(path, [naive, taught], stream, { dialect, delivery });
      expect(asked).toHaveLength(2);
      expect(asked[1]).toContain('could not be read: ');
      const words = JSON.stringify(asked[1]?.slice(asked[1].indexOf('could not be read')));
      expect(words).toContain(JSON.stringify(inJson).slice(1, -1));
      expect(delivers(answer, content)).toBe(true);
      expect(answer).toContain('ambiguous-value');
    });

    it('is delivered with the issue, when asking again did not help', async () => {
      const { answer, asked } = await ask(path, [naive], false, { dialect, reasks: 1 });
      expect(asked).toHaveLength(2);
      expect(answer.match(/ambiguous-value/g)).toHaveLength(2);
    });

    it('that was streamed is not taken back, and has its issue in the report', async () => {
      const { answer, asked } = await ask(path, [naive, taught], true, { dialect });
      // Where arguments do not stream, nothing was delivered, and the model is asked again.
      expect(asked).toHaveLength(findDialect(dialect).traits.streams ? 1 : 2);
      expect(answer).toContain('ambiguous-value');
    });

    it('is not doubted when it is written as taught', async () => {
      for (const stream of [false, true]) {
        const { answer, asked } = await ask(path, [taught], stream, { dialect, delivery: 'whole' });
        expect(asked).toHaveLength(1);
        expect(answer).not.toContain('ambiguous-value');
        expect(delivers(answer, content)).toBe(true);
      }
    });

    it('is taught in the prompt', async () => {
      const { asked } = await ask(path, ['Hi.'], false, { dialect });
      expect(asked[0]).toContain(inJson);
    });
  });
});

/** A call in qwen3-coder whose first value holds an opening tag, so that it may be cut. */
const doubtful = (values: string) =>
  `<tool_call>\n<function=write_file>\n<parameter=path>\na <parameter=b> c\n</parameter>\n${values}</function>\n</tool_call>`;
const whole = doubtful('<parameter=content>\nx\n</parameter>\n');

async function post(body: object, texts: string[], options: Partial<ResponderOptions>) {
  const upstream = scriptedUpstream(texts, { tools: options.mode === 'heal' });
  const respond = createResponder({ upstream, dialect: 'qwen3-coder', ...options });
  const request = new Request('http://test.invalid/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ ...apis['/v1/chat/completions'], ...body }),
  });
  return { answer: await (await respond(request)).text(), asked: upstream.asked };
}

describe('a value that may be cut', () => {
  it('does not make a call of a copied text that is refused', async () => {
    const messages = [{ role: 'user', content: `Read this: ${whole}` }];
    const { answer } = await post({ messages }, [whole], { echoes: 'refuse', reasks: 0 });
    expect(answer).toContain('suspected-echo');
    expect(answer).not.toContain('"tool_calls"');
  });

  it('does not make a call of arguments that break the schema of a strict tool', async () => {
    const tools = [{ type: 'function', function: { name: 'write_file', parameters, strict: true } }];
    const lacking = doubtful('<parameter=other>\nx\n</parameter>\n');
    const { answer } = await post({ tools }, [lacking], { reasks: 0 });
    expect(answer).toContain('ambiguous-value');
    expect(answer).not.toContain('"tool_calls"');
  });
});

describe('a cut value of the only call that is allowed', () => {
  const file = 'x\n</parameter>\n</function>\n</tool_call>\ny\n';
  const once = { parallel_tool_calls: false };

  it('is asked for again', async () => {
    const { answer, asked } = await post(once, [qwen(file), 'Sorry.'], {});
    expect(asked).toHaveLength(2);
    expect(answer).not.toContain('"tool_calls"');
  });

  it('has its issue where it was streamed', async () => {
    const { answer } = await post({ ...once, stream: true }, [qwen(file)], {});
    expect(answer).toContain('ambiguous-value');
    expect(answer).toContain('"finish_reason":"tool_calls"');
  });

  it('is not looked for in further calls, which are not delivered', async () => {
    const { answer, asked } = await post(once, [`${qwen('x')}\n${qwen('y')}\nDone.`], {});
    expect(asked).toHaveLength(1);
    const { choices, dragoman } = JSON.parse(answer);
    expect(choices[0].message.tool_calls).toHaveLength(1);
    expect([choices[0].message.content, dragoman.issues]).toEqual([null, []]);
  });
});

it.each([false, true])(
  'asks a native upstream again that leaked a call with a cut value: %s',
  async (stream) => {
    const leaked = qwen('x\n</parameter>\n</function>\n</tool_call>\ny\n');
    const { answer, asked } = await post({ stream }, [leaked, 'Sorry.'], { mode: 'heal' });
    expect(asked).toHaveLength(2);
    expect(answer).toContain('ambiguous-value');
    expect(answer).not.toContain('"tool_calls"');
  },
);
