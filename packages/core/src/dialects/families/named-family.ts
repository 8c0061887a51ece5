// A name, a separator and JSON, as data: what a declaration of this family reads and writes.
//
//   <calls> <call> name <separator> {…} <call end> … <calls end>

import type { NamedCalls } from '../../codec/declaration.js';
import type { Writer } from '../../codec/dialect.js';
import { callField } from '../../codec/message-text.js';
import { all, any, type HowMany, type Rule, text } from '../../codec/spelling.js';
import type { Tool, ToolCall } from '../../model/index.js';
import { argumentsText } from './call-arguments.js';
import type { Family } from './family.js';
import { listOf } from './json-family.js';
import { namedJson } from './named-json.js';

export const namedFamily: Family<NamedCalls> = {
  traits: () => ({ ids: false, values: 'json', streams: true }),
  markers: ({ section, open, separator, close }) =>
    [
      ...listOf(section?.open),
      ...listOf(section?.close),
      ...listOf(open),
      ...listOf(separator),
      ...listOf(close),
    ].filter((marker) => marker.length > 2),
  grammar: (calls) => ({
    openers: namedJson({
      section: { open: listOf(calls.section?.open)[0] ?? '', close: listOf(calls.section?.close)[0] ?? '' },
      call: {
        open: listOf(calls.open)[0] ?? '',
        separator: listOf(calls.separator)[0] ?? '',
        close: listOf(calls.close)[0] ?? '',
      },
    }),
    drop: [...listOf(calls.section?.close), ...listOf(calls.close)].map((marker) => ({
      marker,
      repair: 'stray-closer',
    })),
  }),
  writeCalls: (calls) => (out, given, context) => {
    if (given.length > 0) writeCalls(out.ours(context.afterText ? '\n' : ''), given, calls);
  },
  spelling: (calls) => ({
    triggers: [listOf(calls.section?.open)[0] ?? listOf(calls.open)[0] ?? ''],
    calls: (tools, howMany) => callsRule(calls, tools, howMany),
  }),
};

function writeCalls(out: Writer, given: readonly ToolCall[], calls: NamedCalls): void {
  out.ours(listOf(calls.section?.open)[0] ?? '');
  for (const call of given) {
    out.ours(listOf(calls.open)[0] ?? '').outside(call.name, callField(call));
    out.ours(listOf(calls.separator)[0] ?? '').jsonText(argumentsText(call), callField(call));
    out.ours(listOf(calls.close)[0] ?? '');
  }
  out.ours(listOf(calls.section?.close)[0] ?? '');
}

function callsRule(calls: NamedCalls, tools: readonly Tool[], { from, to }: HowMany): Rule {
  const one = any(
    ...tools.map(({ name, parameters }) =>
      all(
        text(`${listOf(calls.open)[0]}${name}${listOf(calls.separator)[0]}`),
        { type: 'value', schema: parameters, root: parameters, style: { type: 'json' } },
        text(listOf(calls.close)[0] ?? ''),
      ),
    ),
  );
  return all(
    text(listOf(calls.section?.open)[0] ?? ''),
    { type: 'many', of: one, from: Math.max(1, from), ...(to !== undefined && { to }) },
    text(listOf(calls.section?.close)[0] ?? ''),
  );
}
