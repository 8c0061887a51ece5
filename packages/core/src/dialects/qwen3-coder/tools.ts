// Writes the definitions of qwen3-coder: one element a member, scalars as Python prints them.

import type { Writer } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import { toolsIn } from '../../families/declared/tools-text.js';
import { chatmlTokens } from '../../families/writing/chatml.js';
import { strip, toPythonText } from '../../families/writing/python-text.js';
import {
  isRecord,
  memberOf,
  membersOf,
  toolFunction,
  type WriteTools,
} from '../../families/writing/tool-text.js';
import { type ExactValue, stringifyJson } from '../../model/index.js';

/** With the tokens of other models that write such calls: Step 3.5, Nemotron 3, MiMo, and Qwen's for speech. */
export const qwen3CoderTokens = [
  ...chatmlTokens,
  ...'<｜ <|EOT|> <im_patch> <SPECIAL_ <|mimo_ <tts_ <function= </function> <parameter= </parameter>'.split(
    ' ',
  ),
];

/** The markers in definitions: also their own tags, which are plain words in other text. */
export const definitionMarkers = defineMarkers([
  ...qwen3CoderTokens,
  ...['function', 'name', 'description', 'parameters', 'parameter', 'type'].flatMap((tag) =>
    tag === 'function' || tag === 'parameter' ? [`<${tag}>`] : [`<${tag}>`, `</${tag}>`],
  ),
]);

const OPENING = '# Tools\n\nYou have access to the following functions:\n\n<tools>';

/** The text behind the definitions: how a call is written. */
const CALL_RULES = `
</tools>

If you choose to call a function ONLY reply in the following format with NO suffix:

<tool_call>
<function=example_function_name>
<parameter=example_parameter_1>
value_1
</parameter>
<parameter=example_parameter_2>
This is the value for the second parameter
that can span
multiple lines
</parameter>
</function>
</tool_call>

<IMPORTANT>
Reminder:
- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags
- Required parameters MUST be specified
- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after
- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls
</IMPORTANT>`;

/** Writes the same text with each definition as JSON on a line. */
export const writeJsonTools: WriteTools = toolsIn({
  text: `${OPENING}\n{tools}${CALL_RULES}`,
  tools: 'openai',
});

/** Members that have a place of their own: this one of a parameter first, that one of the parameters last. */
interface MemberOrder {
  first?: string;
  last?: string;
}

/** Writes definitions in tags, with members in their order but for those that have a place of their own. */
export function taggedTools(order: MemberOrder = {}): WriteTools {
  return (out, tools) => {
    out.ours(OPENING);
    for (const [at, tool] of tools.entries())
      writeTool(new Definition(out, `tools[${at}]`), toolFunction(tool), order);
    out.ours(CALL_RULES);
  };
}

function writeTool(out: Definition, tool: ExactValue, { first = '', last = '' }: MemberOrder): void {
  const parameters = memberOf(tool, 'parameters');
  out.open('function').element('name', memberOf(tool, 'name'));
  out.trimmed('description', memberOf(tool, 'description')).open('parameters');
  for (const [name, fields] of membersOf(memberOf(parameters, 'properties'))) {
    out.open('parameter').element('name', name).element('type', memberOf(fields, 'type'));
    out.trimmed('description', memberOf(fields, 'description')).only(fields, first);
    out.others(fields, ['name', 'type', 'description', first]).close('parameter');
  }
  out.others(parameters, ['type', 'properties', last]).only(parameters, last).close('parameters');
  out.others(tool, ['type', 'name', 'description', 'parameters']).close('function');
}

/** Writes the tags of one definition, each on a line of its own. Names of tags may come from outside, too. */
class Definition {
  constructor(
    readonly out: Writer,
    readonly field: string,
  ) {}

  open(tag: string): this {
    this.out.ours(`\n<${tag}>`);
    return this;
  }

  close(tag: string): this {
    this.out.ours(`\n</${tag}>`);
    return this;
  }

  element(tag: string, value: ExactValue | undefined): this {
    if (value === undefined || value === null) return this;
    this.open(tag).#outside(toPythonText(value));
    this.out.ours(`</${tag}>`);
    return this;
  }

  trimmed(tag: string, value: ExactValue | undefined): this {
    return this.element(tag, typeof value === 'string' ? strip(value) : value);
  }

  /** Writes members without a tag of the template's as `<key>value</key>`; key and value come from outside. */
  others(value: ExactValue | undefined, known: readonly string[]): this {
    for (const [key, member] of membersOf(value)) if (!known.includes(key)) this.#other(key, member);
    return this;
  }

  /** Writes this member alone, if it is there. */
  only(value: ExactValue | undefined, key: string): this {
    const member = memberOf(value, key);
    if (member !== undefined) this.#other(key, member);
    return this;
  }

  #other(key: string, member: ExactValue): void {
    this.out.ours('\n');
    if (isScalar(member)) this.#outside(`<${key}>${toPythonText(member)}</${key}>`);
    else {
      this.#outside(`<${key}>`);
      this.out.jsonText(stringifyJson(member, 'python'), this.field, definitionMarkers);
      this.#outside(`</${key}>`);
    }
  }

  #outside(text: string): void {
    this.out.outside(text, this.field, definitionMarkers);
  }
}

/** Whether the template prints the value with str(); it prints lists and objects as JSON. */
function isScalar(value: ExactValue): boolean {
  return !(Array.isArray(value) || isRecord(value));
}
