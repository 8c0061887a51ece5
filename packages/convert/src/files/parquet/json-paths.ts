// Lists in the file's own metadata which text columns hold JSON. Other programs see text, as in most published training
// sets, and we read back exactly the values that were written.

const KEY = 'dragoman.json';

/** Names from the root of the schema to a leaf. */
export type SchemaPath = readonly string[];

interface KeyValue {
  key: string;
  value?: string;
}

export function jsonPathsEntry(paths: readonly SchemaPath[]): KeyValue {
  return { key: KEY, value: JSON.stringify(paths.map((path) => path.map(withoutMark))) };
}

/** Reads the paths. Anything but a list of paths was written by another program under our key, and is ignored. */
export function readJsonPaths(metadata: readonly KeyValue[] | undefined): Set<string> {
  const text = metadata?.find(({ key }) => key === KEY)?.value;
  try {
    const paths: unknown = JSON.parse(text ?? '[]');
    return new Set(Array.isArray(paths) ? paths.map((path) => JSON.stringify(path)) : []);
  } catch {
    return new Set();
  }
}

/** Removes a byte order mark, as hyparquet does (tables that were CSV once have one). */
function withoutMark(name: string): string {
  return name.startsWith('\ufeff') ? name.slice(1) : name;
}
