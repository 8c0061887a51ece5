// Reads tool results in the spellings of the APIs.

import { type Incoming, optionalId, textTypes } from './accept-parts.js';
import type { Extra, ToolMessage, ToolResult } from './conversation.js';
import { extraOf, type Fields, fieldsOf, notExpected, pick, toExact, toOpaque } from './fields.js';
import { type JsonValue, toPlain } from './json.js';
import { documentText } from './text-documents.js';

const imageTypes = ['image', 'image_url', 'input_image', 'image-data', 'image-file-id', 'image-url'];
const fileTypes = ['file', 'input_file', 'document', 'file-data', 'file-id', 'file-url', 'media'];
const otherTypes = ['audio', 'input_audio', 'video', 'video_url', 'input_video'];
const documentTypes = ['search_result', 'resource'];
const blockTypes: readonly unknown[] = [
  ...textTypes,
  ...imageTypes,
  ...fileTypes,
  ...documentTypes,
  ...otherTypes,
];

/** Whether it is the type of a block that a result holds, in the words of the APIs. */
export const isBlockType = (type: unknown): boolean => blockTypes.includes(type);

const sdkOutputs = ['text', 'json', 'error-text', 'error-json', 'content', 'execution-denied'];
const resultTypes = ['tool-result', 'tool_result', 'tool-error'];

export const isResult = (part: Incoming): boolean => resultTypes.includes(part.type);

/** What one result holds: its value, whether it is an error, and API-specific members. */
interface Answer {
  output: JsonValue;
  isError?: boolean;
  extra?: Extra;
}

/** Reads a result among the parts of a message: Anthropic's, the AI SDK's, ours. */
export function toResult({ fields, type, path, own }: Incoming): ToolResult {
  const ids = ['callId', 'toolCallId', 'tool_use_id'];
  const values = type === 'tool_result' ? ['content'] : ['output', 'result', 'error'];
  const known = ['type', 'name', 'toolName', 'isError', 'is_error', ...ids, ...values];
  const value = values.map((key) => fields.get(key)).find((member) => member !== undefined);
  const at = `${path}.${values[0]}`;
  const answer = own ? { output: toJson(value ?? null, at) } : foreignAnswer(type, fields, value, at);
  const failed =
    pick(fields, 'isError', 'is_error') === true || type === 'tool-error' || answer.isError === true;
  const extra = { ...answer.extra, ...extraOf(fields, known, own, path) };
  const id = optionalId(pick(fields, ...ids), `${path}.${own ? 'callId' : 'toolCallId'}`);
  return result(id, pick(fields, 'name', 'toolName'), { ...answer, extra, isError: failed }, path);
}

function foreignAnswer(type: string, fields: Fields, value: unknown, path: string): Answer {
  if (type === 'tool_result') return contentAnswer(value, path);
  return fields.has('output') ? sdkAnswer(value, path) : { output: toJson(value ?? null, path) };
}

/** Reads the AI SDK's {type, value}: text, json, error-text, error-json, content, execution-denied. */
function sdkAnswer(output: unknown, path: string): Answer {
  const fields = fieldsOf(output);
  const type = fields?.get('type');
  if (fields === undefined || typeof type !== 'string' || !sdkOutputs.includes(type)) {
    return { output: toJson(output, path) };
  }
  const extra = extraOf(fields, ['type', 'value', 'reason'], false, path);
  const common = { isError: type.startsWith('error-'), ...(extra && { extra }) };
  if (type === 'execution-denied') {
    const reason = toJson(pick(fields, 'reason') ?? 'Tool execution denied.', path);
    return { ...common, output: reason, isError: true };
  }
  const value = fields.get('value');
  if (type !== 'content') return { ...common, output: toJson(value ?? null, `${path}.value`) };
  const answer = contentAnswer(value, `${path}.value`);
  return { ...answer, extra: { ...common.extra, ...answer.extra } };
}

/** Reads a message of the role tool (or of the old role function): most often one result. */
export function toToolMessage(fields: Fields, path: string, extra: Extra | undefined): ToolMessage {
  const content = fields.get('content');
  const id = optionalId(pick(fields, 'tool_call_id', 'toolCallId'), `${path}.tool_call_id`);
  const name = pick(fields, 'name');
  const outputs = Array.isArray(content) && content.some(isOutputItem) ? content : undefined;
  const parts = outputs
    ? outputs.map((item, at) => outputResult(item, at === 0 ? id : '', name, `${path}.content[${at}]`))
    : [result(id, name, contentAnswer(content, `${path}.content`), path)];
  return { role: 'tool', parts, ...(extra && { extra }) };
}

/** Whether this is one of GLM's results: its template takes those of a turn in one message, [{output: 'one'}, …]. */
function isOutputItem(item: unknown): boolean {
  const fields = fieldsOf(item);
  return fields?.has('output') === true && !fields.has('type');
}

function outputResult(item: unknown, id: string, name: unknown, path: string): ToolResult {
  const fields = fieldsOf(item);
  if (fields === undefined || !fields.has('output')) return result(id, name, contentAnswer(item, path), path);
  const ids = ['tool_call_id', 'id'];
  const extra = extraOf(fields, ['output', 'name', ...ids], false, path);
  const answer = { output: toJson(fields.get('output'), `${path}.output`), ...(extra && { extra }) };
  return result(
    optionalId(pick(fields, ...ids), `${path}.id`) || id,
    pick(fields, 'name') ?? name,
    answer,
    path,
  );
}

/** Reads a result's content: a string as it is, blocks as the text in them, anything else as its JSON value. */
function contentAnswer(content: unknown, path: string): Answer {
  if (content === undefined || content === null) return { output: '' };
  const blocks = Array.isArray(content) ? content.map(fieldsOf) : [undefined];
  if (!blocks.every(isBlock)) return { output: toJson(content, path) };
  const output = blocks.reduce(withBlock, '');
  // An image has no place in a text prompt (base64 there is worse than nothing), so it is kept in `extra`.
  const bare =
    blocks.length < 2 && blocks.every((block) => block?.size === 2 && textTypes.includes(block.get('type')));
  return bare ? { output } : { output, extra: { content: toOpaque(content, path) } };
}

function isBlock(block: Fields | undefined): boolean {
  const type = block?.get('type');
  if (!isBlockType(type)) return false;
  return !textTypes.includes(type) || typeof block?.get('text') === 'string';
}

/** Adds the text of a block to the text before it: a document begins on a line of its own, and ends with one. */
function withBlock(before: string, block: Fields | undefined): string {
  if (block !== undefined && textTypes.includes(block.get('type'))) return before + String(block.get('text'));
  const document = documentText(block);
  if (document === undefined) return before;
  return `${before === '' || before.endsWith('\n') ? before : `${before}\n`}${document}\n`;
}

function result(callId: string, name: unknown, answer: Answer, path: string): ToolResult {
  if (name !== undefined && typeof name !== 'string') {
    throw notExpected(`${path}.name`, 'the name of a tool', name);
  }
  const { output, isError, extra } = answer;
  return {
    type: 'tool-result',
    callId,
    ...(name !== undefined && { name }),
    output,
    ...(isError === true && { isError }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}

function toJson(value: unknown, path: string): JsonValue {
  return toPlain(toExact(value, 'bad-conversation', path));
}
