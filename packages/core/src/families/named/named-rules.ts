// Grammar rules for a name, a separator and JSON: what named-family.ts writes, with any arguments.

import type { NamedCalls } from '../../engine/declaration.js';
import type { MarkerSet } from '../../engine/markers.js';
import {
  all,
  any,
  argumentsValue,
  type HowMany,
  many,
  type Rule,
  type Spelling,
  text,
} from '../../grammar/spelling.js';
import type { Tool } from '../../model/index.js';
import { firstOf, listOf } from '../declared/family.js';
import { idRule } from '../json/json-rules.js';
import { layoutOf } from './named-family.js';

export function namedRules(calls: NamedCalls, markers: MarkerSet): Spelling {
  return {
    triggers: [listOf(calls.section?.open)[0] ?? firstOf(calls.open)],
    calls: (tools, howMany) => callsRule(calls, markers, tools, howMany),
  };
}

/** Gives the rule of the calls. Their index may be any number, because a grammar cannot count. */
function callsRule(calls: NamedCalls, markers: MarkerSet, tools: readonly Tool[], howMany: HowMany): Rule {
  const { open, close, beforeId, before, middle, behind } = layoutOf(calls);
  const index = calls.id && 'index' in calls.id;
  const style = { type: 'json', without: markers.literals } as const;
  const [sign = '', separator = ''] = index ? middle(0).split('0') : ['', middle(0)];
  const call = any(
    ...tools.map((tool) =>
      all(
        ...(beforeId === undefined ? [] : [text(beforeId), idRule]),
        text(before + tool.name + sign),
        ...(index ? [many(any(...[...'0123456789'].map(text)), { from: 1, to: 3 })] : []),
        text(separator),
        argumentsValue(tool, style),
        text(behind),
      ),
    ),
  );
  const from = Math.max(1, howMany.from);
  return all(text(open), many(call, { ...howMany, from }, text(calls.between ?? '')), text(close));
}
