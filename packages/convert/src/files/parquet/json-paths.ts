// Which text columns of a file hold JSON: said in the file's own metadata, so that others see text, as in most
// published training sets, and we read back the very values that were written.

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

/** What is no list of paths is what somebody else wrote under our key, and says nothing. */
export function readJsonPaths(metadata: readonly KeyValue[] | undefined): Set<string> {
  const text = metadata?.find(({ key }) => key === KEY)?.value;
  try {
    const paths: unknown = JSON.parse(text ?? '[]');
    return new Set(Array.isArray(paths) ? paths.map((path) => JSON.stringify(path)) : []);
  } catch {
    return new Set();
  }
}

/** hyparquet reads names without a byte order mark in front (tables that were CSV once have one). */
function withoutMark(name: string): string {
  return name.startsWith('\ufeff') ? name.slice(1) : name;
}
