// Runs one call of one tool until it returns, throws, times out or is aborted.

import { describeError } from './describe-error.js';
import type { ReadyTool } from './ready-tools.js';
import { afterTime, linkedController, orAborted, orTimeUp } from './stop.js';
import { type Output, toOutput } from './to-output.js';
import { type ToolContext, ToolError } from './tool.js';

export interface ToolLimits {
  /** Milliseconds. */
  timeout: number;
  /** How long an aborted tool may take to stop. */
  grace: number;
  /** Characters up to which a stream is read. */
  resultLength: number;
}

/**
 * Never rejects. A tool that stops in time after an abort may still report its progress: by its return value or by
 * the message of a ToolError. A tool that does not stop is abandoned. (A tool that blocks the event loop cannot be.)
 * The signal of a tool that has ended by itself is never aborted: background work it started may continue.
 */
export async function runTool(
  tool: ReadyTool,
  input: unknown,
  told: Omit<ToolContext, 'signal'>,
  limits: ToolLimits,
  signal: AbortSignal,
): Promise<Output> {
  const { controller, release } = linkedController(signal);
  const context = { ...told, signal: controller.signal };
  const stopTimer = afterTime(limits.timeout, () => controller.abort(timeIsUp(limits.timeout)));
  try {
    const work = outcomeOf(tool, input, context, limits.resultLength);
    const ended = await orAborted(work, controller.signal);
    if (ended) return ended.output;
    const late = await orTimeUp(work, limits.grace);
    return signal.aborted ? ofAborted(late) : ofLate(late, limits.timeout);
  } finally {
    stopTimer();
    release();
  }
}

interface Outcome {
  output: Output;
  thrown?: unknown;
}

async function outcomeOf(
  tool: ReadyTool,
  input: unknown,
  context: ToolContext,
  limit: number,
): Promise<Outcome> {
  try {
    const value = await tool.run(input, context);
    return { output: await toOutput(value, { limit, signal: context.signal, emit: context.emit }) };
  } catch (thrown) {
    return { output: { output: describeError(thrown), isError: true }, thrown };
  }
}

function timeIsUp(timeout: number): DOMException {
  return new DOMException(`The time limit of ${timeout} ms was reached.`, 'TimeoutError');
}

function ofLate(late: Outcome | undefined, timeout: number): Output {
  const note = `The tool was stopped: it took longer than ${timeout} ms. It may have done part of its work.`;
  return stopped(note, late);
}

function ofAborted(late: Outcome | undefined): Output {
  if (late && !('thrown' in late)) return late.output;
  return stopped('The tool was stopped because the run was. It may have done part of its work.', late);
}

/** What it threw says, as a rule, no more than that it was stopped. */
function stopped(note: string, late: Outcome | undefined): Output {
  const speaks = late && (!('thrown' in late) || late.thrown instanceof ToolError);
  if (!speaks) return { output: note, isError: true };
  const { output } = late.output;
  return {
    output: `${note}\n${typeof output === 'string' ? output : JSON.stringify(output)}`,
    isError: true,
  };
}
