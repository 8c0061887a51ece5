import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../model/index.js';
import { refusesTools } from './tool-refusals.js';

// As servers word it, with names of models changed.
const refusals: [server: string, status: number, message: string][] = [
  ['Ollama', 400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
  ['Ollama, OpenAI route', 400, 'stablelm2:latest does not support tools'],
  [
    'OpenRouter',
    404,
    'No endpoints found that support tool use. To learn more about provider routing, visit the docs',
  ],
  ['OpenRouter, newer', 404, 'No endpoints found that support tool use. Try disabling "question".'],
  ['vLLM', 400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  ['vLLM, required', 400, 'tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  ['llama.cpp', 500, 'tools param requires --jinja flag'],
  ['llama.cpp, older', 500, 'Unsupported param: tools'],
  ['llama.cpp, choice', 500, 'Unsupported param: tool_choice'],
  [
    'SGLang in front of others',
    500,
    'Internal server error: Unsupported tool_call_parser: None (request id: 2025)',
  ],
  ['LM Studio', 400, 'Error: this model does not support tool use. Load one that does.'],
  ['TGI', 422, 'Template error: tools are not supported by this chat template'],
  ['Together', 400, 'Function calling is not supported for this model'],
  ['Groq', 400, '`tool calling` is not supported with this model'],
  ['Groq, older', 400, 'Tool and function calls do not currently support streaming'],
  ['DeepInfra', 405, 'Tool calling is not supported for model: mistralai/Small-24B'],
  ['Bedrock', 400, "This model doesn't support tool use."],
  ['Bedrock, streams', 400, "This model doesn't support tool use in streaming mode."],
  ['Mistral', 400, 'Function calling is not enabled for this model'],
  [
    'LiteLLM',
    400,
    "litellm.UnsupportedParamsError: ollama does not support parameters: ['tools'], for model=x",
  ],
  [
    'LiteLLM, with the value',
    400,
    "together_ai does not support parameters: {'tools': [{'type': 'function'}]}",
  ],
  ['Azure', 400, 'Functions are not supported for this API version or this model version.'],
  [
    'OpenAI',
    400,
    'tools is not supported in this model. For a list of supported models, refer to the guide.',
  ],
  ['OpenAI, older', 400, 'Unrecognized request argument supplied: tools'],
  ['OpenAI, parameter', 400, "Unsupported parameter: 'tools' is not supported with this model."],
  ['Alibaba', 400, '<400> InternalError.Algo.InvalidParameter: The tool call is not supported.'],
  ['SiliconFlow', 400, 'Function call is not supported for this model. (request id: 20250307)'],
  ['pydantic', 422, 'body.tools: Extra inputs are not permitted'],
  ['DeepSeek', 400, 'deepseek-reasoner does not support Function Calling'],
  ['DeepSeek, choice', 400, 'deepseek-reasoner does not support this tool_choice'],
  ['Chinese', 400, '该模型不支持工具调用'],
  ['Chinese, functions', 400, '当前模型不支持函数调用，请更换模型'],
];

const others: [about: string, status: number | undefined, message: string][] = [
  [
    'a schema',
    400,
    "Invalid schema for function 'get_weather': schema must be a JSON Schema of 'type: \"object\"'",
  ],
  ['a keyword of a schema', 400, "Invalid schema for function 'f': In context=(), 'oneOf' is not supported."],
  ['a keyword, by path', 400, "tools[0].function.parameters: keyword 'oneOf' is not supported"],
  ['a path of Anthropic', 400, 'tools.0.custom.input_schema: JSON schema is invalid'],
  ['a member of a tool', 400, "Unknown parameter: 'tools[0].function.strict'."],
  ['a member of a call', 400, 'messages.65.content.1.tool_use.text: Extra inputs are not permitted'],
  [
    'a result without its call',
    400,
    "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
  ],
  [
    'a call without its result',
    400,
    '`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1',
  ],
  ['several calls at once', 400, 'parallel_tool_calls=False is not supported by this model.'],
  ['several calls, in words', 400, 'This model does not support parallel tool calls'],
  ['an image in a result', 400, 'does not support image content in tool results'],
  ['one kind of tool', 400, "tools of type 'web_search' are not supported"],
  ['too many', 400, "Invalid 'tools': array too long. Expected at most 128."],
  ['a name', 400, "Invalid 'tools[3].function.name': string does not match pattern"],
  [
    'a call that failed',
    400,
    "Failed to call a function. Please adjust your prompt. See 'failed_generation'.",
  ],
  ['another parameter', 400, "Unsupported parameter: 'max_tokens' is not supported with this model."],
  ['images', 400, 'This model does not support images. Describe them, or use tools elsewhere.'],
  ['no such model', 404, 'The model `tools-large` does not exist'],
  ['a reset', undefined, 'fetch failed'],
];

describe('an upstream that refuses tools', () => {
  it.each(refusals)('is understood: %s', (_, status, message) => {
    expect(refusesTools(new ApiError('upstream-refused', message, { status }))).toBe(true);
    expect(refusesTools(new ApiError('upstream-failed', message.toUpperCase(), { status: 500 }))).toBe(true);
  });

  it.each(others)('is not seen in an error about %s', (_, status, message) => {
    const error = new ApiError('upstream-refused', message, status === undefined ? {} : { status });
    expect(refusesTools(error)).toBe(false);
  });

  it.each<[ApiErrorCode, number]>([
    ['unauthorized', 401],
    ['rate-limited', 429],
    ['upstream-timeout', 504],
    ['upstream-refused', 402],
  ])('is not seen under %s %i, whatever it says', (code, status) => {
    expect(refusesTools(new ApiError(code, 'x does not support tools', { status }))).toBe(false);
  });

  it('is seen by its code alone', () => {
    expect(refusesTools(new ApiError('tools-refused', 'no'))).toBe(true);
  });

  it('is looked for in the first characters only, in a message of any length', () => {
    const flood = 'tool not support '.repeat(100_000);
    expect(refusesTools(new ApiError('upstream-refused', flood))).toBe(false);
  });
});
