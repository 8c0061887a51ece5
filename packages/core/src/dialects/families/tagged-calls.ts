// Calls with tagged arguments as a declaration spells them. What tags cannot carry goes into a JSON body, which
// the reader takes, too.
//
//   <tool_call>\n<function=f>\n<parameter=k>\nv\n</parameter>\n</function>\n</tool_call>
//   ^ block   ^ layout.block ^ layout.call  ^ lines        ^ layout.argument ^ layout.behind

import type { Spellings, TaggedCalls } from '../../codec/declaration.js';
import type { Render, Writer } from '../../codec/dialect.js';
import { callField } from '../../codec/message-text.js';
import type { ToolCall } from '../../model/index.js';
import {
  type Argument,
  type Asked,
  argumentsJson,
  argumentsOf,
  looksWrapped,
  tagsHoldKeys,
  tagsHoldValues,
} from './call-arguments.js';
import { splitTemplate } from './template-tags.js';

export function writeTaggedCalls(declared: TaggedCalls): Render['calls'] {
  const { block, layout = {} } = declared;
  return (out, calls, { tools, afterText }) => {
    if (calls.length === 0) return;
    if (afterText) out.ours(layout.before ?? '\n');
    for (const [at, call] of calls.entries()) {
      const first = at === 0 || block?.each;
      if (at > 0 && block?.each) out.ours(layout.between ?? '\n');
      if (at > 0 && !block) out.ours(layout.behind ?? '');
      if (block && first) out.ours(written(block.open) + (layout.block ?? ''));
      writeCall(out, call, tools, declared);
      if (block) out.ours(layout.behind ?? '');
      if (block && (block.each || at === calls.length - 1)) out.ours(written(block.close));
    }
  };
}

/** Of several spellings the first is written. */
function written(spellings: Spellings): string {
  return typeof spellings === 'string' ? spellings : (spellings[0] ?? '');
}

function writeNamed(out: Writer, template: string, name: string, field: string): void {
  const [before, behind = ''] = splitTemplate(template);
  out.ours(before).outside(name, field).ours(behind);
}

function writeCall(out: Writer, call: ToolCall, tools: Asked, declared: TaggedCalls): void {
  const { call: tags, layout = {} } = declared;
  const args = argumentsOf(call);
  const field = callField(call);
  out.ours(tags.before ?? '');
  writeNamed(out, written(tags.open), call.name, field);
  out.ours(layout.call ?? '');
  if (tagsHold(out, call, args, tools, declared))
    for (const argument of args) writeArgument(out, argument, field, declared);
  else
    out
      .ours('\n')
      .jsonText(argumentsJson(args), field)
      .ours(layout.argument || '\n');
  out.ours(written(tags.close) + (tags.behind ?? ''));
}

function writeArgument(out: Writer, { key, value }: Argument, field: string, declared: TaggedCalls): void {
  const { argument, layout = {} } = declared;
  if ('key' in argument) {
    out.ours(written(argument.key.open)).outside(key, field).ours(written(argument.key.close));
    out.ours((layout.key ?? '') + written(argument.value.open));
  } else writeNamed(out, written(argument.open), key, field);
  const [before, behind] = around(value, declared);
  out.ours(before);
  if (typeof value === 'string') out.outside(value, field);
  else out.json(value, field);
  out.ours(behind + written('key' in argument ? argument.value.close : argument.close));
  out.ours(layout.argument ?? '');
}

function tagsHold(
  out: Writer,
  call: ToolCall,
  args: readonly Argument[],
  tools: Asked,
  declared: TaggedCalls,
): boolean {
  return (
    tagsHoldKeys(out, args) &&
    tagsHoldValues(out, call, args, tools) &&
    linesHold(out, args, declared) &&
    !looksWrapped(out, call, args, tools, declared.wrappers ?? [])
  );
}

/** A carriage return at the end of a value would go with the line break behind it. */
function linesHold(out: Writer, args: readonly Argument[], { lineLayout }: TaggedCalls): boolean {
  if (lineLayout === undefined || out.safety === 'exact') return true;
  return !args.some(({ value }) => typeof value === 'string' && value.endsWith('\r'));
}

/**
 * What frames a value: CDATA; or the line break that is layout, always, or where the reader would take one of the
 * value's own for it.
 */
function around(value: Argument['value'], { lineLayout, cdata }: TaggedCalls): [string, string] {
  if (cdata === 'written' && typeof value === 'string' && /[<&\r\n]/.test(value)) return ['<![CDATA[', ']]>'];
  if (lineLayout === 'written') return ['\n', '\n'];
  const wrapped = lineLayout === 'read' && typeof value === 'string' && /^[\r\n]|[\r\n]$/.test(value);
  return wrapped ? ['\n', '\n'] : ['', ''];
}
