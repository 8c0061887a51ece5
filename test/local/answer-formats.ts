// Formats of structured output that a grammar holds.

/** An answer that is long for certain: a grammar asks for it. */
export const LONG = {
  type: 'json_schema' as const,
  json_schema: {
    name: 'numbers',
    strict: true,
    schema: {
      type: 'object',
      properties: { numbers: { type: 'array', items: { enum: [1] }, minItems: 40, maxItems: 40 } },
      required: ['numbers'],
      additionalProperties: false,
    },
  },
};

/** Any words, which a grammar makes long. */
export const words = {
  type: 'json_schema' as const,
  json_schema: {
    name: 'text',
    schema: {
      type: 'object',
      properties: { text: { type: 'string', minLength: 20, maxLength: 40 } },
      required: ['text'],
    },
  },
};
