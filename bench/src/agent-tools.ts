// Tools as a coding agent has them: some ten properties each, with objects and lists three levels deep.

const WORDS = [
  ...['path', 'query', 'limit', 'offset', 'recursive', 'encoding', 'filter', 'mode', 'owner', 'label'],
  ...['branch', 'title', 'body', 'state', 'since', 'until', 'page', 'sort', 'order', 'direction'],
  ...['assignee', 'milestone', 'region', 'timeout', 'retries', 'format', 'depth', 'include', 'exclude'],
  ...['pattern', 'replacement', 'dry_run', 'verbose', 'tags', 'metadata', 'options', 'range', 'user'],
];

const word = (n: number) => WORDS[n % WORDS.length] as string;

/** A new list of new objects at each call; the same content for the same `seed`. */
export function agentTools(count: number, seed = 0): object[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `${word(n + seed)}_${n}`,
    description: `Does the ${n}th thing with a ${word(n)}. Read the ${word(n + 1)} first.`,
    parameters: objectSchema(n + seed, 10, 2),
  }));
}

function objectSchema(seed: number, count: number, depth: number): object {
  const entries = Array.from({ length: count }, (_, n): [string, object] => {
    const key = word(seed * 7 + n * 3) + (n > 5 ? `_${n}` : '');
    return [key, isNested(n, count, depth) ? inner(seed + n, n % 2 === 0, depth - 1) : leaf(seed + n)];
  });
  const properties = Object.fromEntries(entries);
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).slice(0, 2),
    ...(seed % 3 === 0 && { additionalProperties: false }),
  };
}

/** The last two properties of a tool are nested, and the last one of those. */
function isNested(n: number, count: number, depth: number): boolean {
  return depth > 0 && n >= count - depth;
}

function inner(seed: number, isList: boolean, depth: number): object {
  const schema = objectSchema(seed, 3, depth);
  return isList ? { type: 'array', items: schema } : schema;
}

function leaf(n: number): object {
  const kinds = [
    { type: 'string', description: `The ${word(n)} of the request, as text.` },
    { type: 'integer', minimum: 0, maximum: 100 + n },
    { type: 'boolean', default: false },
    { type: 'string', enum: ['open', 'closed', 'all', 'merged', `v${n}`] },
    { type: 'number', description: 'A number of seconds.' },
    { type: 'array', items: { type: 'string' }, maxItems: 20 },
  ];
  return kinds[n % kinds.length] as object;
}
