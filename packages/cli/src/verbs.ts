// The verbs. Each is loaded when it is asked for: `dragoman --version` loads none.

import type { Command } from './command.js';

export interface Verb {
  name: string;
  about: string;
  load(): Promise<Command>;
}

export const verbs: readonly Verb[] = [
  {
    name: 'serve',
    about: 'start the gateway: tool calls for a model that only writes text',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  {
    name: 'chat',
    about: 'talk to a model that only writes text, with tools',
    load: async () => (await import('./commands/chat.js')).chatCommand,
  },
  {
    name: 'parse',
    about: "read a model's output: text, reasoning, calls, what was wrong",
    load: async () => (await import('./commands/parse.js')).parseCommand,
  },
  {
    name: 'explain',
    about: 'show why a tool call did not work, and its correct spelling',
    load: async () => (await import('./commands/explain.js')).explainCommand,
  },
  {
    name: 'render',
    about: 'write a chat request as the prompt or the messages of a dialect',
    load: async () => (await import('./commands/render.js')).renderCommand,
  },
  {
    name: 'grammar',
    about: 'limit an engine to calls of your tools: GBNF, structural tag, Lark',
    load: async () => (await import('./commands/grammar.js')).grammarCommand,
  },
  {
    name: 'convert',
    about: 'write transcripts in another form, files of any size, on all cores',
    load: async () => (await import('./commands/convert.js')).convertCommand,
  },
  {
    name: 'worker',
    about: 'convert for others: take parts of their transcripts from a queue',
    load: async () => (await import('./commands/worker.js')).workerCommand,
  },
  {
    name: 'dialects',
    about: 'list the dialects, or show one with an example',
    load: async () => (await import('./commands/dialects.js')).dialectsCommand,
  },
  {
    name: 'tour',
    about: 'watch the same call in every dialect, read as it streams in',
    load: async () => (await import('./commands/tour.js')).tourCommand,
  },
  {
    name: 'completion',
    about: 'print the completion script of bash, zsh or fish',
    load: async () => (await import('./commands/completion.js')).completionCommand,
  },
];
