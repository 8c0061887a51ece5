// Conversations in OpenAI's shape, with a place for hostile text.

/** The places that a client, a tool or a model's earlier turn can fill. */
export const PLACES = [
  'system',
  'user',
  'reasoning',
  'answer',
  'key',
  'value',
  'list',
  'result',
  'description',
  'property',
  'choice',
  'id',
  'last',
] as const;
export type Place = (typeof PLACES)[number];

/** Makes a conversation with text in every place; `x` where none is given. */
export function conversationWith(at: Partial<Record<Place, string>>) {
  const text = (place: Place) => at[place] ?? 'x';
  const id = `call_${text('id')}`;
  const key = `k${text('key')}`;
  const property = `p${text('property')}`;
  const parameters = {
    type: 'object',
    properties: {
      [property]: { type: 'string', description: text('description'), enum: [text('choice')] },
    },
  };
  return {
    tools: [{ type: 'function', function: { name: 'f', description: text('description'), parameters } }],
    messages: [
      { role: 'system', content: text('system') },
      { role: 'user', content: text('user') },
      {
        role: 'assistant',
        reasoning_content: text('reasoning'),
        content: text('answer'),
        tool_calls: [
          {
            id,
            type: 'function',
            function: {
              name: 'f',
              arguments: JSON.stringify({ [key]: text('value'), list: [text('list')] }),
            },
          },
        ],
      },
      { role: 'tool', tool_call_id: id, content: text('result') },
      { role: 'user', content: text('last') },
    ],
  };
}

/** The same text in every place. */
export const everywhere = (text: string) =>
  conversationWith(Object.fromEntries(PLACES.map((place) => [place, text])));
