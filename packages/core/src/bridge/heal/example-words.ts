// The words above a call that make it an example. Who announces an example ends the line with a colon, and so does who
// says what is done next. The last sentence of the line tells the two apart: it is a doing of the speaker, or it is not.
//
//   For example:                    Let me look at the example:                  查看示例：
//   The format is as follows:       Perfect! Now I'll check the format:          好的，我来查看示例：
//   ^ what follows is shown         ^ what follows is done                       ^ done, too
//
// The sentence is read by its shape (who acts, where a clause begins, what the line ends with), and the lists are short.
// They are in English and Chinese; of other languages only the first person is known, and of three the gerund.

/** How much of a line is looked at: sentences that say what is done next may be long. */
const LOOKED_AT = 480;

/** Marks of headings, emphasis, lists and comments around a line. */
const marks = /^[\s#*_>/;%!-]{0,16}|[\s*_`#-]{0,8}$/g;

/** The last words, before its colon, of a line that announces an example: `The call looks like this:`, `格式如下：`. */
const showing =
  /(?:^|[^\p{L}\p{N}_-])(?:for (?:example|instance)|e\.g\.?|i\.e\.?|such as|(?:looks? |something )?like(?: this| so| the following)?|as follows|instead of|rather than|is|are|be|with|of|(?:says?|writes?|wrote|emits?|outputs?|returns?|returned|contains?|responds?|answers?|replies|reply|assistant)(?: this)?)$|(?:例如|比如|譬如|如下|所示|形如|这样的?|为|是|道|着|而不是|助手)$/iu;
/** What a line that announces an example ends with even without a colon. */
const showingAlone =
  /(?:^|\s)(?:looks? like this|like (?:this|so)|as follows|writes|emits)$|(?:例如|比如|譬如)说?$|(?:如下|所示|像这样|类似这样|格式为|形如|写道)$/i;
/** What the last word of a title, or of a line that names what it shows, is; not the end of a name: `.env.example`. */
const naming =
  /(?:^|[^\p{L}\p{N}_.-])(?:examples?|samples?|syntax|formats?|templates?|snippet|illustration|demo|usage|structure|schema|outputs?|responses?|contents?|results?|(?:example|sample) (?:call|output|response))$|(?:示例|样例|范例|範例|例子|格式|写法|语法|模板|样板|方法|方式|用法|代码|内容|结果)$/iu;

/** The label of an example, as the start of a line: `Example 2 (delete):`, `(Example)`, `示例 1：…`. */
const label =
  /^[（(]?(?:for example|for instance|(?:usage )?examples?|e\.g\.|i\.e\.|samples?|例|例如|比如|譬如|比方|示例|样例|范例|範例|例子|反例|举例(?:来说)?|(?:错误|正确)?示范|(?:调用|使用|代码|参考|输出|輸出)(?:示例|样例|例子|範例|范例))说?(?: (?:calls?|outputs?|responses?|usage))?\s?[0-9]{0,3}[)）]?(?:$|[:：（—–]|\s[（(—–-])/i;
/** The same, of a line that ends with a colon or is a title. */
const labelOpen =
  /^(?:for example|for instance|examples?|e\.g\.|samples?)(?: (?:calls?|outputs?|of|for|with|to|using|code)(?!\w)|,)|^(?:例如|比如|譬如|示例|样例|范例|範例|例子)(?:[，,对]|$)/i;
/** A sentence that says that an example follows, or is what follows: `Here is an example.`, `下面是一个例子。` */
const presents =
  /^(?:here|this|below|the following)(?:['’]s| is| are) (?:an?|one|some|another) (?:\w{1,16} ){0,3}(?:example|sample)(?!\w)|^(?:下面|以下|如下)(?:就)?(?:是|为|给出)[^，,]{0,24}(?:例子|示例|样例|范例|範例|格式)/i;
/** An example that is looked at, but not one that was known: `First, an example`, `来看一个例子`. */
const someExample =
  /(?:^|\s)(?:an?|one|another) (?:\w{1,16} )?(?:example|sample)$|一个[^，,]{0,8}(?:例子|示例|样例)$/i;

/** Labels that agents put above what they call, and keys: `Action:`, `Tool call:`, `content:`. */
const callLabel =
  /^(?:[Aa]ctions?|(?:[Tt]ool|[Ff]unction)(?: (?:calls?|use|request))?|工具调用|函数调用|行动|动作|操作|[a-z_][\w.-]{0,40})$/;

// --- who acts ------------------------------------------------------------------------------------------------

/** The speaker acts, at the start of a clause or behind what it is for: `I`, `let me`, `so we`. */
const firstPerson =
  /(?:^|[\s,:(–—-])(?:I|[Ww]e|[Ll]et (?:me|us)|[Ll]et['’]s)(?:['’](?:ll|m|ve|re|d(?= (?:like|rather|better))))?(?=\s)/;
/** A sentence about a thing, in which the speaker acts only in a clause of its own: `The call I make is:`. */
const aboutThing = /^(?:the|this|that|an?|here|these|those|what|below)(?!\w)/i;
const ownClause =
  /(?:,|;|:| and| so| then| now|[–—-]) (?:now |then |so )?(?:I|we|let me|let['’]s)(?=['’\s])/i;
/** What the speaker only would do, did, or explains. */
const notNow =
  /(?:^|\s)(?:I|we)(?: \w{1,12}ly| already| once)? (?:would(?! like)|could|might|had to|wrote|said|sent|called|used|answered|replied)(?!\w)|(?:^|\s)(?:suppose|imagine)(?!\w)|(?:show|illustrate|demonstrate|explain)(?: you)? (?:what|how|an?)(?!\w)/i;
/** What comes next in a row of steps: `Now the second`, `Next step: read it`, `Time to check`. */
const inSequence = /^(?:and )?(?:now|next|first|then|finally|lastly|second|third|also|time to|step)(?!\w)/i;
/** `Checking the file`, but not `Following is`, `Warning`. */
const gerund =
  /^(?:(?:now|next|then|first|finally|okay|ok|so|great|good|alright)[,.!]? )?(?!following|according|including|depending|regarding|assuming|during|nothing|something|anything|everything|warning|heading|meaning|string|thing|setting|wording|encoding)[a-z]{2,16}ing(?:$| (?!is |are ))/i;
/** What was asked for is given: `Here is the lookup`. */
const given =
  /(?:^|[,.!] )here(?:['’]s| is| are| comes) (?:the|my|your)(?! (?:\w{1,16} ){0,2}(?:syntax|format|structure|schema|template|example|sample|output)s?(?!\w))(?!\w)/i;
/** The first person of other languages. */
const otherPerson =
  /(?:^|[\s,])(?:je|ich|lass|voy|vamos|déjame|permíteme|vou|deix[ae]|vediamo|я|давайте|сейчас)(?:[\s,]|$)|(?:^|[\s,])j['’]|(?:ます|ましょう|してみる|겠습니다|할게요)$/i;

/** The same as a gerund, of Portuguese, Spanish and Italian: `Verificando o ficheiro`. */
const otherGerund =
  /^(?!quando|cuando|comando|seguindo|siguiendo|seguendo|inclu|depend|sendo|siendo|essendo|resultando)\p{L}{1,16}[aei]ndo \p{L}/iu;

const ownChinese = /让我|咱们|我们?(?!们|的|写|说|之前|刚才)/;
const notNowChinese = /假设|假如|如果我|(?:这样|如下)(?:写|调用|说|输出|回复)?$/;
/** What may stand before the verb of a Chinese clause. */
const beforeVerb =
  /^(?:好的?|嗯|那么?|现在|接下来|首先|然后|接着|下面|正在|开始|继续|需要|下一步|马上|立即|立刻|[为帮给][你您]|同时|最后|因此|于是|[先再将会要来去就还也并]){1,6}/;
/** A clause without a subject that begins with what is done: `检查格式`. */
const looks =
  /^(?:[查看读检搜找试]|列出|打开|获取|浏览|确认|分析|运行|执行|创建|新建|修改|更新|修复|写入|下载|尝试|访问|启动|重新|再次|了解|验证|添加|保存|定位)(?![前后的]|之[前后]|结果|过程|说明|日志|记录)/;
/** The same, unless the line ends with the name of a thing: `调用工具`, but `调用方法`. */
const uses =
  /^(?:调用|使用|用(?![户法途例])|测试|计算|提交|删除|安装|发送|请求|比较|重写|改写|拆分|扩写|补充|撰写|编写|增强|实现|转换|替换|移除|整理|优化|调整|合并|完善|重构|清理|部署)(?![前后的]|之[前后]|结果|过程|说明|日志|记录)/;

/** Whether a line announces an example: `For example:`, `### Example 2`, `The syntax looks like this:`, `例如：`. */
export function announcesExample(line: string): boolean {
  const end = line.slice(-LOOKED_AT).replace(marks, '');
  const words = end.replace(/[\s:：,，。*_-]{1,8}$/, '');
  const sentence = lastSentence(words);
  const isOpen = /[:：]$/.test(end);
  if (labelsExample(line)) return !(isOpen && isOwn(sentence));
  if (isOpen) return sentence !== '' && !callLabel.test(words) && !isDoing(sentence);
  if (/^#|^\*\*/.test(line) && naming.test(words)) return true;
  if (presents.test(sentence)) return !isOwn(sentence);
  return showingAlone.test(words) && !isOwn(sentence);
}

/** Whether a line is the label of an example, which holds for its paragraph: `Example 1 (delete):`. */
export function labelsExample(line: string): boolean {
  const whole = line.slice(0, LOOKED_AT).replace(marks, '');
  if (label.test(whole)) return true;
  return /[:：][*_\s]{0,4}$|^#|^\*\*/.test(line) && labelOpen.test(whole);
}

/** The last sentence of words, and of a sentence with a dash in it what is behind it. */
function lastSentence(words: string): string {
  return words.split(/[.!?] |[。！？；]| [–—-] /).at(-1) ?? '';
}

function isDoing(sentence: string): boolean {
  if (isOwn(sentence)) return true;
  if (someExample.test(sentence) || notNowChinese.test(sentence)) return false;
  const ofThing = naming.test(sentence);
  if (given.test(sentence)) return !ofThing;
  if (showing.test(sentence)) return false;
  const clauses = sentence.split(/[，,]/).map((one) => one.trim().replace(beforeVerb, ''));
  const last = clauses.at(-1) ?? '';
  if (inSequence.test(sentence) || gerund.test(sentence) || otherGerund.test(sentence)) return true;
  if (looks.test(last)) return true;
  // What is done may stand first, and how it is done behind it: `修改实验的描述，让它更简洁`.
  return !ofThing && [clauses[0] ?? '', last].some((clause) => uses.test(clause) || looks.test(clause));
}

/** Whether the speaker is named and acts, which outweighs how the line ends: `Let me see what it looks like`. */
function isOwn(sentence: string): boolean {
  if (ownChinese.test(sentence)) return !notNowChinese.test(sentence);
  if (notNow.test(sentence)) return false;
  if (otherPerson.test(sentence)) return true;
  return aboutThing.test(sentence) ? ownClause.test(sentence) : firstPerson.test(sentence);
}

/** A line between two rules that names an example, as prompts have them: `----- START OF EXAMPLE -----`. */
const ruledTitle = /^[-=]{3,200} ?([\p{L}\p{N}][\p{L}\p{N} ]{1,60})[-=]{3,200}$/u;
const ruledExample =
  /^(?:(?:start|begin(?:ning)?|end) (?:of )?)?(?:the |an? )?examples?(?: [0-9]{1,3})?(?: (?:starts?|begins?|ends?))?$|^(?:示例|例子|范例|样例) ?[0-9]{0,3}(?:开始|结束)?$/i;
const ruledEnd = /^end(?!\w)|ends?$|结束$/i;

/** What a line between two rules does: it opens or closes an example, or is another title; undefined for other lines. */
export function ruledLine(line: string): 'opens' | 'closes' | 'title' | undefined {
  const title = ruledTitle.exec(line)?.[1]?.trim().replace(/^the /i, '');
  if (title === undefined) return undefined;
  if (!ruledExample.test(title)) return 'title';
  return ruledEnd.test(title) ? 'closes' : 'opens';
}

/** The lines of a transcript: of the person who asks, and of the model that answers. Or those of a prompt, by its tokens. */
export const asksByName = /^[*_ ]{0,4}(?:user|human|q|用户|问)[*_ ]{0,4}[:：]/i;
export const answersByName = /^[*_ ]{0,4}(?:assistant|model|ai|bot|a|助手|模型|答)[*_ ]{0,4}[:：]/i;
export const asksByToken =
  /<\|(?:im_start\|>|start_header_id\|>|start\|>)?(?:user|human)(?!\w)|<start_of_turn>user|\[INST\]/i;
export const answersByToken =
  /<\|(?:im_start\|>|start_header_id\|>|start\|>)?assistant(?!\w)|<start_of_turn>model|\[\/INST\]/i;
