// Structured output: `output_config.format`, and `output_format` of the beta before it. There is no JSON without a schema.

import { type AnswerFormat, isObject } from '../../model/index.js';
import { decodeFormat, sameFormat } from '../answer-format.js';
import { type Fields, fieldsOf, memberOf } from '../values.js';

export function decodeOutputFormat(fields: Fields): AnswerFormat | undefined {
  const older = read(fields.get('output_format'), 'output_format');
  return older ?? read(memberOf(fields.get('output_config'), 'format'), 'output_config.format');
}

/** Models of this API are always held to the schema. */
function read(value: unknown, path: string): AnswerFormat | undefined {
  const format = decodeFormat(value, path);
  return format?.type === 'json-schema' ? { strict: true, ...format } : undefined;
}

/** Writes the format into a body that may hold it as the client spelled it. */
export function encodeOutputFormat(body: Record<string, unknown>, format: AnswerFormat | undefined): void {
  if (sameFormat(decodeOutputFormat(fieldsOf(body) ?? new Map()), format)) return;
  delete body.output_format;
  const { format: _, ...config } = isObject(body.output_config) ? body.output_config : {};
  if (format?.type === 'json-schema') config.format = { type: 'json_schema', schema: described(format) };
  if (Object.keys(config).length > 0) body.output_config = config;
  else delete body.output_config;
}

/** The API has no description beside the schema: it is put into it, unless the schema has its own. */
function described({ schema, description }: AnswerFormat & { type: 'json-schema' }): unknown {
  const has = !isObject(schema) || schema.description !== undefined || description === undefined;
  return has ? schema : { ...schema, description };
}
