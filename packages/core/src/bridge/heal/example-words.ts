// The words around a call that make it an example or a mention: those that announce one on the line above, and text that
// goes on behind it as if nothing was called. The lists are short on purpose, and in English and Chinese.

/** What a line that announces an example ends with, before its colon. */
const announcing = [
  ...['for example', 'for instance', 'e.g.', 'eg', 'such as', 'something like', 'looks like', 'look like'],
  ...[
    'looks like this',
    'look like this',
    'like this',
    'like so',
    'like the following',
    'instead of',
    'rather than',
  ],
  ...['would be', 'would write', 'would say', 'would emit', 'would output', 'wrote', 'assistant'],
];
/** The same, unless a model says what it does: `Let me run the example:`. */
const naming = [
  ...['example', 'examples', 'example call', 'example output', 'example response', 'sample', 'sample call'],
  ...['syntax', 'format', 'template', 'snippet', 'illustration'],
];
const announcingChinese = [
  ...[
    '例如',
    '比如',
    '譬如',
    '举例',
    '举例来说',
    '如下所示',
    '示例如下',
    '例子如下',
    '格式如下',
    '格式为',
    '形如',
  ],
  ...['类似这样', '像这样', '写法如下', '写道', '而不是', '助手'],
];
const namingChinese = ['示例', '样例', '范例', '例子', '格式', '写法', '语法', '模板'];

/** What the label of an example begins with. */
const heads = /^(?:for example|for instance|example|examples|e\.g\.|sample)(?![\w-])/i;
const headsChinese = /^(?:例如|比如|譬如|示例|样例|范例|例子|举例|错误示范|正确示范|反例)/;
/** A label that is a line of its own without a colon. */
const alone = /^(?:(?:examples?|sample)(?: [0-9]{1,3})?|for example|for instance|e\.g\.)$/i;

/** A mention of the markup of calls: who explains how a call is written talks of its tags, who calls does not. */
const markup =
  /(?:xml tags|> tags|(?:within|inside|between|in) tags|(?:following|this|exact|same) (?:format|form|syntax|structure))(?!\w)|标签/i;
/** A tag of calls: `<tool_call>`, `</function>`. */
const callTag = /<\/?[a-z_]{0,20}>/gi;
const callWord = /tool|function|call|invoke/i;

/** The beginning of a line in which a model says what it does. */
const doing =
  /^(?:(?:now|next|then|first|finally|okay|ok|great|good|alright)[,.!]? )?(?:I(?!\w)|let me(?!\w)|let['’]s(?!\w)|[a-z]{2,16}ing(?!\w))|^(?:我|让我|现在|接下来|先|正在|下面我)/i;

/** Marks of headings, emphasis, lists and comments around a line. */
const marks = /^[\s#*_>/;%!-]{0,16}|[\s*_`#-]{0,8}$/g;

/** How much of a line is looked at. */
const LOOKED_AT = 160;

/** Whether a line announces an example: `For example:`, `### Example 2`, `The syntax looks like this:`, `例如：`. */
export function announcesExample(line: string): boolean {
  const whole = line.slice(0, LOOKED_AT).replace(marks, '');
  const end = line.slice(-LOOKED_AT).replace(marks, '');
  const isOpen = /[:：]$/.test(end);
  const isTitle = /^#|^\*\*/.test(line);
  const isDoing = doing.test(whole);
  if ((isOpen || isTitle || alone.test(whole)) && heads.test(whole)) return true;
  if (headsChinese.test(whole) && !/[。！？]$/.test(end)) return true;
  const words = end.replace(/[\s:：,，*_-]{1,8}$/, '').toLowerCase();
  if (announcingChinese.some((word) => words.endsWith(word))) return true;
  if (!isOpen && !isTitle) return false;
  if (endsWith(words, announcing)) return true;
  if (isDoing) return false;
  return mentionsMarkup(end) || endsWith(words, naming) || namingChinese.some((word) => words.endsWith(word));
}

function mentionsMarkup(text: string): boolean {
  if (markup.test(text)) return true;
  return text.match(callTag)?.some((tag) => callWord.test(tag)) ?? false;
}

function endsWith(words: string, endings: readonly string[]): boolean {
  return endings.some((word) => words.endsWith(word) && !isLetter(words.at(-word.length - 1)));
}

/** Whether a line that announces an example is its label, which holds for its paragraph: `Example 1 (delete):`. */
export function labelsExample(line: string): boolean {
  const whole = line.slice(0, LOOKED_AT).replace(marks, '');
  return heads.test(whole) || headsChinese.test(whole);
}

/** The lines of a transcript: of the person who asks, and of the model that answers. */
export const asking = /^[*_ ]{0,4}(?:user|human|用户|问)[*_ ]{0,4}[:：]/i;
export const answering = /^[*_ ]{0,4}(?:assistant|model|ai|bot|助手|模型|答)[*_ ]{0,4}[:：]/i;

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_-]/u.test(character);
}

/** A remark of a model that waits for what it called, or goes on to its next call. */
const remark =
  /^(?:(?:now|then|next|once|after|while|when),? )?(?:I(?![\w])|I['’]|let me(?!\w)|let['’]s(?!\w))|^(?:waiting|please wait|one moment)(?!\w)|^(?:我|让我|请稍|稍等|等待|正在|现在我|接下来我)/i;

/** The longest line that is a remark (`Done.`) and no text that goes on. A Chinese character counts as three. */
const SHORT = 48;

/** The text behind a call, up to the next call or the end. */
export class TextBehind {
  #first = '';
  #lines = 0;
  #continues = false;

  /** Adds a line. `beside`: it begins on the line on which the call ends. */
  add(line: string, beside: boolean): void {
    const text = line.slice(0, 4 * LOOKED_AT).trim();
    if (beside && /^[\p{Ll},;.)\]"'|，；。）」、]/u.test(text)) this.#continues = true;
    const words = text.replace(/^[\s*_#>()0-9.-]{1,16}/, '');
    if (!/^[`"'“‘「（]?\p{L}/u.test(words)) return;
    if (this.#lines++ === 0) this.#first = words;
  }

  get isEmpty(): boolean {
    return this.#lines === 0;
  }

  /** Whether the text goes on as if nothing was called. */
  get goesOn(): boolean {
    if (this.#continues) return true;
    if (this.#lines === 0 || remark.test(this.#first)) return false;
    return this.#lines > 1 || widthOf(this.#first) > SHORT;
  }
}

function widthOf(text: string): number {
  return text.length + 2 * (text.match(/[\u2e80-\u9fff]/g)?.length ?? 0);
}
