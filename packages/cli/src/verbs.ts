// The verbs. Each is loaded when it is asked for: `dragoman --version` loads none.

import type { Command } from './command.js';

export interface Verb {
  name: string;
  about: string;
  load(): Promise<Command>;
}

const abouts = {
  init: 'find the model servers of this machine, and set up your agents',
  serve: 'start the gateway: tool calls for a model that only writes text',
  doctor: 'check a setup: configuration, port, keys, upstreams, a real call',
  chat: 'talk to a model that only writes text, with tools',
  parse: "read a model's output: text, reasoning, calls, what was wrong",
  explain: 'show why a tool call did not work, and its correct spelling',
  verify: "test an endpoint's tool calling, and say what to mend",
  render: 'write a chat request as the prompt or the messages of a dialect',
  grammar: 'limit an engine to calls of your tools: GBNF, structural tag, Lark',
  convert: 'write transcripts in another form, files of any size, on all cores',
  score: 'read recorded outputs again: was it the model, or the parser?',
  worker: 'convert for others: take parts of their transcripts from a queue',
  dialects: 'list the dialects, or show one with an example',
  tour: 'watch the same call in every dialect, read as it streams in',
  completion: 'print the completion script of bash, zsh or fish',
};

const loads: Record<keyof typeof abouts, Verb['load']> = {
  init: async () => (await import('./commands/init.js')).initCommand,
  serve: async () => (await import('./commands/serve.js')).serveCommand,
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand,
  chat: async () => (await import('./commands/chat.js')).chatCommand,
  parse: async () => (await import('./commands/parse.js')).parseCommand,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  verify: async () => (await import('./commands/verify.js')).verifyCommand,
  render: async () => (await import('./commands/render.js')).renderCommand,
  grammar: async () => (await import('./commands/grammar.js')).grammarCommand,
  convert: async () => (await import('./commands/convert.js')).convertCommand,
  score: async () => (await import('./commands/score.js')).scoreCommand,
  worker: async () => (await import('./commands/worker.js')).workerCommand,
  dialects: async () => (await import('./commands/dialects.js')).dialectsCommand,
  tour: async () => (await import('./commands/tour.js')).tourCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand,
};

export const verbs: readonly Verb[] = Object.entries(abouts).map(([name, about]) => {
  return { name, about, load: loads[name as keyof typeof abouts] };
});
