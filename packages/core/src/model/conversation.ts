// One conversation, independent of the API or dialect it came in.

import type { ExactValue, JsonObject, JsonValue } from './json.js';

/** Members of one API that have no place in our model. Kept, so that A → model → A is the identity. */
export type Extra = Record<string, unknown>;

export interface TextPart {
  type: 'text';
  text: string;
  /** Text that a model wrote after its calls, in a dialect whose turns end with them. Kept, but no answer. */
  aside?: boolean;
  /** Of an item that only the API it came by knows: what a model is told by other APIs. The `text` is then empty. */
  standIn?: string;
  extra?: Extra;
}

export interface ReasoningPart {
  type: 'reasoning';
  text: string;
  extra?: Extra;
}

/** An image, a sound, a file: passed on to upstreams that take it, never into a text prompt. */
export interface MediaPart {
  type: 'media';
  media: unknown;
  /** A tool gave it, in its result or in the message behind it: where a model cannot see it, a note may stand for it. */
  ofResult?: boolean;
  extra?: Extra;
}

export interface ToolCall {
  type: 'tool-call';
  id: string;
  name: string;
  input: JsonObject;
  /** The arguments as JSON text, with the author's own digits and key order. */
  raw?: string;
  /** The arguments as an API sent them, where they are no JSON object. `input` then holds them as `{arguments: text}`. */
  broken?: string;
  /** A call of a freeform tool: its text is the one member of `input`, named `input`. */
  freeform?: boolean;
  extra?: Extra;
}

export interface ToolResult {
  type: 'tool-result';
  callId: string;
  name?: string;
  output: JsonValue;
  isError?: boolean;
  extra?: Extra;
}

export interface SystemMessage {
  role: 'system';
  parts: TextPart[];
  extra?: Extra;
}
export interface UserMessage {
  role: 'user';
  parts: (TextPart | MediaPart)[];
  extra?: Extra;
}
export interface AssistantMessage {
  role: 'assistant';
  parts: (TextPart | ReasoningPart | ToolCall)[];
  extra?: Extra;
}
export interface ToolMessage {
  role: 'tool';
  parts: ToolResult[];
  extra?: Extra;
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export type JsonSchema = JsonObject | boolean;

export interface Tool {
  name: string;
  description?: string;
  /** JSON Schema of the input. Absent: any input is valid. */
  parameters?: JsonSchema;
  /** The definition as it arrived, in OpenAI's shape (`{type, function}`), exact: vendors' prompts print it. */
  source?: ExactValue;
  /** The tool takes plain text. `parameters` then have one argument for it, for everyone who only knows JSON. */
  freeform?: Freeform;
  extra?: Extra;
}

export interface Freeform {
  /** What the text must match. The syntax is `lark` or `regex`. Absent: any text is valid. */
  grammar?: { syntax: string; definition: string };
}

export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };

export interface Conversation {
  messages: Message[];
  tools: readonly Tool[];
  toolChoice: ToolChoice;
  extra?: Extra;
}
