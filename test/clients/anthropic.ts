// The `@anthropic-ai/sdk` package: whole, streamed, and with its tool runner.

import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { CLIENT_KEY, type Client, type Job, type Turn, toEnding } from './client.js';

const create: Client = {
  name: 'messages.create',
  streams: false,
  reasons: true,
  run: (job) => loop(job, (params) => connect(job).messages.create(params, options(job))),
};

const stream: Client = {
  name: 'messages.stream',
  streams: true,
  reasons: true,
  run: (job) =>
    loop(job, async (params) => {
      const runner = connect(job).messages.stream(params, options(job));
      runner.on('text', (text) => job.onText?.(text));
      return runner.finalMessage();
    }),
};

const toolRunner: Client = {
  name: 'beta.messages.toolRunner',
  streams: false,
  reasons: true,
  async run(job) {
    const turns: Turn[] = [];
    const runner = connect(job).beta.messages.toolRunner(runnable(job), options(job));
    for await (const message of runner) turns.push(turnOf(message));
    return turns;
  },
};

const toolRunnerStream: Client = {
  name: 'beta.messages.toolRunner, stream: true',
  streams: true,
  reasons: true,
  async run(job) {
    const turns: Turn[] = [];
    const runner = connect(job).beta.messages.toolRunner({ ...runnable(job), stream: true }, options(job));
    for await (const messages of runner) {
      messages.on('text', (text) => job.onText?.(text));
      turns.push(turnOf(await messages.finalMessage()));
    }
    return turns;
  },
};

export const anthropic: readonly Client[] = [create, stream, toolRunner, toolRunnerStream];

function connect({ url }: Job): Anthropic {
  return new Anthropic({ apiKey: CLIENT_KEY, baseURL: url, maxRetries: 0 });
}

function options({ signal }: Job) {
  return signal ? { signal } : {};
}

function params(job: Job) {
  return {
    model: 'any',
    max_tokens: 4096,
    messages: [{ role: 'user', content: job.prompt }] as Anthropic.MessageParam[],
    ...(job.choice === undefined ? {} : { tool_choice: choiceOf(job.choice) }),
  };
}

function choiceOf(choice: NonNullable<Job['choice']>) {
  if (typeof choice !== 'string') return { type: 'tool' as const, name: choice.name };
  return { type: choice === 'required' ? ('any' as const) : choice };
}

function runnable(job: Job) {
  const tools = job.tools.map(({ name, description, parameters }) =>
    betaTool({
      name,
      description,
      inputSchema: parameters as { type: 'object' },
      run: (input: unknown) => job.execute(name, input),
    }),
  );
  return {
    ...params(job),
    messages: [{ role: 'user' as const, content: job.prompt }],
    tools,
    max_iterations: job.turns,
  };
}

async function loop(
  job: Job,
  ask: (request: ReturnType<typeof params> & { tools: Anthropic.Tool[] }) => Promise<Anthropic.Message>,
): Promise<Turn[]> {
  const tools = job.tools.map(
    ({ name, description, parameters }): Anthropic.Tool => ({
      name,
      description,
      input_schema: parameters as Anthropic.Tool.InputSchema,
    }),
  );
  const request = { ...params(job), tools };
  const turns: Turn[] = [];
  while (turns.length < job.turns) {
    const message = await ask(request);
    turns.push(turnOf(message));
    const results = message.stop_reason === 'max_tokens' ? [] : resultsOf(message, job);
    if (results.length === 0) break;
    request.messages.push(
      { role: 'assistant', content: message.content },
      { role: 'user', content: results },
    );
  }
  return turns;
}

function resultsOf({ content }: Anthropic.Message, job: Job): Anthropic.ToolResultBlockParam[] {
  return content
    .filter((block) => block.type === 'tool_use')
    .map(({ id, name, input }) => {
      const known = job.tools.some((tool) => tool.name === name);
      const result = known ? job.execute(name, input) : `There is no tool ${name}.`;
      return { type: 'tool_result', tool_use_id: id, content: result, ...(known ? {} : { is_error: true }) };
    });
}

function turnOf({ content, stop_reason }: Anthropic.Message | Anthropic.Beta.BetaMessage): Turn {
  const turn: Turn = { text: '', reasoning: '', calls: [], ending: toEnding(stop_reason) };
  for (const block of content) {
    if (block.type === 'text') turn.text += block.text;
    if (block.type === 'thinking') turn.reasoning += block.thinking;
    if (block.type === 'tool_use') turn.calls.push(block.name);
  }
  return turn;
}
