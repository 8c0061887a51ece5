// Finds secrets in a text in one pass: a trie of their first characters, so that the cost of a character does not grow
// with the number of secrets. A node has branches only where many secrets go on from it: one for each character of each
// secret would take 10 KB of memory a secret.

/** The depth of the trie. Longer secrets are compared whole from there. */
const DEPTH = 32;

/** So many secrets are compared whole; more are told apart by their next character. */
const MANY = 8;

interface Node {
  depth: number;
  /** Absent where there are few secrets. */
  next: Map<number, Node> | undefined;
  /** The number of secrets below: at zero the branch is removed. */
  count: number;
  /** The secrets that end at this node, and where there are few, those that go on. */
  secrets: Set<string>;
}

export class SecretSet {
  /** Its branches are always there: they tell where a secret could begin. */
  readonly #branches = new Map<number, Node>();
  readonly #root: Node = { ...newNode(0), next: this.#branches };

  add(secret: string): void {
    const path = this.#path(secret, true);
    const last = path.at(-1);
    if (!last || last.secrets.has(secret)) return;
    for (const node of path) node.count++;
    last.secrets.add(secret);
    if (last.secrets.size > MANY && !last.next) divide(last);
  }

  delete(secret: string): void {
    const path = this.#path(secret, false);
    if (!path.at(-1)?.secrets.delete(secret)) return;
    path.forEach((node, depth) => {
      node.count--;
      if (node.count === 0) path[depth - 1]?.next?.delete(secret.charCodeAt(depth - 1));
    });
  }

  /** The next place where a secret could begin, or the end. */
  next(text: string, from: number): number {
    const next = this.#branches;
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
      node = node.next?.get(code);
    }
    return longest;
  }

  /** From the root to the node that has the secret, or would have it. `makes`: a branch that is not there is made. */
  #path(secret: string, makes: boolean): Node[] {
    const path = [this.#root];
    for (let node = this.#root; node.next && node.depth < secret.length; ) {
      const code = secret.charCodeAt(node.depth);
      const next = node.next.get(code) ?? (makes ? newNode(node.depth + 1) : undefined);
      if (!next) return path;
      node.next.set(code, next);
      node = next;
      path.push(node);
    }
    return path;
  }
}

function newNode(depth: number): Node {
  return { depth, next: undefined, count: 0, secrets: new Set() };
}

/** Gives each secret that goes on to a branch; those of one branch that are many are told apart there. */
function divide(node: Node): void {
  if (node.depth === DEPTH) return;
  const next = new Map<number, Node>();
  node.next = next;
  for (const secret of [...node.secrets]) {
    if (secret.length === node.depth) continue;
    const code = secret.charCodeAt(node.depth);
    const branch = next.get(code) ?? newNode(node.depth + 1);
    next.set(code, branch);
    branch.count++;
    branch.secrets.add(secret);
    node.secrets.delete(secret);
  }
  for (const branch of next.values()) if (branch.secrets.size > MANY) divide(branch);
}

function standsAt(secret: string, text: string, at: number, lead: string): boolean {
  if (lead === '') return text.startsWith(secret, at);
  return secret.startsWith(lead) && text.startsWith(secret.slice(lead.length), at);
}
