// Structured output as the APIs spell it: {type: 'json_object'}, or {type: 'json_schema', schema, name, …}. Chat
// Completions has the latter's members one level deeper. A request keeps the client's own spelling in `extra`; it is
// written anew only where the format was changed since, or came by another API.

import { type AnswerFormat, type Extra, isObject, type JsonSchema } from '../model/index.js';
import { fieldsOf, memberOf, stringOf, toOpaque } from './values.js';

/** The name for a schema without one: OpenAI's APIs demand it. */
const DEFAULT_NAME = 'answer';

/** Reads a format. Undefined: any text, or a format that is none of ours, which is only passed on. */
export function decodeFormat(value: unknown, path: string): AnswerFormat | undefined {
  const type = stringOf(value, 'type');
  if (type !== 'json_object' && type !== 'json_schema') return undefined;
  const inner = fieldsOf(memberOf(value, 'json_schema')) ?? fieldsOf(value);
  const schema = inner?.get('schema');
  // Some engines take a schema beside `json_object` as well.
  if (!isObject(schema)) return { type: 'json' };
  const name = stringOf(inner, 'name');
  const description = stringOf(inner, 'description');
  const strict = memberOf(inner, 'strict');
  return {
    type: 'json-schema',
    schema: toOpaque(schema, path) as JsonSchema,
    ...(name !== undefined && name !== '' && { name }),
    ...(description !== undefined && { description }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

/** Writes a format as the Responses API has it. */
export function encodeFormat(format: AnswerFormat): Extra {
  if (format.type === 'json') return { type: 'json_object' };
  const { schema, name = DEFAULT_NAME, description, strict } = format;
  return {
    type: 'json_schema',
    name,
    ...(description !== undefined && { description }),
    schema,
    ...(strict !== undefined && { strict }),
  };
}

/** Whether two formats are the same. One that is rewritten with its members in another order does no harm. */
export function sameFormat(one: AnswerFormat | undefined, other: AnswerFormat | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
