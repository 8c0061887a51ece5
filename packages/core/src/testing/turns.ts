// Random assistant turns that a dialect's traits allow, and their text as a model would write it, for the round-trip
// law.

import type { Dialect } from '../engine/dialect.js';
import { Writer } from '../engine/writer.js';
import {
  acceptTools,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type Tool,
  type ToolCall,
} from '../model/index.js';
import { markerMix } from './marker-mix.js';
import type { Random } from './random.js';

export interface RandomTurn {
  reasoning: string;
  text: string;
  calls: ToolCall[];
  tools: readonly Tool[];
}

const NAMES =
  'get_weather f tool_call think SysBuiltIn.bash Tools.x constructor __proto__ toString a:b read-file x.y.z'.split(
    ' ',
  );

export function randomTurn(random: Random, pieces: readonly string[]): RandomTurn {
  const tools = [...new Set([random.pick(NAMES), random.pick(NAMES), random.pick(NAMES)])].map((name) => ({
    name,
    parameters: randomSchema(random, pieces),
  }));
  const accepted = acceptTools(tools);
  const calls: ToolCall[] = [];
  for (let n = random.int(4); n > 0; n--) {
    const tool = random.pick(accepted);
    const input = randomInput(random, pieces, tool.parameters as JsonObject);
    const id = `id_${calls.length}`;
    calls.push({ type: 'tool-call', id, name: tool.name, input, raw: JSON.stringify(input) });
  }
  return {
    tools: accepted,
    calls,
    text: random.chance(0.3) ? '' : trimBreaks(markerMix(random, pieces, random.int(12))),
    reasoning: random.chance(0.6) ? '' : trimBreaks(markerMix(random, pieces, random.int(12))),
  };
}

const TYPES = ['string', 'string', 'string', 'number', 'integer', 'boolean', 'object', 'array'] as const;

function randomSchema(random: Random, pieces: readonly string[]): JsonSchema {
  const properties: JsonObject = Object.create(null) as JsonObject;
  for (let n = random.int(5); n > 0; n--) {
    const key = random.chance(0.5) ? `k${n}` : markerMix(random, pieces, 1 + random.int(3)).toWellFormed();
    if (key === '__proto__' || /^[0-9]+$/.test(key)) continue;
    properties[key] = { type: random.pick(TYPES) };
  }
  return { type: 'object', properties: { ...properties } };
}

function randomInput(random: Random, pieces: readonly string[], schema: JsonObject): JsonObject {
  const input: JsonObject = {};
  for (const [key, property] of Object.entries(schema.properties as JsonObject)) {
    if (random.chance(0.2)) continue;
    input[key] = randomValue(random, pieces, (property as { type: string }).type, 0);
  }
  return input;
}

function randomValue(random: Random, pieces: readonly string[], type: string, depth: number): JsonValue {
  switch (type) {
    case 'string':
      return markerMix(random, pieces, random.int(8)).toWellFormed();
    case 'integer':
      return random.int(2000) - 1000;
    case 'number':
      return random.pick([0, 1.5, -2.25, 1e21, 1e-7, 12345678901234567000, random.int(100)]);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return Array.from({ length: depth > 3 ? 0 : random.int(4) }, () =>
        randomValue(random, pieces, random.pick([...TYPES, 'null']), depth + 1),
      );
    case 'object': {
      const object: JsonObject = {};
      for (let n = depth > 3 ? 0 : random.int(4); n > 0; n--) {
        const key = markerMix(random, pieces, 1 + random.int(2)).toWellFormed();
        if (key !== '__proto__' && !/^[0-9]+$/.test(key))
          object[key] = randomValue(random, pieces, random.pick([...TYPES, 'null']), depth + 1);
      }
      return object;
    }
    default:
      return null;
  }
}

/**
 * Writes the turn as a model of this dialect would. If the prompt already opens the reasoning, the text starts inside:
 * always where the vendor's prompt does so, and in half of the turns elsewhere.
 */
export function spellTurn(dialect: Dialect, turn: RandomTurn): { text: string; thinking: boolean } {
  const out = new Writer(dialect.markers);
  const { reasoning } = dialect.traits;
  const thinks = reasoning !== undefined && turn.reasoning !== '';
  const thinking = thinks && (dialect.traits.startsInReasoning || turn.reasoning.length % 2 === 0);
  const say =
    dialect.render.text ?? ((writer: Writer, text: string, field: string) => void writer.answer(text, field));
  if (thinks) {
    if (!thinking) out.ours(reasoning.open);
    // A dialect that places text in its own way cannot escape reasoning: only its closing marker acts there.
    if (dialect.render.text) out.ours(turn.reasoning.replaceAll(reasoning.close, ''));
    else out.outside(turn.reasoning, 'reasoning');
    out.ours(reasoning.close);
  }
  const frame = turn.text ? dialect.traits.textFrame : undefined;
  out.ours(frame?.open ?? '');
  if (turn.text) say(out, turn.text, 'text');
  out.ours(frame?.close ?? '');
  if (turn.calls.length === 0) return { text: out.text, thinking };
  dialect.render.calls(out, turn.calls, { tools: turn.tools, afterText: turn.text !== '' });
  return { text: out.text, thinking };
}

/** Trims line breaks at the ends of a text, which are separators in every dialect. Blank text becomes none. */
function trimBreaks(text: string): string {
  const whole = text.toWellFormed();
  let start = 0;
  let end = whole.length;
  while (start < end && '\r\n'.includes(whole.charAt(start))) start++;
  while (end > start && '\r\n'.includes(whole.charAt(end - 1))) end--;
  const trimmed = whole.slice(start, end);
  // A line break after a line that opens a code fence belongs to the fence, so such a text gets another end.
  const line = trimmed.slice(trimmed.lastIndexOf('\n') + 1).trimStart();
  if (line.startsWith('```')) return `${trimmed}\n.`;
  return trimmed.trim() === '' ? '' : trimmed;
}
