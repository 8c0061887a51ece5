// The elements that a text opened and has not closed, in any markup that looks like XML.
//
//   See this: <example>          <name> is missing.           <li>one
//   <tool_call>…                 <tool_call>…                 <tool_call>…
//   ^ in an element              ^ the tag is a noun          ^ its end may be left out
//
// An element that is certainly open shows what is in it. Where it may be none (a placeholder, a type, an element whose
// end may be left out), what is in it is shown only if it is closed behind it.

/** How many elements may be open at once. */
const MOST_OPEN = 64;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** HTML elements without an end. */
const endless = words('area base br col embed hr img input link meta param source track wbr');
/** Wrappers that a model puts around a call that it means. The markers of the dialect belong to them, too. */
const wrappers = words(
  'tool_call tool_calls toolcall toolcalls tool tools tool_use tool_code function function_call function_calls functions invoke call calls action answer response',
);
/** Elements whose end may be left out, and reasoning, whose end models forget. */
const mayEnd = words(
  'html head body p li dt dd tr td th thead tbody tfoot option colgroup rp rt think thinking thought thoughts reasoning analysis reflection scratchpad',
);
/** Words in angle brackets that stand for a value, unless they are alone on a line. */
const placeholders = words(
  'file filename name path url id key value string number int integer type token date text title user',
);

const tag = /<(\/?)(\p{L}[\p{L}\p{N}_.:-]{0,80})(?<!:)(?=[\s>/]|$)/gu;
/** The text behind a tag that is a word of a sentence. */
const sentence = /^[ \t]+[\p{Ll}\p{Script=Han}]|^[.,;!?:)'"`’”]/u;

export class OpenElements {
  readonly #open: string[] = [];
  /** What is open only if it is closed later: each with a number of its own. */
  readonly #perhaps = new Map<string, number>();
  #count = 0;

  /** `onClose` is told the number of what was perhaps open, when it is closed. */
  constructor(
    readonly markers: ReadonlySet<string>,
    readonly onClose: (opening: number) => void,
  ) {}

  get innermost(): string | undefined {
    return this.#open.at(-1);
  }

  /** The numbers of what is perhaps open. */
  get openings(): number[] {
    return [...this.#perhaps.values()];
  }

  /** Reads the tags of a line from a place on. `isWhole`: the line has no beginning that is not given. */
  read(line: string, from: number, isWhole: boolean): void {
    tag.lastIndex = from;
    // Where the next `>` is: looked for once, however many tags lack it.
    let end = 0;
    for (let found = tag.exec(line); found; found = tag.exec(line)) {
      const [, slash, written = ''] = found;
      const name = written.toLowerCase();
      if (end >= 0 && end < tag.lastIndex) end = line.indexOf('>', tag.lastIndex);
      if (slash === '/') this.#close(name);
      else if (line.charAt(end - 1) !== '/' && !isIgnored(name, this.markers)) {
        const front = line.slice(Math.max(0, found.index - LOOKED_AT), found.index);
        const isFirst = isWhole && (/^\s*$/.test(front) ? found.index <= LOOKED_AT : />\s{0,8}$/.test(front));
        this.#enter(name, {
          front,
          isFirst,
          behind: end < 0 ? undefined : line.slice(end + 1, end + LOOKED_AT),
        });
      }
    }
  }

  openPerhaps(key: string): void {
    if (this.#perhaps.size < MOST_OPEN || this.#perhaps.has(key)) this.#perhaps.set(key, ++this.#count);
  }

  /** Gives whether it was perhaps open. */
  closePerhaps(key: string): boolean {
    const opening = this.#perhaps.get(key);
    if (opening === undefined) return false;
    this.#perhaps.delete(key);
    this.onClose(opening);
    return true;
  }

  /** Closes the innermost element of this name, and with it what was opened inside it. */
  #close(name: string): void {
    const at = this.#open.lastIndexOf(name);
    if (at >= 0) this.#open.length = at;
    else this.closePerhaps(name);
  }

  #enter(name: string, place: TagPlace): void {
    // A tag without an end on its line goes on in the next, or is a comparison.
    if (place.behind === undefined && !place.isFirst) return;
    if (!isCertain(name, place)) this.openPerhaps(name);
    else if (this.#open.length < MOST_OPEN) this.#open.push(name);
  }
}

interface TagPlace {
  /** What is before the tag on its line, and behind it. Undefined: the tag does not end on this line. */
  front: string;
  behind: string | undefined;
  /** Nothing but tags is before it. */
  isFirst: boolean;
}

/** How much of a line before and behind a tag is looked at. */
const LOOKED_AT = 64;

function isIgnored(name: string, markers: ReadonlySet<string>): boolean {
  return endless.has(name) || wrappers.has(name) || markers.has(name);
}

function isCertain(name: string, { front, behind = '', isFirst }: TagPlace): boolean {
  if (mayEnd.has(name) || name.length === 1 || /\w$/.test(front) || sentence.test(behind)) return false;
  const rest = behind.trimStart();
  if (placeholders.has(name)) return isFirst && rest === '';
  return isFirst || rest === '' || rest.startsWith('<');
}

/** The names of the elements that the markers of a dialect open. */
export function namesOf(markers: Iterable<string>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const marker of markers)
    for (const [, , name = ''] of marker.matchAll(tag)) names.add(name.toLowerCase());
  return names;
}
