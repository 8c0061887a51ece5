// node gateway-serve-process.js <upstream> [<workers>]: the gateway as people run it, log and metrics and all, with two models:
// `chat` writes hermes as text, `native` has native tool calls, whose text is watched for leaks.

import { formatProblems, parseConfig, serve, serveWorkers } from '@dragoman/gateway';
import { answerParent } from './gateway-process.js';

const url = `${process.argv[2]}/v1`;
const workers = Number(process.argv[3] ?? 1);
const result = parseConfig(
  JSON.stringify({
    port: 0,
    workers,
    upstreams: {
      chat: { kind: 'chat', url, connections: 8192 },
      native: { kind: 'native', url, connections: 8192 },
    },
    models: [
      { name: 'chat', upstream: 'chat', dialect: 'hermes' },
      { name: 'native', upstream: 'native', watch: ['hermes'] },
    ],
    log: { level: 'info', form: 'json' },
  }),
  { form: 'json' },
);
if (!result.ok) throw new Error(formatProblems(result.problems));
const { url: address } = await (workers > 1 ? serveWorkers(result.config) : serve(result.config));
answerParent(address);
