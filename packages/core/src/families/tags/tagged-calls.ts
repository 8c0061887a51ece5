// Writes calls with tagged arguments as a declaration spells them. What tags cannot carry goes into a JSON body, which
// the reader accepts, too.
//
//   <tool_call>\n<function=f>\n<parameter=k>\nv\n</parameter>\n</function>\n</tool_call>
//   ^ block   ^ layout.block ^ layout.call  ^ lines        ^ layout.argument ^ layout.behind

import type { TaggedCalls } from '../../engine/declaration.js';
import type { Render, Writer } from '../../engine/dialect.js';
import type { MarkerSet } from '../../engine/markers.js';
import { callField } from '../../engine/message-text.js';
import { stringifyJson, type ToolCall } from '../../model/index.js';
import { propertySchema } from '../../schema/schema.js';
import { firstOf } from '../declared/family.js';
import {
  type Argument,
  type Asked,
  argumentsJson,
  argumentsOf,
  looksWrapped,
  tagsHoldKeys,
  tagsHoldValues,
} from '../writing/call-arguments.js';
import { type ElementTags, elementsHold, writeNested } from './nested-elements.js';
import { splitTemplate } from './template-tags.js';

/** Rules that depend on the tool that is called. */
export interface CallRules {
  markers(call: ToolCall, tools: Asked): MarkerSet;
  holdsKey(call: ToolCall, key: string, tools: Asked): boolean;
}

export function writeTaggedCalls(declared: TaggedCalls, rules?: CallRules): Render['calls'] {
  const { block, layout = {} } = declared;
  return (out, calls, { tools, afterText }) => {
    if (calls.length === 0) return;
    if (afterText) out.ours(layout.before ?? '\n');
    for (const [at, call] of calls.entries()) {
      const first = at === 0 || block?.each;
      if (at > 0 && block?.each) out.ours(layout.between ?? '\n');
      if (at > 0 && !block) out.ours(layout.behind ?? '');
      if (block && first) out.ours(firstOf(block.open) + (layout.block ?? ''));
      writeCall(out, call, tools, declared, rules);
      if (block) out.ours(layout.behind ?? '');
      if (block && (block.each || at === calls.length - 1)) out.ours(firstOf(block.close));
    }
  };
}

function writeNamed(out: Writer, template: string, name: string, field: string): void {
  const [before, behind] = splitTemplate(template);
  out.ours(before);
  if (behind !== undefined) out.outside(name, field).ours(behind);
}

function writeCall(
  out: Writer,
  call: ToolCall,
  tools: Asked,
  declared: TaggedCalls,
  rules: CallRules | undefined,
): void {
  const { call: tags, layout = {} } = declared;
  const args = argumentsOf(call);
  const field = callField(call);
  out.ours(tags.before ?? '');
  writeNamed(out, firstOf(tags.open), call.name, field);
  out.ours(layout.call ?? '');
  const markers = rules?.markers(call, tools) ?? out.markers;
  const named = !rules || args.every(({ key }) => rules.holdsKey(call, key, tools));
  if (named && tagsHold(out, call, args, tools, declared))
    for (const argument of args)
      writeArgument(out, argument, field, declared, markers, nestedTags(argument, call, tools, declared));
  else
    out
      .ours('\n')
      .jsonText(argumentsJson(args), field, markers)
      .ours(layout.argument || '\n');
  writeNamed(out, firstOf(tags.close), call.name, field);
  out.ours(tags.behind ?? '');
}

function writeArgument(
  out: Writer,
  { key, value }: Argument,
  field: string,
  declared: TaggedCalls,
  markers: MarkerSet,
  nested: ElementTags | undefined,
): void {
  const { argument, layout = {} } = declared;
  if ('key' in argument) {
    out.ours(firstOf(argument.key.open)).outside(key, field).ours(firstOf(argument.key.close));
    out.ours((layout.key ?? '') + firstOf(argument.value.open));
  } else writeNamed(out, firstOf(argument.open), key, field);
  const [before, behind] = around(value, declared);
  out.ours(before);
  if (nested) writeNested(out, value, field, nested);
  else if (typeof value === 'string') out.outside(value, field, markers);
  else out.jsonText(stringifyJson(value, 'python'), field, markers);
  out.ours(behind);
  if ('key' in argument) out.ours(firstOf(argument.value.close));
  else writeNamed(out, firstOf(argument.close), key, field);
  out.ours(layout.argument ?? '');
}

/** Gives the tags of an element, where values are elements in elements. */
function elementsOf(declared: TaggedCalls): ElementTags | undefined {
  const { nested, argument, block, call } = declared;
  if (!nested || 'key' in argument) return undefined;
  const [open, close] = [firstOf(argument.open), firstOf(argument.close)];
  const others = [block?.open ?? [], block?.close ?? [], call.close].flat();
  const taken = (key: string) =>
    others.includes(open.replace('{key}', key)) || others.includes(close.replace('{key}', key));
  return {
    open,
    close,
    item: nested,
    holds: (key) => /^[^\s/<>"'\\=][^\s<>"'\\=]*$/.test(key) && !taken(key),
  };
}

/** Gives the tags for an argument that is written as elements; undefined where it is JSON. */
function nestedTags(
  { key, value }: Argument,
  call: ToolCall,
  tools: Asked,
  declared: TaggedCalls,
): ElementTags | undefined {
  const tags = elementsOf(declared);
  const root = tools?.find(({ name }) => name === call.name)?.parameters;
  return tags && elementsHold(value, { schema: propertySchema(root, key, root), root }, tags)
    ? tags
    : undefined;
}

function tagsHold(
  out: Writer,
  call: ToolCall,
  args: readonly Argument[],
  tools: Asked,
  declared: TaggedCalls,
): boolean {
  const elements = elementsOf(declared);
  return (
    tagsHoldKeys(out, args) &&
    (!elements || args.every(({ key }) => elements.holds(key))) &&
    tagsHoldValues(out, call, args, tools) &&
    linesHold(out, args, declared) &&
    !looksWrapped(out, call, args, tools, declared.wrappers ?? [])
  );
}

/** Whether layout line breaks are safe: the reader would drop a carriage return at the end of a value with them. */
function linesHold(out: Writer, args: readonly Argument[], { lineLayout }: TaggedCalls): boolean {
  if (lineLayout === undefined || out.safety === 'exact') return true;
  return !args.some(({ value }) => typeof value === 'string' && value.endsWith('\r'));
}

/**
 * Gives the frame of a value: CDATA, or line breaks as layout. Line breaks are written always, or only where the reader
 * would drop the value's own.
 */
function around(value: Argument['value'], { lineLayout, cdata }: TaggedCalls): [string, string] {
  if (cdata === 'written' && typeof value === 'string' && /[<&\r\n]/.test(value)) return ['<![CDATA[', ']]>'];
  if (lineLayout === 'written') return ['\n', '\n'];
  const wrapped = lineLayout === 'read' && typeof value === 'string' && /^[\r\n]|[\r\n]$/.test(value);
  return wrapped ? ['\n', '\n'] : ['', ''];
}
