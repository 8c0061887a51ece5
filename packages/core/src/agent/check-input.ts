// Validates the input of a call and gives the value that the tool is run with.

import { validateInput } from '../bridge/emulate/validate-input.js';
import type { JsonObject } from '../model/index.js';
import type { ReadyTool } from './ready-tools.js';
import type { StandardIssue, StandardSchema } from './standard-schema.js';

const MAX_ISSUES = 5;
const MAX_MESSAGE = 300;

export type CheckedInput = { value: unknown } | { problems: string[] };

/** Rejects if the code of the schema throws. */
export async function checkInput(tool: ReadyTool, input: JsonObject): Promise<CheckedInput> {
  if (tool.schema) return standardCheck(tool.schema, input);
  const { parameters } = tool.definition;
  const problems = parameters === undefined ? [] : validateInput(parameters, input);
  return problems.length > 0 ? { problems } : { value: input };
}

async function standardCheck(schema: StandardSchema, input: JsonObject): Promise<CheckedInput> {
  const checked = await schema['~standard'].validate(input);
  if (!checked.issues) return { value: checked.value };
  return { problems: checked.issues.slice(0, MAX_ISSUES).map(wordsOf) };
}

function wordsOf({ path, message }: StandardIssue): string {
  const place = (path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  const words = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  return place === '' ? words : `${place}: ${words}`;
}
