// Maps tool names to paths in JavaScript, and back.
//
//   SysBuiltIn.bash   is a path already        SysBuiltIn.bash
//   get_weather       goes under Tools         Tools.get_weather
//   get-weather       no identifier            Tools["get-weather"]
//   Tools.x           is not the tool x        Tools["Tools.x"]
//
// Every name has one path, and no two names share one: a name that is not split is the second of two segments, after
// `Tools`, and a name that is split never begins with `Tools`.

export const QUOTE_START = '!quote_start';
export const QUOTE_END = '!quote_end';
export const BLOCK_START = '!unquote_start';
export const BLOCK_END = '!unquote_end';

export const XNL_NAMESPACE = 'Tools';

/** Only ASCII: the set of other identifier characters differs between versions of Unicode. */
const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Words of strict JavaScript and TypeScript that cannot name a namespace or a function. */
const reserved = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export ' +
    'extends false finally for function if implements import in instanceof interface let new null package ' +
    'private protected public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

export function isIdentifier(text: string): boolean {
  return identifier.test(text);
}

/** Whether a function or a namespace may be declared by this name. */
export function isDeclarable(text: string): boolean {
  return isIdentifier(text) && !reserved.has(text);
}

export function toXnlSegments(name: string): string[] {
  const segments = name.split('.');
  const isPath = segments.length > 1 && segments[0] !== XNL_NAMESPACE && segments.every(isDeclarable);
  return isPath ? segments : [XNL_NAMESPACE, name];
}

/** The inverse of `toXnlSegments`. Other paths are read as the model probably means them. */
export function fromXnlSegments(segments: readonly string[]): string {
  const isOurs = segments.length > 1 && segments[0] === XNL_NAMESPACE;
  return (isOurs ? segments.slice(1) : segments).join('.');
}

/** Writes the path in JavaScript. Its strings are JSON, so that markers in them can be escaped later. */
export function toXnlPath(name: string): string {
  const [first = '', ...rest] = toXnlSegments(name);
  return (
    first + rest.map((segment) => (isIdentifier(segment) ? `.${segment}` : `[${quote(segment)}]`)).join('')
  );
}

/** Writes a JSON string that is also valid in every edition of JavaScript. */
export function quote(text: string): string {
  return escapeLineEnds(JSON.stringify(text));
}

/** Escapes line separators, which JSON strings may contain and JavaScript's could not before 2019. */
export function escapeLineEnds(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
