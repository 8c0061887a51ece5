// The shape of a configuration as people write it, with every short form; settle.ts turns it into the final one. The
// descriptions go into the schema that editors read.

import { engineNames } from '@dragoman/core/bridge';
import { apiNames, defaultWire, wires, wireTaking } from '@dragoman/core/wire';
import { z } from 'zod';
import {
  choice,
  duration,
  flag,
  longDuration,
  oneOrMore,
  record,
  size,
  text,
  whole,
  wholeOr,
} from './shape-parts.js';

const kinds = ['chat', 'completion', 'native', 'gguf', 'tiny', 'demo'] as const;
const { name: promptApi } = wireTaking('prompt');
const toolApis = wires.filter(({ impliesTools }) => impliesTools).map(({ name }) => name);
const grammars = ['gbnf', 'structural-tag', 'lark', 'json-schema', 'none'] as const;
const MANY = Number.MAX_SAFE_INTEGER;
const GIGABYTE = 1024 ** 3;
/** There are no more ports for one address. */
export const MAX_CONNECTIONS = 65_535;
const MAX_WORKERS = 256;

const timeouts = record({
  connect: [duration(), 'To connect. Default 10s; 0 waits for ever.'],
  firstByte: [duration(), 'From the request to the first byte of the answer. Default 10m.'],
  idle: [duration(), 'Between two pieces of a stream. Default 2m.'],
  total: [duration(), 'For the whole answer. Default 1h.'],
});

const address = text('an address that begins with http:// or https://');

const upstreamBody = record({
  name: [text(), 'What models call it, where upstreams are a list.'],
  kind: [
    choice(kinds),
    `chat: writes text, is sent messages. completion: writes text, is sent a prompt. native: has tools, and may leak. gguf: files of models, which run in this process. tiny: the model of @dragoman/tiny, in this process. demo: the embedded stand-in. Default chat; native where api is ${toolApis.join(' or ')}.`,
  ],
  url: [address, 'Up to the version, as clients take it: http://localhost:11434/v1'],
  api: [choice(apiNames), `What it speaks. Default ${defaultWire.name}; ${promptApi} for completion.`],
  key: [
    text('a key'),
    'Sent as the API wants it; at least 4 characters. Keep it in the environment, and write its name here.',
  ],
  headers: [
    z.record(z.string(), z.string({ error: 'text' }), { error: 'a map of names and texts' }),
    'Sent with every request.',
  ],
  passKey: [flag(), "Send the client's own key instead. Default false."],
  media: [flag(), 'It takes images and other media. Default: if it is native.'],
  freeform: [
    flag(),
    "It takes freeform tools (`custom`); else it gets functions with one text. Default: if its API is OpenAI's Responses, or its address OpenAI's own.",
  ],
  stream: [flag(), 'It can stream. Default true.'],
  engine: [
    choice([...engineNames, 'auto', 'none']),
    'What serves it: its requests get the members that this engine needs, such as skip_special_tokens. auto: found out at the start. Default auto.',
  ],
  body: [
    z.record(z.string(), z.unknown(), { error: 'a map' }),
    'Members that are added to the body of each request, or replace its own; null removes one. Default none.',
  ],
  grammar: [
    choice(grammars),
    'The grammars it takes, which make calls certain. gbnf: llama.cpp. structural-tag: vLLM, SGLang. lark: llguidance. json-schema: any, for dialects that are nothing but JSON. Default: none; gbnf for gguf.',
  ],
  file: [text('a file or a folder'), 'gguf: the file of a model, or a folder of them.'],
  template: [text('a file'), "gguf: a chat template. Default: the file's own."],
  context: [
    whole(256, 10_000_000),
    'gguf: tokens of a conversation. Default: as it was trained for, at most 32768, and as memory allows.',
  ],
  parallel: [whole(1, 64), 'gguf: answers that a model writes at once. Default 4.'],
  waiting: [whole(0, 100_000), 'gguf: requests that wait for a model; more get 429 or 503. Default 64.'],
  threads: [whole(1, 1024), 'gguf: threads that compute. Default: the real cores.'],
  memory: [
    size(1024 ** 2, 1024 * GIGABYTE),
    'gguf: of the files of all loaded models; beyond it, unused ones are unloaded. Default: half of the memory.',
  ],
  gpu: [flag(), 'gguf: use a GPU, if there is one. Default true.'],
  timeouts: [timeouts],
  retries: [whole(0, 1), 'Before the first byte, for errors that may pass. Default 1.'],
  connections: [
    whole(1, MAX_CONNECTIONS),
    'Connections at once; further requests wait. Default: as limits.requests.',
  ],
});

const upstreamEntry = z.union([address, upstreamBody], { error: 'an address or a map' });

/** How requests are divided among several upstreams of a model. */
const route = choice(['order', 'error-rate']);

const endpointBody = record({
  name: [text('the name of an upstream'), 'Which one.'],
  model: [text('a name'), "The model's name there. Default: that of the model."],
  dialect: [text('a dialect'), 'The dialect there. Default: that of the model.'],
});

const endpoint = z.union([text('the name of an upstream'), endpointBody], { error: 'a name or a map' });

const limitsOfAnswers = record({
  depth: [whole(1, 512), 'Nesting of arguments. Default 128.'],
  members: [whole(1, MANY), "Members and elements of one call's arguments. Default 12000."],
  argumentLength: [whole(1, MANY), "Characters of one call's arguments. Default 1572864."],
  calls: [whole(1, MANY), 'Calls in one answer. Default 128.'],
  idLength: [whole(1, MANY), 'Characters of an id. Default 128.'],
  held: [whole(1, MANY), 'Characters held while it is unknown what they are. Default 8388608.'],
  notes: [whole(1, MANY), 'Issues and repairs that are listed for one answer. Default 1000.'],
});

const policies = record({
  textAfterCalls: [choice(['text', 'aside']), 'Text behind the calls. Default: the dialect.'],
  callsInReasoning: [choice(['if-unclosed', 'never']), 'Default: the dialect.'],
  coerceStrings: [flag(), 'A string becomes the value that the schema requires instead. Default true.'],
  schemaBeatsAttribute: [flag(), 'The schema beats what a value says it is. Default false.'],
  calls: [choice(['read', 'text']), 'text: nothing is read as a call. Default read.'],
});

const prompt = record({
  safety: [choice(['escape', 'reject', 'exact']), 'Markers in outside text. Default escape.'],
  language: [choice(['en', 'zh']), 'Of the taught prompt. Default en.'],
  short: [flag(), 'The short form of the taught prompt. Default false.'],
  template: [
    z.record(z.string(), z.unknown(), { error: 'a map' }),
    "What the vendor's template takes, such as reasoning_effort.",
  ],
});

const history = choice(['mend', 'exact']);
const roles = choice(['auto', 'as-is', 'strict', 'alternate', 'no-system']);

const modelBody = record({
  name: [text('a name'), 'What clients call it. * stands for any name, which is passed on.'],
  alias: [oneOrMore(text('a name'), 'a name or a list of names'), 'Other names of it.'],
  aliases: [oneOrMore(text('a name'), 'a name or a list of names'), 'The same as alias.'],
  upstream: [
    oneOrMore(endpoint, 'the name of an upstream, or a list of them'),
    'Which one, or several that share the requests. May be left out if there is one.',
  ],
  route: [route, 'Of several upstreams. Default: as at the top level.'],
  model: [text('a name'), "The model's name there. Default: the name clients use."],
  dialect: [text('a dialect'), 'auto goes by the name of the model. Default auto.'],
  watch: [
    oneOrMore(text('a dialect'), 'a dialect or a list of dialects'),
    'native upstreams: the dialects that are watched for. Default: the dialect.',
  ],
  thinking: [flag(), "Whether the model is to think, unless a request says. Default: the dialect's."],
  inReasoning: [flag(), "The upstream's own template opens the reasoning. Default false."],
  reasks: [whole(0, 10), 'How often a model that failed is asked again. Default 2.'],
  delivery: [choice(['stream', 'whole']), 'Of calls in streams. Default stream.'],
  nearKeys: [flag(), 'Renames members that are nearly named as in the schema. Default false.'],
  echoes: [
    choice(['mark', 'refuse']),
    'Calls that stand word for word in the input. Default mark; refuse for calls in the text of native upstreams.',
  ],
  history: [history, 'exact: faults that upstreams refuse are not mended. Default mend.'],
  roles: [
    roles,
    'The order of roles that the upstream gets. auto: strict for text models; as it came for native ones, until they refuse it. Default auto.',
  ],
  prompt: [prompt, 'How prompts are written.'],
  policies: [policies, 'How answers are read.'],
  limits: [limitsOfAnswers, 'How much of an answer is read.'],
});

const keyBody = record({
  name: [
    text('a name'),
    'For logs, traces, and what is kept for the key. Default: key- and a digest of the key.',
  ],
  key: [
    text('a key'),
    'What the client sends, at least 8 characters. Keep it in the environment, and write its name here.',
  ],
  requestsPerMinute: [whole(1, 1_000_000_000), 'To models, and as many others. Default: no limit.'],
  models: [z.array(text('a name'), { error: 'a list of models' }), 'Default: all.'],
  admin: [flag(), 'May read the inspector and the metrics. Default false.'],
});

const keyEntry = z.union([text('a key'), keyBody], { error: 'a key or a map' });

const limits = record({
  bodyBytes: [size(1024, GIGABYTE), 'Of the body of a request. Default 32MB.'],
  elements: [
    whole(1000, 100_000_000),
    'Items of lists and members of objects in the body of a request. Default 100000.',
  ],
  depth: [whole(16, 1_000_000), 'Levels of lists and objects in the body of a request. Default 600.'],
  workBytes: [
    size(1024, 1024 * GIGABYTE),
    'Of the bodies and the held answers of all requests in work; more get 503. Default 128MB.',
  ],
  workElements: [
    whole(1000, 1_000_000_000),
    'In the bodies of all requests in work; more get 503. Default 1000000.',
  ],
  headerBytes: [size(1024, 1024 ** 2), 'Of all headers of a request. Default 32KB.'],
  requestTimeout: [duration({ min: 1 }), 'In which a request must have arrived. Default 30s.'],
  choices: [whole(1, 128), 'The largest n. Default 8.'],
  requests: [whole(1, 1_000_000), 'Answered at once; more get 503. Default 4096.'],
  readTimeout: [duration({ min: 1 }), 'A client that reads nothing is dropped. Default 60s.'],
  streamBytes: [
    size(1024 ** 2, 1024 * GIGABYTE),
    'Held by all streams whose clients do not read; beyond it the one that waits longest is ended. Default 64MB.',
  ],
  wrongKeysPerMinute: [
    whole(1, 1_000_000),
    'Requests with a wrong key or none from one address; more get 429. Default 60.',
  ],
  openGetsPerMinute: [
    whole(1, 1_000_000),
    'Other requests without a known key from one address, where there are keys; more get 429. Default 600.',
  ],
});

const storeBody = record({
  url: [text('an address'), 'memory:, redis://…, rediss://…, postgres://…, or none'],
  keep: [longDuration(), 'How long a response is kept. Default 30d.'],
});

const levels = choice(['debug', 'info', 'warn', 'error', 'silent']);
const log = record({
  level: [levels, 'Default info.'],
  form: [choice(['json', 'text']), 'Lines of JSON, or for people. Default text.'],
});

const tracesBody = record({ endpoint: [address] });

/** A list of entries, or a map of them by name. */
function listOrMap<Entry extends z.ZodType<unknown, unknown>, Body extends z.ZodType<unknown, unknown>>(
  entry: Entry,
  body: Body,
) {
  const error = 'a list, or a map by name';
  return z.union([z.array(entry, { error }), z.record(z.string(), body, { error })], { error });
}

export const configShape = record({
  $schema: [z.string({ error: 'text' }), 'For editors.'],
  host: [text('an address'), 'Default 127.0.0.1. Others need keys, or insecure.'],
  port: [whole(0, 65_535), 'Default 8787; 0 takes any.'],
  healthPort: [
    whole(0, 65_535),
    'A port for /healthz alone, answered by a thread of its own, so that a check waits behind nothing else; 0: any free one. Default: none; /healthz is on the port in any case.',
  ],
  workers: [
    wholeOr('auto', 1, MAX_WORKERS),
    'Processes that answer on this port. auto: one for each core. Default 1.',
  ],
  upstream: [
    oneOrMore(upstreamEntry, 'an address, a map, or a list of them'),
    'The only one, as an address or a map; or a list of several that have the same models.',
  ],
  route: [
    route,
    'How requests are divided among several upstreams of a model. order: the first that is up. error-rate: by the faults of their tool calls. Default order.',
  ],
  upstreams: [listOrMap(upstreamEntry, upstreamEntry), 'Where models are.'],
  models: [
    listOrMap(
      z.union([text('a name'), modelBody], { error: 'a name or a map' }),
      z.union([z.null(), modelBody], { error: 'a map, or nothing' }),
    ),
    'What clients can ask for. Default, with one upstream: any name, passed on.',
  ],
  dialect: [text('a dialect'), 'Of models that name none. Default auto.'],
  history: [history, 'Of models that name none. Default mend.'],
  roles: [roles, 'Of models that name none. Default auto.'],
  dialects: [
    oneOrMore(text('a file'), 'a file or a list of files'),
    'Dialects of your own, as files beside this one. Default none.',
  ],
  timeouts: [timeouts, 'Of upstreams that name none.'],
  keys: [listOrMap(keyEntry, keyEntry), 'Who may ask. Default: everybody, on loopback.'],
  limits: [limits, 'Of what clients may send.'],
  store: [
    z.union([text('an address'), storeBody], { error: 'an address or a map' }),
    'Where responses are kept, or none. Default: in memory on loopback, else none.',
  ],
  turns: [
    choice(['auto', 'memory', 'off']),
    'Where the words of models are kept, so that a turn goes back as the model wrote it. auto: in memory, and in a store that several gateways or workers share. Default auto.',
  ],
  sealKey: [
    text('a secret'),
    'Seals reasoning for clients that keep it (encrypted_content); at least 16 characters, the same for all gateways. Keep it in the environment, and write its name here. Default: a random one for each start.',
  ],
  report: [flag(), 'Whether answers say what happened. Default true.'],
  inspect: [whole(0, 100_000), 'Exchanges the inspector keeps. Default 0: it is off.'],
  page: [flag(), 'Whether the playground is served at /. Default true.'],
  origins: [
    oneOrMore(text('an origin'), 'an origin or a list of origins'),
    'Pages that may ask. Default none.',
  ],
  hosts: [
    oneOrMore(text('a host name'), 'a host name or a list of them'),
    'Names that requests may use for this gateway, besides loopback and host. Default none.',
  ],
  insecure: [flag(), 'Serve the world without keys. Default false.'],
  log: [z.union([levels, log], { error: 'a level or a map' })],
  traces: [
    z.union([address, tracesBody], { error: 'an address or a map' }),
    'An OTLP/HTTP endpoint. Default: no traces.',
  ],
  shutdown: [duration(), 'For streams to finish when the gateway stops. Default 30s.'],
  heartbeat: [duration(), 'A silent stream says that it is alive. Default 15s; 0: never.'],
});

/** The places that have options of their own, for hints on an option at the wrong one. */
export const optionPlaces = new Map<string, object>([
  ['the top level', configShape.shape],
  ['an upstream', upstreamBody.shape],
  ['a model', modelBody.shape],
  ['a model’s prompt', prompt.shape],
  ['a model’s policies', policies.shape],
]);

/** The configuration as people write it. */
export type ConfigInput = z.input<typeof configShape>;

/** Gives `dragoman.config.ts` and `.js` their types, and returns the configuration unchanged. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}

/** The same, with times, sizes and numbers parsed. */
export type ConfigShape = z.output<typeof configShape>;
export type UpstreamShape = z.output<typeof upstreamBody>;
export type ModelShape = z.output<typeof modelBody>;
export type EndpointShape = z.output<typeof endpointBody>;
export type KeyShape = z.output<typeof keyBody>;
