// Finds secrets in a text in one pass: a trie of their first characters, so that the cost of a character does not grow
// with the number of secrets.

/** The depth of the trie. Longer secrets are compared whole from there. */
const DEPTH = 32;

interface Node {
  next: Map<number, Node>;
  /** The number of secrets below: at zero the branch is removed. */
  count: number;
  /** The secrets that end at this node. */
  secrets: Set<string>;
}

export class SecretSet {
  readonly #root = newNode();

  add(secret: string): void {
    const path = this.#path(secret);
    const last = path.at(-1);
    if (!last || last.secrets.has(secret)) return;
    for (const node of path) node.count++;
    last.secrets.add(secret);
  }

  delete(secret: string): void {
    const path = this.#path(secret);
    if (!path.at(-1)?.secrets.delete(secret)) return;
    path.forEach((node, depth) => {
      node.count--;
      if (node.count === 0) path[depth - 1]?.next.delete(secret.charCodeAt(depth - 1));
    });
  }

  /** The next place where a secret could begin, or the end. */
  next(text: string, from: number): number {
    const { next } = this.#root;
    if (next.size === 0) return text.length;
    let at = from;
    while (at < text.length && !next.has(text.charCodeAt(at))) at++;
    return at;
  }

  /** The length of the longest secret that stands here, or 0. `lead` stands before `text` from `at`. */
  longestAt(text: string, at: number, lead = ''): number {
    let node: Node | undefined = this.#root;
    let longest = 0;
    for (let depth = 0; node; depth++) {
      for (const secret of node.secrets) {
        if (secret.length > longest && standsAt(secret, text, at, lead)) longest = secret.length;
      }
      const code: number =
        depth < lead.length ? lead.charCodeAt(depth) : text.charCodeAt(at + depth - lead.length);
      node = node.next.get(code);
    }
    return longest;
  }

  /** From the root on, made where it is not there yet. */
  #path(secret: string): Node[] {
    let node = this.#root;
    const path = [node];
    for (let depth = 0; depth < Math.min(secret.length, DEPTH); depth++) {
      const code = secret.charCodeAt(depth);
      const next = node.next.get(code) ?? newNode();
      node.next.set(code, next);
      node = next;
      path.push(node);
    }
    return path;
  }
}

function newNode(): Node {
  return { next: new Map(), count: 0, secrets: new Set() };
}

function standsAt(secret: string, text: string, at: number, lead: string): boolean {
  if (lead === '') return text.startsWith(secret, at);
  return secret.startsWith(lead) && text.startsWith(secret.slice(lead.length), at);
}
