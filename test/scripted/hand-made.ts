// Answers of the three APIs, whole and streamed, written by hand from their documentation, to test clients and checks
// independently of the library.

const ARGUMENTS = '{"city":"Oslo"}';
const report = { mode: 'emulate', dialect: 'alkaid', issues: [], repairs: [], reasks: [] };

/** Whole and streamed answers of one API that say "Hi " and call get_weather. */
export interface HandMade {
  whole: object;
  /** Each event as bytes on the wire. */
  stream: string[];
  heartbeats: string[];
  /** The ways in which a stream reports an error. Clients must accept each. */
  failures: string[];
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const named = <E extends { type: string }>(value: E) => `event: ${value.type}\n${data(value)}`;

const chat: HandMade = {
  whole: {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Hi ',
          tool_calls: [
            { id: 'x', type: 'function', function: { name: 'get_weather', arguments: ARGUMENTS } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    dragoman: report,
  },
  stream: [
    ...[
      { role: 'assistant', content: '' },
      { content: 'Hi ' },
      {
        tool_calls: [
          { index: 0, id: 'x', type: 'function', function: { name: 'get_weather', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: ARGUMENTS.slice(0, 5) } }] },
      { tool_calls: [{ index: 0, function: { arguments: ARGUMENTS.slice(5) } }] },
      {},
    ].map((delta, at) =>
      data({
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index: 0, delta, finish_reason: at === 5 ? 'tool_calls' : null }],
        ...(at === 5 ? { dragoman: report } : {}),
      }),
    ),
    'data: [DONE]\n\n',
  ],
  heartbeats: [': ping\n', ': ping\n\n'],
  failures: [
    data({ error: { message: 'it broke', type: 'server_error', param: null, code: null } }),
    data({ error: { message: 'it broke', type: 'server_error', code: 'upstream_broken' } }) +
      'data: [DONE]\n\n',
  ],
};

const call = { id: 'fc_1', type: 'function_call', call_id: 'x', name: 'get_weather' };
const item = { id: 'msg_1', type: 'message', role: 'assistant' };
const text = { type: 'output_text', text: 'Hi ', annotations: [], logprobs: [] };
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  temperature: 1,
  top_p: 1,
};
const answered = {
  ...response,
  status: 'completed',
  output: [
    { ...item, status: 'completed', content: [text] },
    { ...call, status: 'completed', arguments: ARGUMENTS },
  ],
  usage: {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  },
  dragoman: report,
};
const atText = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const atCall = { item_id: 'fc_1', output_index: 1 };
const responses: HandMade = {
  whole: answered,
  stream: [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.in_progress', response: { ...response, status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...atText, part: { ...text, text: '' } },
    { type: 'response.output_text.delta', ...atText, delta: 'Hi ', logprobs: [] },
    { type: 'response.output_text.done', ...atText, text: 'Hi ', logprobs: [] },
    { type: 'response.content_part.done', ...atText, part: text },
    { type: 'response.output_item.done', output_index: 0, item: answered.output[0] },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { ...call, status: 'in_progress', arguments: '' },
    },
    { type: 'response.function_call_arguments.delta', ...atCall, delta: ARGUMENTS },
    { type: 'response.function_call_arguments.done', ...atCall, name: 'get_weather', arguments: ARGUMENTS },
    { type: 'response.output_item.done', output_index: 1, item: answered.output[1] },
    { type: 'response.completed', response: answered },
  ].map((event, at) => named(Object.assign(event, { sequence_number: at }))),
  heartbeats: [': ping\n', ': ping\n\n'],
  failures: [
    named({ type: 'error', code: 'server_error', message: 'it broke', param: null, sequence_number: 5 }),
    named({
      type: 'response.failed',
      response: {
        ...response,
        status: 'failed',
        output: [],
        error: { code: 'server_error', message: 'it broke' },
      },
      sequence_number: 5,
    }),
  ],
};

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
const use = { type: 'tool_use', id: 'x', name: 'get_weather' };
const messages: HandMade = {
  whole: {
    ...message,
    content: [
      { type: 'text', text: 'Hi ' },
      { ...use, input: JSON.parse(ARGUMENTS) },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
    dragoman: report,
  },
  stream: [
    {
      type: 'message_start',
      message: {
        ...message,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi ' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { ...use, input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: ARGUMENTS } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 1 },
      dragoman: report,
    },
    { type: 'message_stop' },
  ].map(named),
  heartbeats: [
    'event: ping\ndata: {"type":"ping"}\n\n',
    'event: ping\ndata: {"type": "ping", "dragoman": 1}\n\n',
  ],
  failures: [named({ type: 'error', error: { type: 'api_error', message: 'it broke' } })],
};

export const handMade: Record<string, HandMade> = {
  '/v1/chat/completions': chat,
  '/v1/responses': responses,
  '/v1/messages': messages,
};
