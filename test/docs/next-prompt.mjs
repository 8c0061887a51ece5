// How much of a prompt stays in the next one, for the pages of docs/dialects.

import { answer, question, tools } from './example-conversation.mjs';

/** Whether a prompt begins with the last one and what the model wrote behind it, found by writing both. */
export function nextPrompt(core, dialect) {
  const again = 'A turn goes back as the model wrote it (`readTurn`, or the gateway, which keeps its words)';
  const own = keepsPrefix(core, dialect);
  const inclusive = dialect.traits.reasoning && own === 'all' ? ', reasoning included' : '';
  return [
    `${again}${inclusive}${NEXT_PROMPTS[own]}`,
    ...(dialect.render.variants ?? []).flatMap((variant) => prefixOfVariant(core, dialect, variant, own)),
  ].join('\n\n');
}

/** What follows "A turn goes back as the model wrote it". */
const NEXT_PROMPTS = {
  all: ': every prompt begins with the one before it.',
  last: ", and within a tool loop every prompt begins with the one before it. When another question follows, the vendor's template leaves out the reasoning before it, and the common prefix ends at the first turn that had some.",
  'since-answer':
    ", and every prompt begins with the one before it up to an answer without calls. When another question follows that, the vendor's template leaves out the reasoning before it, and the common prefix ends at the first turn that had some.",
  none: ", but the vendor's template leaves out its reasoning, also within a tool loop: the common prefix of two prompts ends where a turn with reasoning began. Turns without reasoning stay.",
};

const MOVES_TOOLS =
  'writes the tools before the last question: when another one follows, they move, and the common prefix of two prompts with tools ends where they were. Within a tool loop they stay.';

/** What differs in the prompts of a variant. */
function prefixOfVariant(core, dialect, { name, movesTools }, own) {
  const kept = keepsPrefix(core, dialect, name, movesTools ? [] : tools);
  const inclusive = kept === 'all' ? ', reasoning included' : '';
  return [
    ...(kept === own
      ? []
      : [
          `In the prompts of \`${name}\` a turn goes back as the model wrote it${inclusive}${NEXT_PROMPTS[kept]}`,
        ]),
    ...(movesTools ? [`The template of \`${name}\` ${MOVES_TOOLS}`] : []),
  ];
}

/**
 * Whether the reasoning of a turn stays in the next prompts: always, until a question follows an answer without calls,
 * until any question follows, or never. Where a prompt can open the reasoning, it does; elsewhere the model opens it.
 */
function keepsPrefix(core, dialect, model, offered = tools) {
  const { reasoning, textFrame } = dialect.traits;
  if (!reasoning) return 'all';
  const { open, close } = reasoning;
  const render = (messages, options) =>
    core.renderPrompt(dialect, { messages, tools: offered }, { ...options, ...(model && { model }) }).text;
  const opens = (options) => render([question], options).trimEnd().endsWith(open);
  const options = opens({ thinking: true }) ? { thinking: true } : {};
  const inside = opens(options);
  const prompt = (messages) => render(messages, options);
  const first = prompt([question]);
  const spelled = core
    .renderMessages(dialect, { messages: [question, answer], tools })
    .messages.at(-1).content;
  const stays = (said, ...next) => {
    const words = `${inside ? '' : open}A thought.${close}${said}`;
    const { message } = core.readTurn(dialect, words, { tools, thinking: inside });
    const ids = message.parts.filter(({ type }) => type === 'tool-call').map(({ id }) => id);
    const given = ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'Dry.' }));
    return prompt([question, message, ...given, ...next]).startsWith(first + words);
  };
  if (!stays(spelled)) return 'none';
  const text = textFrame ? `${textFrame.open}Yes.${textFrame.close}` : 'Yes.';
  const another = { role: 'user', content: 'Thanks.' };
  if (stays(text, another)) return 'all';
  return stays(spelled, another) ? 'since-answer' : 'last';
}
