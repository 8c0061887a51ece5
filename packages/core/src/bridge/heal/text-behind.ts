// The text behind a call, up to the next call or the end: a model that called waits, and one that explains goes on.
//
//   ●                                    ●                                       ●
//   I will tell you when it is in.       I hope this shows the format.           I'll go through it line by line.
//   ^ a remark                           ^ about what was shown                  The first line opens the call. …
//                                                                                ^ the remark is over: text goes on

import { asksByName, ruledLine } from './example-words.js';
import { isTemplateLine } from './shown-blocks.js';

/** The speaker acts or waits: `I will tell you.`, `Once it is in, let me …`, `我会告诉你。` */
const own =
  /^(?:(?:[Nn]ow|[Tt]hen|[Nn]ext|[Oo]nce|[Aa]fter|[Ww]hile|[Ww]hen),? )?(?:I['’ ]|[Ll]et me(?!\w| know)|[Ll]et['’]s(?!\w))|^(?:我(?!们)|让我(?!们)|请稍|稍等|等待|正在|现在我|接下来我)/;
const waiting = /^(?:waiting|please wait|one moment)(?!\w)|\swhile I\s/i;
/** What comes once the result is there, and what the speaker does with it: `Once it is in, we can plan.` */
const outlook = /^(?:once|when|after|as soon as|this (?:will|should))(?!\w)/i;
const speaker = /\s(?:I|we)(?:['’](?:ll|m|re))?(?=\s)/i;
const outlookChinese = /告诉[你您]|为[你您]|请(?:耐心|稍)/;
/** What the speaker only would do, did, or thinks of what was shown. */
const notNow =
  /^(?:\w{2,6},? )?I(?:['’]d|(?: \w{2,12}ly| just| have| already)? (?:would|could|might|think|mean|believe|recommend|suggest|prefer|wrote|said|sent|used|showed|shown|put|gave|marked|left|assume|omit))(?!\w)/;
/** An explanation, or its subject: what a model says of a call that it shows. */
const explains =
  /(?:^|\W)(?:explain|explanation|illustrate[sd]?|illustrating|illustration|demonstrate[sd]?|demonstrating|demonstration|walk (?:you )?through|go (?:over|through)|break (?:it|this|that) down|line by line|step by step|syntax|placeholders?|the (?:above|format|structure|snippet|markup))(?!\w)/i;
const explainsChinese = /解释|说明|逐行|含义|意思|格式|写法|语法|上面/;
/** A word about the call that was shown: `This is just an example.`, `以上是示例。` */
const pointing = /^(?:this|that|these|those|the above|above|it|just|only|\^|以上|上面|上述|这|仅)/i;
const example = /(?:^|\W)(?:examples?|sample|illustration|demo)(?!\w)|示例|例子|样例|范例|範例|示范|演示/i;

/** How much of a line is looked at. */
const LOOKED_AT = 640;
/** The longest line that is no text that goes on: `Done.` A Chinese character counts as three. */
const SHORT = 48;

export class TextBehind {
  /** The first line that is no remark. */
  #first = '';
  #isEmpty = true;
  /** Lines that are no remarks. */
  #lines = 0;
  #continues = false;

  /** `isAnswer`: a line before has the name of the model, so that one with the name of a person makes a transcript. */
  constructor(readonly isAnswer = false) {}

  /** Adds a line. `beside`: it begins on the line on which the call ends. */
  add(line: string, beside: boolean): void {
    const text = line.slice(0, LOOKED_AT).trim();
    if (isTemplateLine(text) || (beside && /^[\p{Ll},;.)\]"'|，；。）」、]/u.test(text)))
      this.#continues = true;
    if (namesExample(text) || (this.isAnswer && asksByName.test(text))) this.#continues = true;
    const words = text.replace(/^[\s*_#>()（0-9.\p{Emoji_Presentation}-]{1,16}/u, '');
    if (!/^[`"'“‘「（^[]?\s?\p{L}/u.test(words)) return;
    this.#isEmpty = false;
    if (isRemark(words)) return;
    if (this.#lines++ === 0) this.#first = words;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Whether the text goes on as if nothing was called. */
  get goesOn(): boolean {
    if (this.#continues) return true;
    if (this.#lines === 0) return false;
    return isAboutShown(this.#first) || this.#lines > 1 || widthOf(this.#first) > SHORT;
  }
}

/** A line between rules that opens or closes an example. */
function namesExample(line: string): boolean {
  const ruled = ruledLine(line);
  return ruled !== undefined && ruled !== 'title';
}

function isRemark(line: string): boolean {
  if (isAboutShown(line)) return false;
  if (own.test(line) || waiting.test(line) || outlookChinese.test(line)) return true;
  return outlook.test(line) && speaker.test(line);
}

function isAboutShown(line: string): boolean {
  if (pointing.test(line)) return example.test(line);
  return (
    own.test(line) &&
    (notNow.test(line) || explains.test(line) || explainsChinese.test(line) || example.test(line))
  );
}

function widthOf(text: string): number {
  return text.length + 2 * (text.match(/[\u2e80-\u9fff]/g)?.length ?? 0);
}
