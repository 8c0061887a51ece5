// The text behind a call, up to the next call or the end: a model that called waits, and one that explains goes on.

/** A remark of a model that waits for what it called, or goes on to its next call. */
const remark =
  /^(?:(?:now|then|next|once|after|while|when),? )?(?:I(?![\w])|I['’]|let me(?!\w)|let['’]s(?!\w))|^(?:waiting|please wait|one moment)(?!\w)|^(?:我|让我|请稍|稍等|等待|正在|现在我|接下来我)/i;
/** What comes once the result is there, and what the speaker does with it: `Once it is in, we can plan.` */
const outlook = /^(?:once|when|after|as soon as|this (?:will|should))(?!\w)/i;
const speaker = /\s(?:I|we)(?:['’](?:ll|m|re))?(?=\s)/i;
const outlookChinese = /告诉[你您]|为[你您]|请(?:耐心|稍)/;
/** A word about the call that was shown: `This is just an example.`, `以上是示例。` */
const pointing = /^(?:this|that|these|those|the above|above|it|just|only|\^|以上|上面|上述|这|仅)/i;
const example = /(?:^|\W)(?:examples?|sample|illustration|demo)(?!\w)|示例|例子|样例|范例|範例|示范|演示/i;

/** How much of a line is looked at. */
const LOOKED_AT = 640;
/** The longest line that is a remark (`Done.`) and no text that goes on. A Chinese character counts as three. */
const SHORT = 48;

export class TextBehind {
  #first = '';
  #lines = 0;
  #continues = false;

  /** Adds a line. `beside`: it begins on the line on which the call ends. */
  add(line: string, beside: boolean): void {
    const text = line.slice(0, LOOKED_AT).trim();
    if (beside && /^[\p{Ll},;.)\]"'|，；。）」、]/u.test(text)) this.#continues = true;
    const words = text.replace(/^[\s*_#>()（0-9.-]{1,16}/, '');
    if (!/^[`"'“‘「（^]?\s?\p{L}/u.test(words)) return;
    if (this.#lines++ === 0) this.#first = words;
  }

  get isEmpty(): boolean {
    return this.#lines === 0;
  }

  /** Whether the text goes on as if nothing was called. */
  get goesOn(): boolean {
    if (this.#continues) return true;
    if (this.#lines === 0 || isRemark(this.#first)) return false;
    if (pointing.test(this.#first) && example.test(this.#first)) return true;
    return this.#lines > 1 || widthOf(this.#first) > SHORT;
  }
}

function isRemark(line: string): boolean {
  return remark.test(line) || outlookChinese.test(line) || (outlook.test(line) && speaker.test(line));
}

function widthOf(text: string): number {
  return text.length + 2 * (text.match(/[\u2e80-\u9fff]/g)?.length ?? 0);
}
