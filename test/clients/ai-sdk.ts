// The `ai` package over any of its providers: generateText and streamText, with tools and a bound on the steps.

import {
  generateText,
  jsonSchema,
  type LanguageModel,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import { type Client, type Job, type Turn, toEnding } from './client.js';

/** What goes to a provider besides: `store: false` and the like. */
type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;

export function aiClients(
  name: string,
  connect: (url: string) => LanguageModel,
  providerOptions: ProviderOptions = {},
): Client[] {
  return [
    {
      name: `generateText, ${name}`,
      streams: false,
      reasons: true,
      async run(job) {
        const { steps } = await generateText({ ...options(job, connect), providerOptions });
        return steps.map(turnOf);
      },
    },
    {
      name: `streamText, ${name}`,
      streams: true,
      reasons: true,
      async run(job) {
        // Errors come as parts; without this they are printed too.
        const result = streamText({ ...options(job, connect), providerOptions, onError: () => {} });
        for await (const part of result.fullStream) {
          if (part.type === 'text-delta') job.onText?.(part.text);
          if (part.type === 'error') throw toError(part.error);
          if (part.type === 'abort') throw new Error('aborted');
        }
        return (await result.steps).map(turnOf);
      },
    },
  ];
}

/** Some providers give what the server sent as it is. */
function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(JSON.stringify(error));
}

function options(job: Job, connect: (url: string) => LanguageModel) {
  const { choice, signal } = job;
  const tools: ToolSet = Object.fromEntries(
    job.tools.map(({ name, description, parameters }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<unknown>(parameters),
        execute: async (input) => job.execute(name, input),
      }),
    ]),
  );
  return {
    model: connect(job.url),
    prompt: job.prompt,
    tools,
    maxRetries: 0,
    maxOutputTokens: 4096,
    stopWhen: stepCountIs(job.turns),
    ...(choice === undefined
      ? {}
      : {
          toolChoice: typeof choice === 'string' ? choice : { type: 'tool' as const, toolName: choice.name },
        }),
    ...(signal ? { abortSignal: signal } : {}),
  };
}

interface Step {
  text: string;
  reasoningText: string | undefined;
  toolCalls: readonly { toolName: string }[];
  finishReason: string;
}

function turnOf({ text, reasoningText, toolCalls, finishReason }: Step): Turn {
  return {
    text,
    reasoning: reasoningText ?? '',
    calls: toolCalls.map(({ toolName }) => toolName),
    ending: toEnding(finishReason),
  };
}
