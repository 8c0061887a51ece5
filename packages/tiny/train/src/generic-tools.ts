// Tools made of a verb and a noun with any parameters, and requests made of phrases: endless tools, plain language.

import { type Wordings, wordings } from './more-wordings.js';
import { BY_NAME, drawKind, type Kind, type Scalar, SWITCHED } from './parameters.js';
import type { Arguments, AskedTool, Property, Wish } from './requests.js';
import { wordingsFor } from './requests.js';
import { capital, type Values } from './values.js';
import { listOf, NUMBER_WORDS, NUMBER_WORDS_ZH, nounPairs, type Split } from './word-lists.js';

interface Verb {
  /** Verbs of one family are said in the same words: two tools for one noun would not be told apart. */
  family: string;
  names: readonly string[];
  about: Readonly<Record<'en' | 'zh', readonly string[]>>;
  said: Readonly<Record<'en' | 'zh', Wordings>>;
  questions?: Readonly<Record<'en' | 'zh', Wordings>>;
  /** What stands before the noun; `s`: the plural. */
  article: 'a' | 'the' | 's';
}

const bars = (text: string): string[] => listOf(text, /\s*\|\s*/);

const FAMILIES = [
  ['get', 'search', 'list', 'track', 'open', 'export'],
  ['create', 'order', 'book'],
  ['delete', 'cancel', 'stop'],
  ['send', 'move'],
];

function verb(
  names: string,
  article: Verb['article'],
  about: string,
  seen: string,
  unseen: string,
  aboutZh: string,
  seenZh: string,
  unseenZh: string,
): Verb {
  const [first = ''] = bars(names);
  return {
    family: FAMILIES.find((family) => family.includes(first))?.[0] ?? first,
    names: bars(names),
    article,
    about: { en: bars(about), zh: bars(aboutZh) },
    said: {
      en: wordings('verbs', first, 'en', bars(seen), bars(unseen)),
      zh: wordings('verbs', first, 'zh', bars(seenZh), bars(unseenZh)),
    },
  };
}

const QUESTIONS: NonNullable<Verb['questions']> = {
  en: wordings(
    'verbs',
    'question',
    'en',
    bars(
      "What is the {n}{p} | What's the {n}{p} | How is the {n}{p} | What are the {n}{p} | Do you know the {n}{p} | Which {n} is it{p} | {n}{p} | Tell me about the {n}{p} | What about the {n}{p} | I need the {n}{p} | I'd like the {n}{p} | Give me an update on the {n}{p} | How does the {n} look{p} | Is there any {n}{p} | I wonder what the {n} is{p}",
    ),
    bars(
      'Any idea about the {n}{p} | I am curious about the {n}{p} | Mind telling me the {n}{p} | So, the {n}{p}, how is it',
    ),
  ),
  zh: wordings(
    'verbs',
    'question',
    'zh',
    bars(
      '{p}的{n}是什么 | {n}怎么样，{p} | {p}，{n}如何 | {n}，{p} | 我想知道{n}，{p} | 告诉我{n}，{p} | {p}的{n}',
    ),
    bars('{n}咋样，{p} | 能说说{n}吗，{p}'),
  ),
};

const VERBS: readonly Verb[] = [
  {
    ...verb(
      'get|fetch|show|read|lookup|check',
      'the',
      'Get|Fetch|Look up|Return|Read|Show|Check',
      'get|show me|look up|tell me|fetch|give me|find out|check|retrieve|bring me|read|view|load',
      'pull up|let me see|I would like to know|dig out',
      '获取|查询|查看|读取',
      '查询|查一下|看看|获取|查看|找一下|告诉我',
      '瞧瞧|了解一下|调出',
    ),
    questions: QUESTIONS,
  },
  verb(
    'create|add|new|make',
    'a',
    'Create|Add|Make',
    'create|add|make|set up|generate|write up|open|start a new one: |register',
    'put together|prepare|come up with',
    '创建|新建|添加',
    '创建|新建|添加|建一个|生成|加一个',
    '弄一个|准备一个',
  ),
  verb(
    'delete|remove',
    'the',
    'Delete|Remove',
    'delete|remove|get rid of|drop|clear|wipe',
    'erase|throw away|discard',
    '删除|移除',
    '删除|删掉|移除|去掉|清除',
    '扔掉|抹掉',
  ),
  verb(
    'update|edit|change|set',
    'the',
    'Update|Change|Edit|Set',
    'update|change|edit|set|fix|revise|correct',
    'modify|adjust|amend',
    '更新|修改|设置',
    '更新|修改|改一下|设置|编辑',
    '调整|变更',
  ),
  verb(
    'send|share',
    'a',
    'Send|Share',
    'send|share|deliver|shoot over|mail out',
    'forward|pass on|hand over',
    '发送|分享',
    '发送|发|分享|发一个',
    '转发|递送',
  ),
  verb(
    'search|find',
    'a',
    'Search for|Find|Search',
    'search for|find|look for|search|locate|google',
    'hunt for|seek|track down',
    '搜索|查找',
    '搜索|查找|找|搜一下|寻找',
    '检索|翻找',
  ),
  verb(
    'list',
    's',
    'List|List all',
    'list|show|list all|show me|give me all|what are the|which are the',
    'enumerate|print out|run through',
    '列出|列出所有',
    '列出|列一下|显示所有|给我所有',
    '罗列|逐个列出',
  ),
  verb(
    'book|reserve',
    'a',
    'Book|Reserve',
    'book|reserve|get me|sign me up for',
    'secure|arrange|lock in',
    '预订|预约',
    '预订|订|预约|订一个',
    '定下|安排',
  ),
  verb(
    'cancel|abort',
    'the',
    'Cancel|Abort',
    'cancel|call off|abort|scrap|I no longer want',
    'revoke|undo|pull the plug on',
    '取消|中止',
    '取消|中止|不要了|退掉',
    '撤销|作废',
  ),
  verb(
    'start|run|launch',
    'the',
    'Start|Run|Launch',
    'start|run|launch|execute|fire up|turn on',
    'kick off|begin|get going with',
    '启动|运行',
    '启动|运行|开始|开启',
    '开动|跑起来',
  ),
  verb(
    'stop|pause',
    'the',
    'Stop|Pause',
    'stop|pause|halt|shut down|turn off|freeze',
    'end|suspend|bring to a stop',
    '停止|暂停',
    '停止|暂停|停下|关掉',
    '终止|停掉',
  ),
  verb(
    'order|buy',
    'a',
    'Order|Buy',
    'order|buy|purchase|get',
    'acquire|pick up',
    '订购|购买',
    '订购|购买|买|下单',
    '采购|入手',
  ),
  verb(
    'track|monitor|watch',
    'the',
    'Track|Monitor|Watch',
    'track|monitor|watch|keep an eye on|where is',
    'follow|observe',
    '跟踪|监控',
    '跟踪|监控|追踪|盯着',
    '关注|观察',
  ),
  verb(
    'calculate|compute',
    'the',
    'Calculate|Compute|Work out',
    'calculate|compute|work out|count up',
    'figure out|determine',
    '计算',
    '计算|算一下|算出',
    '求出|核算',
  ),
  verb(
    'open|display',
    'the',
    'Open|Show',
    'open|show|display|open up',
    'bring up|unfold',
    '打开|显示',
    '打开|显示|展示',
    '展开|亮出',
  ),
  verb(
    'rate|review',
    'the',
    'Rate|Review',
    'rate|review|score',
    'judge|assess',
    '评价|评分',
    '评价|打分|评分',
    '点评|评定',
  ),
  verb(
    'export|download|save',
    'the',
    'Export|Download|Save',
    'export|download|save|store a copy of',
    'dump|keep',
    '导出|下载|保存',
    '导出|下载|保存|存一下',
    '存档|另存',
  ),
  verb(
    'move|transfer',
    'the',
    'Move|Transfer',
    'move|transfer|migrate|send over',
    'shift|relocate',
    '移动|转移',
    '移动|转移|搬|挪动',
    '迁移|调动',
  ),
];

interface Parameter {
  name: string;
  kind: Kind;
  required: boolean;
  about: string;
  /** The name of the second of a pair. */
  pair?: { name: string; about: string };
  list?: boolean;
}

export function genericTool(values: Values, taken: Set<string>): AskedTool {
  const { random, split } = values;
  const action = random.pick(VERBS);
  const [noun, nounZh] = drawNoun(values);
  const name = toolName(values, random.pick(action.names), noun);
  const meant = `${action.family} ${noun}`;
  if (taken.has(name) || taken.has(meant)) return genericTool(values, taken);
  taken.add(name).add(meant);
  const parameters = drawParameters(values);
  // A noun that Chinese requests translate can be known only from the description, if it is not one of the training.
  const describedZh = values.language === 'zh' && (split !== 'train' || random.chance(0.75));
  const language = describedZh ? 'zh' : 'en';
  const properties: Record<string, Property> = {};
  const required: string[] = [];
  for (const { name: own, kind, about, pair, required: needed, list } of parameters) {
    properties[own] = property(kind, about, list === true);
    if (pair) properties[pair.name] = property(kind, pair.about, false);
    if (needed) required.push(own, ...(pair ? [pair.name] : []));
  }
  const described = language === 'zh' || random.chance(0.92);
  const description = described ? describe(values, action, noun, nounZh, language) : '';
  return {
    definition: {
      name,
      description,
      parameters: { type: 'object', properties, ...(required.length > 0 && { required }) },
    },
    subject: noun,
    required,
    wish: (options = {}) => wish(values, action, name, [noun, nounZh], parameters, options),
  };
}

function drawNoun(values: Values): [string, string] {
  const { random, split, language } = values;
  const known = random.pick(nounPairs(split));
  if (language === 'zh') return random.chance(0.8) ? known : [values.plainWord(), values.characters(2, 3)];
  const kind = random.next();
  if (kind < 0.45) return known;
  const noun =
    kind < 0.65
      ? values.plainWord()
      : kind < 0.75
        ? `${values.plainWord()} ${values.plainWord()}`
        : kind < 0.9
          ? `${values.plainWord()} ${known[0]}`
          : values.fake();
  return [noun, noun];
}

function toolName({ random }: Values, action: string, noun: string): string {
  const parts = random.chance(0.06) ? noun.split(' ') : [action, ...noun.split(' ')];
  const [first = '', ...rest] = parts;
  const style = random.next();
  if (style < 0.76) return parts.join('_');
  if (style < 0.92) return first + rest.map(capital).join('');
  return style < 0.96 ? [...rest, first].join('_') : parts.map(capital).join('');
}

function drawParameters(values: Values): Parameter[] {
  const { random, language } = values;
  const count = random.pick([0, 1, 1, 1, 2, 2, 2, 3, 3, 4]);
  const drawn: Parameter[] = [];
  const kinds = new Set<string>();
  const names = new Set<string>();
  while (drawn.length < count) {
    const kind = drawKind(values);
    const clash = (kind.id === 'time' || kind.id === 'date') && kinds.has('minutes');
    if (kinds.has(kind.id) || clash) continue;
    const camel = !kind.generic && random.chance(0.15);
    const chosen = random.pick(kind.names);
    const name = camel ? chosen.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) : chosen;
    const pairName = kind.pair && random.pick(kind.pair.names);
    if (names.has(name) || (pairName && (names.has(pairName) || pairName === name))) continue;
    kinds.add(kind.id);
    names.add(name);
    if (pairName) names.add(pairName);
    const described = random.chance(0.8);
    const zh = language === 'zh' && random.chance(0.75) ? 'zh' : 'en';
    const about = described ? random.pick(kind.about[zh]) : '';
    const list = kind.type === 'string' && kind.generic && !kind.choices && random.chance(0.35);
    drawn.push({
      name,
      kind: list ? { ...kind, quoted: 0 } : kind,
      required: random.chance(0.7),
      about,
      ...(kind.pair && pairName
        ? { pair: { name: pairName, about: described ? random.pick(kind.pair.about[zh]) : '' } }
        : {}),
      ...(list ? { list } : {}),
    });
  }
  const [first] = drawn;
  if (first && !drawn.some(({ required }) => required) && random.chance(0.6)) first.required = true;
  return drawn;
}

function property({ type, choices }: Kind, about: string, list: boolean): Property {
  return {
    type: list ? 'array' : type,
    ...(about !== '' && { description: about }),
    ...(list && { items: { type: 'string' } }),
    ...(choices && { enum: [...choices] }),
  };
}

function describe(values: Values, action: Verb, noun: string, nounZh: string, language: 'en' | 'zh'): string {
  const { random } = values;
  if (language === 'zh') return `${random.pick(action.about.zh)}${nounZh}${random.chance(0.5) ? '。' : ''}`;
  const named = random.chance(0.7) ? nounPhrase(action, noun) : noun;
  const tail = random.chance(0.3) ? ` ${values.fill(1, 5)}` : '';
  return `${random.pick(action.about.en)} ${named}${tail}${random.chance(0.5) ? '.' : ''}`;
}

function nounPhrase({ article }: Verb, noun: string): string {
  if (article === 's') return plural(noun);
  return article === 'the' ? `the ${noun}` : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function plural(noun: string): string {
  if (/(?:s|x|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

// --- requests -------------------------------------------------------------------------------------------

function wish(
  values: Values,
  action: Verb,
  toolName: string,
  [noun, nounZh]: readonly [string, string],
  parameters: readonly Parameter[],
  { fresh = false, without }: { fresh?: boolean; without?: 'required' },
): Wish {
  const { random, split, language } = values;
  const input: Arguments = {};
  const phrases: string[] = [];
  for (const parameter of parameters) {
    if (without === 'required' ? parameter.required : !parameter.required && random.chance(0.5)) continue;
    phrases.push(phrase(values, fresh ? renewed(values, parameter) : parameter, parameters, input));
  }
  const order = random.chance(0.35) ? random.shuffle(phrases) : phrases;
  if (language === 'zh') return wishZh(values, action, nounZh, order, input);
  const tail = joined(values, order);
  const questions = action.questions?.en;
  if (questions && random.chance(0.35)) {
    const form = random.pick(wordingsFor(questions, split));
    return { text: filled(form, noun, tail).replace(/\s+/g, ' ').trim(), whole: true, input };
  }
  const named =
    action.article === 's'
      ? plural(noun)
      : random.chance(0.75)
        ? nounPhrase(action, noun)
        : `${random.pick(['my', 'this', 'the', 'a', 'our', 'that'])} ${noun}`;
  if (split === 'train' && random.chance(0.15))
    return {
      text: (random.chance(0.6) ? `${values.fill(1, 3)} ` : '') + named + tail,
      whole: false,
      input,
      vague: true,
    };
  const own = /[A-Z]?[a-z]+/.exec(toolName)?.[0].toLowerCase() ?? '';
  const seen = random.chance(split === 'wording' ? 0 : 0.3);
  const any = split === 'train' && random.chance(0.08);
  const said = any ? values.fill(1, 2) : seen ? own : random.pick(wordingsFor(action.said.en, split));
  const body = `${said} ${named}`.replace(/ +/g, ' ');
  // The values first: "For Oslo, get the weather".
  if (
    order.length > 0 &&
    !order.some((part) => MARK.test(part)) &&
    random.chance(split === 'wording' ? 0.2 : 0.12)
  )
    return { text: `${capital(tail.trim())}, ${body}`, whole: true, input };
  return { text: body + tail, whole: false, input };
}

function filled(form: string, noun: string, tail: string): string {
  return form.replace('{n}', () => noun).replace('{p}', () => tail);
}

function wishZh(
  values: Values,
  action: Verb,
  noun: string,
  phrases: readonly string[],
  input: Arguments,
): Wish {
  const { random, split } = values;
  const questions = action.questions?.zh;
  const tail = phrases
    .map((part) => part.replace(/^[：，；、]/, ''))
    .join(random.pick(['，', '，', '、', ' ']));
  if (questions && tail !== '' && random.chance(0.35)) {
    const form = random.pick(wordingsFor(questions, split));
    return { text: filled(form, noun, tail), whole: true, input };
  }
  const any = split === 'train' && random.chance(0.1);
  const said = any ? values.fill(1, 2) : random.pick(wordingsFor(action.said.zh, split));
  const order = random.chance(0.75)
    ? `${said}${noun}${tail && '，'}${tail}`
    : `${tail}${tail && '，'}${said}${noun}`;
  return { text: order, whole: false, input };
}

/** A phrase that begins with a mark has no blank before it. */
const MARK = /^[:,;]/;

function joined({ random }: Values, phrases: readonly string[]): string {
  let text = '';
  phrases.forEach((part, at) => {
    const last = at === phrases.length - 1;
    const gap =
      at === 0 ? ' ' : last ? random.pick([' ', ', ', ' and ', ', ']) : random.pick([' ', ', ', ', ']);
    text += MARK.test(part) ? part : gap + (at === 0 ? part : part.replace(/^and /, ''));
  });
  return text;
}

/** Gives the parameter with another value of its kind. */
function renewed(values: Values, parameter: Parameter): Parameter {
  const { kind } = parameter;
  if (kind.choices) return { ...parameter, kind: { ...kind, value: values.random.pick(kind.choices) } };
  if (kind.generic || kind.id === 'switch') return parameter;
  for (let tries = 0; tries < 60; tries++) {
    const other = drawKind(values);
    if (other.id === kind.id) return { ...parameter, kind: other };
  }
  return parameter;
}

const QUOTED_TYPES = new Set(['email', 'path', 'url', 'time']);

function phrase(
  values: Values,
  { name, kind, pair, list }: Parameter,
  all: readonly Parameter[],
  input: Arguments,
): string {
  const { random, split, language } = values;
  const called = nameInWords(values, name);
  if (list) {
    const items = Array.from({ length: random.between(1, 3) }, () => values.word());
    input[name] = items;
    return random
      .pick(wordingsFor(BY_NAME[language], split))
      .replace('{n}', () => called)
      .replace('{v}', () => enumerated(values, items));
  }
  input[name] = kind.value;
  if (typeof kind.value === 'boolean')
    return random
      .pick(wordingsFor(SWITCHED[language][kind.value ? 'on' : 'off'], split))
      .replace('{n}', () => called);
  const said = spoken(values, kind);
  if (kind.pair && pair) {
    input[pair.name] = kind.pair.value;
    const other = kind.pair.value;
    return random
      .pick(wordingsFor(kind.said[language], split))
      .replace('{v}', () => said)
      .replace('{w}', () => other);
  }
  if (split === 'train' && random.chance(0.22)) return loose(values, kind, called, said, all);
  const own = wordingsFor(kind.said[language], split);
  const list2 = own.length > 0 && random.chance(0.75) ? own : wordingsFor(BY_NAME[language], split);
  return random
    .pick(list2)
    .replace('{n}', () => called)
    .replace('{v}', () => said);
}

function enumerated({ random, language }: Values, items: readonly string[]): string {
  if (items.length === 1) return items[0] as string;
  if (language === 'zh') return items.join('、');
  return random.chance(0.5) ? items.join(', ') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** A value and its name with any words around them: the model must find them by the name and the type alone. */
function loose(values: Values, kind: Kind, called: string, said: string, all: readonly Parameter[]): string {
  const { random } = values;
  const space = values.language === 'zh' ? '' : ' ';
  const isNumber = typeof kind.value === 'number';
  const alone = isNumber
    ? all.filter((other) => typeof other.kind.value === 'number').length === 1
    : kind.choices !== undefined;
  const free =
    typeof kind.value === 'string' && !kind.choices && said === kind.value && !QUOTED_TYPES.has(kind.id);
  const value = free && (said.includes(' ') || random.chance(0.5)) ? quote(values, said) : said;
  const words = (...parts: string[]) => parts.filter((part) => part !== '').join(space);
  switch (random.int(alone ? 6 : 4)) {
    case 0:
      return words(called, values.fill(1, 2), value);
    case 1:
      return words(value, values.fill(1, 3), called);
    case 2:
      return words(values.fill(1, 2), called, values.fill(0, 2), value);
    case 3:
      return words(value, values.fill(1, 1), called);
    case 4:
      return words(values.fill(1, 3), value);
    default:
      return words(value, values.fill(1, 3));
  }
}

function nameInWords({ random }: Values, name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return random.chance(0.85) ? words : name;
}

function spoken(values: Values, { value, quoted, counted, choices }: Kind): string {
  const { random, language } = values;
  if (typeof value === 'number') {
    const words = language === 'zh' ? NUMBER_WORDS_ZH : NUMBER_WORDS;
    return counted && value <= words.length && random.chance(0.3)
      ? (words[value - 1] as string)
      : String(value);
  }
  const text = value as Scalar as string;
  if (choices) return random.chance(0.06) ? quote(values, text) : text;
  return random.chance(quoted ?? 0.06) ? quote(values, text) : text;
}

function quote({ random, language }: Values, text: string): string {
  if (language === 'zh' && random.chance(0.6))
    return random.pick([`“${text}”`, `「${text}」`, `《${text}》`]);
  return text.includes("'") || random.chance(0.7) ? `"${text}"` : `'${text}'`;
}

export type { Split };
export { quote };
