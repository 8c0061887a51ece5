// The simple commands of a shell script, as words: enough of a shell for the examples of the documents.

/** What a document writes for something of the reader's: `<name>`. A shell would read a redirection. */
const PLACEHOLDER = /^<[^\s<>=]+>/;

/**
 * Quotes are taken off. `|`, `&&`, `;`, `&` and line ends part commands. Redirections, comments and here-documents are
 * left out. What a shell would insert stays as it is written, and the commands in `$(…)` are listed, too. Throws where a
 * quote is not closed.
 */
export function shellCommands(script: string): string[][] {
  return new ShellScript(script).commands();
}

class ShellScript {
  readonly #found: string[][] = [];
  #words: string[] = [];
  #word: string | undefined;
  /** The next word is the target of a redirection. */
  #redirects = false;
  /** The ends of the here-documents that begin with the next line. */
  #documents: string[] = [];
  #at = 0;

  constructor(private readonly script: string) {}

  commands(): string[][] {
    while (this.#at < this.script.length) this.#step();
    this.#endCommand();
    return this.#found;
  }

  #step(): void {
    const rest = this.script.slice(this.#at);
    const [character = ''] = rest;
    const [placeholder] = PLACEHOLDER.exec(rest) ?? [];
    if (placeholder !== undefined) this.#add(placeholder, placeholder.length);
    else if (rest.startsWith('\\\n')) this.#at += 2;
    else if (character === '\\') this.#add(rest.slice(1, 2), 2);
    else if (character === "'") this.#single(rest);
    else if (character === '"') this.#double();
    else if (rest.startsWith('$(')) this.#insert();
    else if (character === '#' && this.#word === undefined) this.#at += /^[^\n]*/.exec(rest)?.[0].length ?? 0;
    else if (character === '<' || character === '>') this.#redirect(rest);
    else if (character === '\n') this.#endLine();
    else if (/[ \t]/.test(character)) this.#skip(() => this.#endWord());
    else if (/[|&;()]/.test(character)) this.#skip(() => this.#endCommand());
    else this.#add(character, 1);
  }

  #add(text: string, length: number): void {
    this.#word = (this.#word ?? '') + text;
    this.#at += length;
  }

  #skip(end: () => void): void {
    end();
    this.#at++;
  }

  #single(rest: string): void {
    const end = rest.indexOf("'", 1);
    if (end < 0) throw new Error(`a ' is not closed: ${rest.slice(0, 60)}`);
    this.#add(rest.slice(1, end), end + 1);
  }

  #double(): void {
    const start = this.#at++;
    this.#word ??= '';
    for (;;) {
      const character = this.script[this.#at];
      if (character === undefined)
        throw new Error(`a " is not closed: ${this.script.slice(start, start + 60)}`);
      if (character === '"') break;
      if (character === '\\') this.#add(this.script[this.#at + 1] ?? '', 2);
      else if (this.script.startsWith('$(', this.#at)) this.#insert();
      else this.#add(character, 1);
    }
    this.#at++;
  }

  /** `$(…)` and `$((…))`, up to the parenthesis that closes it. */
  #insert(): void {
    let depth = 0;
    let end = this.#at + 1;
    do {
      if (this.script[end] === '(') depth++;
      if (this.script[end] === ')') depth--;
      end++;
    } while (depth > 0 && end < this.script.length);
    const text = this.script.slice(this.#at, end);
    if (!text.startsWith('$((')) this.#found.push(...shellCommands(text.slice(2, -1)));
    this.#add(text, text.length);
  }

  #redirect(rest: string): void {
    const [, document] = /^<<-?\s*['"]?(\w+)['"]?/.exec(rest) ?? [];
    // `2>`: the number is part of the redirection.
    if (/^\d*$/.test(this.#word ?? '')) this.#word = undefined;
    this.#endWord();
    if (document !== undefined) {
      this.#documents.push(document);
      this.#at += /^<<-?\s*['"]?\w+['"]?/.exec(rest)?.[0].length ?? 0;
      return;
    }
    this.#redirects = true;
    this.#at += /^[<>]{1,2}&?[ \t]*/.exec(rest)?.[0].length ?? 1;
  }

  #endWord(): void {
    if (this.#word !== undefined && !this.#redirects) this.#words.push(this.#word);
    if (this.#word !== undefined) this.#redirects = false;
    this.#word = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#words.length > 0) this.#found.push(this.#words);
    this.#words = [];
  }

  #endLine(): void {
    this.#skip(() => this.#endCommand());
    for (const end of this.#documents.splice(0)) {
      const line = new RegExp(`^\\t*${end}$`, 'm').exec(this.script.slice(this.#at));
      this.#at = line ? this.#at + line.index + line[0].length : this.script.length;
    }
  }
}
