// Declares a tool that a call names, with a schema that its arguments fit.

/** Gives the JSON text of the tools with one more. Tools that cannot be read are left out. */
export function declareTool(tools: string, name: string, raw: string): string {
  const declared = parsed(tools);
  const list = Array.isArray(declared) ? declared : [];
  return JSON.stringify([...list, { name, parameters: schemaOf(parsed(raw) ?? {}) }], null, 2);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function schemaOf(value: unknown): object {
  if (Array.isArray(value)) return { type: 'array', ...(value.length > 0 && { items: schemaOf(value[0]) }) };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (typeof value !== 'object' || value === null)
    return value === null || value === undefined ? {} : { type: typeof value };
  const properties = Object.entries(value).map(([key, member]) => [key, schemaOf(member)] as const);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
