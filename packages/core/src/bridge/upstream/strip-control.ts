// Removes members of a request that would control the upstream's server. A chat template, its arguments or an address
// in a request would let any client rewrite the prompt or choose where it is sent.

import { onceConstant } from '../../model/constants.js';
import { isPlain } from '../../model/fields.js';
import type { Extra, Message, ModelRequest, Tool } from '../../model/index.js';
import { isObject, setMember } from '../../model/index.js';
import { mapSame } from '../../model/map-same.js';

const control = new Set(
  (
    'chat_template chat_template_kwargs chat_template_args api_base base_url api_key api_version custom_llm_provider ' +
    'add_generation_prompt continue_final_message tokenize guided_decoding_backend extra_body extra_headers'
  ).split(' '),
);

/** Members that ask for a form of the answer: the `schema` in them is data, like a tool's. */
const formats = new Set(['response_format', 'text', 'output_format', 'output_config']);

/** Gives the request without them, at any depth of its `extra` members. Tools and calls are data and stay. */
export function stripControl<R extends ModelRequest>(request: R): R {
  const { conversation } = request;
  return {
    ...withCleanExtra(request),
    conversation: {
      ...withCleanExtra(conversation),
      messages: mapSame(conversation.messages, stripMessage),
      tools: stripTools(conversation.tools),
    },
  };
}

const stripTools = onceConstant((tools: readonly Tool[]) => mapSame(tools, withCleanExtra));

/** Names the members of a request itself that are removed. Switches of thinking are read before, and not listed. */
export function controlMembers({ extra = {} }: ModelRequest): string[] {
  return Object.keys(extra).filter((name) => control.has(name) && !isSwitch(name, extra[name]));
}

function isSwitch(name: string, value: unknown): boolean {
  if (name !== 'chat_template_kwargs' || !isObject(value)) return false;
  return Object.keys(value).every((key) => key === 'enable_thinking' || key === 'thinking');
}

function stripMessage<M extends Message>(message: M): M {
  const parts = mapSame<Message['parts'][number]>(message.parts, withCleanExtra);
  const cleaned = withCleanExtra(message);
  return parts === message.parts ? cleaned : { ...cleaned, parts };
}

function withCleanExtra<T extends { extra?: Extra }>(value: T): T {
  return value.extra && holdsControl(value.extra) ? { ...value, extra: clean(value.extra) as Extra } : value;
}

function holdsControl(value: unknown, inFormat = false): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsControl(item, inFormat));
  if (!isObject(value) || !isPlain(value)) return false;
  return Object.entries(value).some(
    ([key, member]) =>
      control.has(key) ||
      (!(inFormat && key === 'schema') && holdsControl(member, inFormat || formats.has(key))),
  );
}

function clean(value: unknown, inFormat = false): unknown {
  if (Array.isArray(value)) return value.map((item) => clean(item, inFormat));
  if (!isObject(value) || !isPlain(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (control.has(key)) continue;
    const isData = inFormat && key === 'schema';
    setMember(kept, key, isData ? member : clean(member, inFormat || formats.has(key)));
  }
  return kept;
}
