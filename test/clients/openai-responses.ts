// The `openai` package over the Responses API: whole, streamed, and with its accumulating reader.

import OpenAI from 'openai';
import type { FunctionTool, Response, ResponseInputItem } from 'openai/resources/responses/responses';
import { CLIENT_KEY, type Client, type Job, type Turn, toEnding } from './client.js';

const create: Client = {
  name: 'responses.create',
  streams: false,
  reasons: true,
  run: (job) => loop(job, (params) => connect(job).responses.create(params, options(job))),
};

const createStream: Client = {
  name: 'responses.create, stream: true',
  streams: true,
  reasons: true,
  run: (job) =>
    loop(job, async (params) => {
      const events = await connect(job).responses.create({ ...params, stream: true }, options(job));
      let last: Response | undefined;
      for await (const event of events) {
        if (event.type === 'response.output_text.delta') job.onText?.(event.delta);
        if (event.type === 'error') throw new Error(event.message);
        if (event.type === 'response.failed') throw new Error(event.response.error?.message ?? 'failed');
        if (event.type === 'response.completed' || event.type === 'response.incomplete')
          last = event.response;
      }
      if (!last) throw new Error('no response at the end: the stream ended clean');
      return last;
    }),
};

const stream: Client = {
  name: 'responses.stream',
  streams: true,
  reasons: true,
  run: (job) =>
    loop(job, async (params) => {
      const runner = connect(job).responses.stream(params, options(job));
      runner.on('response.output_text.delta', ({ delta }) => job.onText?.(delta));
      const response = await runner.finalResponse();
      if (response.status === 'failed') throw new Error(response.error?.message ?? 'failed');
      return response;
    }),
};

export const openAiResponses: readonly Client[] = [create, createStream, stream];

function connect({ url }: Job): OpenAI {
  return new OpenAI({ apiKey: CLIENT_KEY, baseURL: `${url}/v1`, maxRetries: 0 });
}

function options({ signal }: Job) {
  return signal ? { signal } : {};
}

function params(job: Job) {
  const { choice } = job;
  const tools = job.tools.map(
    ({ name, description, parameters }): FunctionTool => ({
      type: 'function',
      name,
      description,
      parameters: parameters as Record<string, unknown>,
      strict: false,
    }),
  );
  const input: ResponseInputItem[] = [{ role: 'user', content: job.prompt }];
  const tool_choice =
    choice === undefined || typeof choice === 'string'
      ? choice
      : { type: 'function' as const, name: choice.name };
  return { model: 'any', input, tools, store: false, ...(tool_choice === undefined ? {} : { tool_choice }) };
}

async function loop(
  job: Job,
  ask: (request: ReturnType<typeof params>) => Promise<Response>,
): Promise<Turn[]> {
  const request = params(job);
  const turns: Turn[] = [];
  while (turns.length < job.turns) {
    const response = await ask(request);
    turns.push(turnOf(response));
    const results = response.status === 'incomplete' ? [] : resultsOf(response, job);
    if (results.length === 0) break;
    request.input.push(...(response.output as ResponseInputItem[]), ...results);
  }
  return turns;
}

function resultsOf({ output }: Response, job: Job): ResponseInputItem[] {
  return output
    .filter((item) => item.type === 'function_call')
    .map(({ call_id, name, arguments: raw }) => {
      const known = job.tools.some((tool) => tool.name === name);
      const result = known ? job.execute(name, JSON.parse(raw), raw) : `There is no tool ${name}.`;
      return { type: 'function_call_output', call_id, output: result };
    });
}

function turnOf(response: Response): Turn {
  const calls = response.output.filter((item) => item.type === 'function_call').map(({ name }) => name);
  const ended = response.incomplete_details?.reason ?? response.status;
  return {
    text: textOf(response),
    reasoning: reasoningOf(response),
    calls,
    // This API has no word for a turn that ends with calls.
    ending: ended === 'completed' && calls.length > 0 ? 'tool-calls' : toEnding(ended),
  };
}

/** `output_text` is only there in answers that came whole. */
function textOf({ output }: Response): string {
  return output
    .filter((item) => item.type === 'message')
    .flatMap(({ content }) => content.map((part) => (part.type === 'output_text' ? part.text : '')))
    .join('');
}

/** Wherever it stands: as content or as summary. */
function reasoningOf({ output }: Response): string {
  return output
    .filter((item) => item.type === 'reasoning')
    .map(({ content, summary }) =>
      [...(content?.length ? content : summary)].map(({ text }) => text).join(''),
    )
    .join('');
}
