// The `openai` package over chat completions: whole, streamed, with its accumulating reader and its tool loop.

import OpenAI from 'openai';
import type {
  ChatCompletionMessage,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import { CLIENT_KEY, type Client, type Job, type Turn, toEnding } from './client.js';

const create: Client = {
  name: 'chat.completions.create',
  streams: false,
  reasons: true,
  run: (job) => loop(job, (params) => connect(job).chat.completions.create(params, options(job))),
};

const createStream: Client = {
  name: 'chat.completions.create, stream: true',
  streams: true,
  reasons: true,
  run: (job) =>
    loop(job, async (params) => {
      const chunks = await connect(job).chat.completions.create({ ...params, stream: true }, options(job));
      return gather(chunks, job);
    }),
};

/** The accumulating reader keeps only members that it knows. */
const stream: Client = {
  name: 'chat.completions.stream',
  streams: true,
  reasons: false,
  run: (job) =>
    loop(job, async (params) => {
      const runner = connect(job).chat.completions.stream(params, options(job));
      runner.on('content', (text) => job.onText?.(text));
      return runner.finalChatCompletion();
    }),
};

const runTools: Client = {
  name: 'chat.completions.runTools',
  streams: false,
  reasons: true,
  refusesCut: true,
  async run(job) {
    const runner = connect(job).chat.completions.runTools(runnable(job), runOptions(job));
    await runner.done();
    return runner.allChatCompletions().map(turnOf);
  },
};

const runToolsStream: Client = {
  name: 'chat.completions.runTools, stream: true',
  streams: true,
  reasons: false,
  refusesCut: true,
  async run(job) {
    const params = { ...runnable(job), stream: true } as const;
    const runner = connect(job).chat.completions.runTools(params, runOptions(job));
    runner.on('content', (text) => job.onText?.(text));
    await runner.done();
    return runner.allChatCompletions().map(turnOf);
  },
};

export const openAiChat: readonly Client[] = [create, createStream, stream, runTools, runToolsStream];

// ---------------------------------------------------------------- asking

function connect({ url }: Job): OpenAI {
  return new OpenAI({ apiKey: CLIENT_KEY, baseURL: `${url}/v1`, maxRetries: 0 });
}

function options({ signal }: Job) {
  return signal ? { signal } : {};
}

function runOptions(job: Job) {
  return { ...options(job), maxChatCompletions: job.turns };
}

function params(job: Job) {
  const { choice } = job;
  return {
    model: 'any',
    messages: [{ role: 'user', content: job.prompt }] as ChatCompletionMessageParam[],
    ...(choice === undefined
      ? {}
      : {
          tool_choice:
            typeof choice === 'string'
              ? choice
              : { type: 'function' as const, function: { name: choice.name } },
        }),
  };
}

type Params = ReturnType<typeof params> & { tools: ChatCompletionTool[] };

function runnable(job: Job) {
  const tools = job.tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: {
      name,
      description,
      parameters: parameters as Record<string, unknown>,
      parse: (raw: string) => ({ input: JSON.parse(raw) as unknown, raw }),
      function: (made: { input: unknown; raw: string }) => job.execute(name, made.input, made.raw),
    },
  }));
  return { ...params(job), tools };
}

/** What users write who run tools themselves. */
async function loop(job: Job, ask: (params: Params) => Promise<OpenAI.ChatCompletion>): Promise<Turn[]> {
  const tools = job.tools.map(
    ({ name, description, parameters }): ChatCompletionTool => ({
      type: 'function',
      function: { name, description, parameters: parameters as Record<string, unknown> },
    }),
  );
  const request = { ...params(job), tools };
  const turns: Turn[] = [];
  while (turns.length < job.turns) {
    const completion = await ask(request);
    turns.push(turnOf(completion));
    const message = completion.choices[0]?.message as ChatCompletionMessage;
    const results = completion.choices[0]?.finish_reason === 'length' ? [] : resultsOf(message, job);
    if (results.length === 0) break;
    request.messages.push(message, ...results);
  }
  return turns;
}

function resultsOf(message: ChatCompletionMessage, job: Job): ChatCompletionMessageParam[] {
  return (message.tool_calls ?? []).map((call) => {
    if (call.type !== 'function') throw new Error(`a call of type ${call.type}`);
    const { name, arguments: raw } = call.function;
    const known = job.tools.some((tool) => tool.name === name);
    const content = known ? job.execute(name, JSON.parse(raw), raw) : `There is no tool ${name}.`;
    return { role: 'tool', tool_call_id: call.id, content };
  });
}

// ---------------------------------------------------------------- reading

function turnOf({ choices: [choice] }: OpenAI.ChatCompletion): Turn {
  const message = choice?.message as ChatCompletionMessage & { reasoning_content?: string };
  return {
    text: message.content ?? '',
    reasoning: message.reasoning_content ?? '',
    calls: (message.tool_calls ?? []).map((call) =>
      call.type === 'function' ? call.function.name : call.type,
    ),
    ending: toEnding(choice?.finish_reason),
  };
}

/** As agents do that read the chunks themselves. */
async function gather(
  chunks: AsyncIterable<OpenAI.ChatCompletionChunk>,
  job: Job,
): Promise<OpenAI.ChatCompletion> {
  const message = { role: 'assistant', content: '', reasoning_content: '' } as ChatCompletionMessage & {
    content: string;
    reasoning_content: string;
  };
  const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = [];
  let finish_reason: string | null = null;
  for await (const { choices } of chunks) {
    const choice = choices[0];
    if (!choice) continue;
    const delta = choice.delta as typeof choice.delta & { reasoning_content?: string };
    if (delta.content) job.onText?.(delta.content);
    message.content += delta.content ?? '';
    message.reasoning_content += delta.reasoning_content ?? '';
    for (const { index, id, function: made } of delta.tool_calls ?? []) {
      calls[index] ??= {
        id: id ?? '',
        type: 'function',
        function: { name: made?.name ?? '', arguments: '' },
      };
      calls[index].function.arguments += made?.arguments ?? '';
    }
    finish_reason = choice.finish_reason ?? finish_reason;
  }
  if (calls.length > 0) message.tool_calls = calls;
  return { choices: [{ message, finish_reason }] } as unknown as OpenAI.ChatCompletion;
}
