// Writes alkaid:
//
//   <tools>            <tools_return>             <tools_input>
//   [ {…}, {…} ]       [ {…}, {…} ]               [ {…}, {…} ]
//   </tools>           </tools_return>            </tools_input>
//   the model's calls  results, as user message   definitions, in the prompt that teaches
//
// All three hold JSON with an indent of 4, in which a marker from outside is escaped as `\u003c…` without loss.

import type { Render } from '../../engine/dialect.js';
import { resultText } from '../../engine/message-text.js';
import type { Writer } from '../../engine/writer.js';
import { inputOf } from '../../families/writing/call-arguments.js';
import { chooseText } from '../../families/writing/tool-text.js';
import { type ExactValue, indentJson, type ToolCall, type ToolResult } from '../../model/index.js';
import { ALKAID_TEXT } from './text.js';
import { flattenTool } from './tools.js';

/** The placeholder of the tool list in the taught text. It is searched in our own text only, never in content. */
const TOOLS_PLACE = '{{.toolsJson}}';

export const alkaidRender: Render = {
  instructions(out, tools, options) {
    const text = chooseText(ALKAID_TEXT, options);
    const [before = '', after = ''] = text.split(TOOLS_PLACE);
    out.ours(before);
    writeList(out, tools.map(flattenTool), 'tools');
    out.ours(after);
  },

  calls(out, calls, context) {
    if (calls.length === 0) return;
    out.ours(context.afterText ? '\n<tools>\n' : '<tools>\n');
    writeList(out, calls.map(callObject), 'calls');
    out.ours('\n</tools>');
  },

  results(out, results, context) {
    if (results.length === 0) return;
    const names = new Map(context.calls.map((call) => [call.id, call.name]));
    out.ours(RETURN_OPEN);
    writeList(
      out,
      results.map((result) => resultObject(result, names)),
      'results',
    );
    out.ours(RETURN_CLOSE);
  },

  stop: [],
};

export const RETURN_OPEN = '<tools_return>\n';
export const RETURN_CLOSE = '\n</tools_return>';

function callObject(call: ToolCall): ExactValue {
  return { name: call.name, id: call.id, parameters: inputOf(call) };
}

/** Gives a result as JSON. An empty one becomes `{}`, so that the model sees that the call ran. */
function resultObject(result: ToolResult, names: ReadonlyMap<string, string>): ExactValue {
  const name = result.name ?? names.get(result.callId) ?? '';
  return { name, id: result.callId, return: resultText(result) || '{}' };
}

/** Writes one item at a time, so that an error of `reject` names the item. */
function writeList(out: Writer, items: readonly ExactValue[], field: string): void {
  if (items.length === 0) {
    out.ours('[]');
    return;
  }
  for (const [at, item] of items.entries()) {
    out.ours(at === 0 ? '[\n' : ',\n');
    // JSON strings contain no raw line breaks, so each of these begins a line of layout.
    const json = indentJson(item, 4).replaceAll('\n', '\n    ');
    out.jsonText(`    ${json}`, `${field}[${at}]`);
  }
  out.ours('\n]');
}
