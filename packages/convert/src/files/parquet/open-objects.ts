// Names of members whose objects have keys of their own: arguments of calls and schemas of tools. A table that holds
// them as structs merges the keys of all rows.

const NAMES = new Set(['arguments', 'args', 'input', 'parameters']);

/** Whether the member holds arguments or a schema, in the words of any API. */
export function isOpen(name: string): boolean {
  return NAMES.has(name) || name.toLowerCase().endsWith('schema');
}
