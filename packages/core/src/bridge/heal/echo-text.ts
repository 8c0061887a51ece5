// Whether a call was copied from the input of the request, however the input spells it.
//
//   <tool_call>\n{"name": …        {"page":"<tool_call>\\n{\"name\": …        &lt;tool_call&gt;{"name":…
//   ^ the call                     ^ in a JSON string                         ^ in HTML, compact
//
// Both are brought to one spelling first: without white space and escapes.

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'" };

/** Shorter texts occur anywhere. */
const SHORTEST = 8;

export class EchoText {
  readonly #text: string;
  #plain: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  has(source: string): boolean {
    if (this.#text === '') return false;
    const plain = plainOf(source);
    if (plain.length <= SHORTEST) return false;
    this.#plain ??= plainOf(this.#text);
    return this.#plain.includes(plain);
  }
}

function plainOf(text: string): string {
  return text
    .replaceAll('&amp;', '&')
    .replace(/&(?:(lt|gt|quot|apos)|#([0-9]{2,3})|#x([0-9a-f]{2}));/gi, (_, name, decimal, hexadecimal) =>
      name
        ? (entities[name.toLowerCase()] ?? '')
        : String.fromCharCode(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)),
    )
    .replace(/\\(?:u00([0-9a-f]{2})|[nrt])?/gi, (_, code) =>
      code ? String.fromCharCode(Number.parseInt(code, 16)) : '',
    )
    .replace(/\s/g, '');
}
