// Writes muse as its vendor does: each call in a message of its own, results in <tool_output>.

import type { Render, Writer } from '../../engine/dialect.js';
import { callField, resultField } from '../../engine/message-text.js';
import { resultText } from '../../engine/result-text.js';
import { readToolLines } from '../../families/writing/tool-lines.js';
import { writeShortForm } from '../../families/writing/tool-text.js';
import { all, any, many, type Spelling, text } from '../../grammar/spelling.js';
import type { Tool, ToolCall, ToolResult } from '../../model/index.js';

const NEXT = '<|start|>assistant';
const MESSAGE = '<|message|>';

/**
 * Gives the recipient of a call. A tool named `self` or `user` would be taken for one of these recipients, so its name
 * is doubled.
 */
const recipientOf = (name: string) => (name === 'self' || name === 'user' ? `${name}.${name}` : name);

function writeMessage(out: Writer, call: ToolCall, next: boolean): void {
  out
    .ours(next ? NEXT : '')
    .ours(' to=')
    .outside(recipientOf(call.name), callField(call))
    .ours(MESSAGE);
}

interface Turn {
  /** Writes one block of calls. */
  writeBlock: Render['calls'];
  tools: readonly Tool[];
  /** Whether a message of the same answer came before. */
  next: boolean;
  /** The text after the last call. */
  end: string;
}

export function writeMuseCalls(out: Writer, calls: readonly ToolCall[], turn: Turn): void {
  const { writeBlock, tools, next, end } = turn;
  for (const [at, call] of calls.entries()) {
    writeMessage(out, call, next || at > 0);
    writeBlock(out, [call], { tools, afterText: false });
    out.ours(at < calls.length - 1 ? '<|eom|>' : end);
  }
}

export function writeMuseResult(out: Writer, result: ToolResult): void {
  const field = resultField(result);
  const name = result.name ?? '';
  out.ours('<|start|>tool ').outside(name, field).ours(`${MESSAGE}<tool_output name="`).outside(name, field);
  out.ours('">\n').outside(resultText(result), field).ours('\n</tool_output><|eot|>');
}

/** Makes the renderer. `writeBlock` writes one block of calls. */
export function museRender(writeBlock: Render['calls']): Render {
  return {
    instructions: (out, tools) =>
      writeShortForm(out, tools, {
        example: `${NEXT} to=NAME${MESSAGE}<atem:function_calls>
<atem:invoke name="NAME">
<atem:parameter name="key">text</atem:parameter>
<atem:parameter name="count">2</atem:parameter>
</atem:invoke>
</atem:function_calls><|eom|>`,
        rules:
          'Strings and scalars are written as they are, lists and objects as JSON. Several calls: several messages.',
        result: `<|start|>tool NAME${MESSAGE}<tool_output name="NAME">...</tool_output><|eot|>`,
      }),
    calls: (out, calls, { tools, afterText }) =>
      writeMuseCalls(out, calls, { writeBlock, tools, next: afterText, end: '<|eom|>' }),
    results: (out, results) => {
      for (const result of results) writeMuseResult(out, result);
    },
    stop: ['<|eot|>'],
    back: { tools: readToolLines },
  };
}

/** Wraps each call of the block's own rules in its message. */
export function museSpelling(block: Spelling): Spelling {
  const one = { from: 1, to: 1 };
  return {
    triggers: block.triggers,
    calls: (tools, howMany) =>
      many(
        any(
          ...tools.map((tool) =>
            all(
              many(any(...[' to=', 'to='].map((to) => text(to + recipientOf(tool.name) + MESSAGE))), {
                from: 0,
                to: 1,
              }),
              block.calls([tool], one),
              text('<|eom|>'),
            ),
          ),
        ),
        howMany,
        text(NEXT),
      ),
  };
}
