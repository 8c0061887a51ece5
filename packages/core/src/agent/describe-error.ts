// Describes a thrown error to the model: without the stack, which tells nothing about the call.

import { ToolError } from './tool.js';

const MAX_CAUSES = 3;

/** `TypeError: fetch failed (connect ECONNREFUSED 127.0.0.1:80)`; of a ToolError the message alone. */
export function describeError(thrown: unknown): string {
  try {
    return describe(thrown);
  } catch {
    return 'The tool failed, and what it threw cannot be read.';
  }
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `The tool failed: ${describeOther(thrown)}`;
  const message = String(thrown.message);
  if (thrown instanceof ToolError) return message || 'The tool failed and gave no reason.';
  const causes = causesOf(thrown).filter((cause) => !message.includes(cause));
  const name = String(thrown.name) || 'Error';
  return `${name}: ${message || 'no message'}${causes.length > 0 ? ` (${causes.join('; ')})` : ''}`;
}

function describeOther(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message } = thrown as { message?: unknown };
  return typeof message === 'string' ? message : Object.prototype.toString.call(thrown);
}

/** The `cause` that `fetch` and others hide behind a general message. */
function causesOf(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause) {
    causes.push(String(cause.message));
  }
  return causes.filter((text) => text !== '');
}
