// Kinds of parameters: what they are called, what values they have and how people say them. Wordings behind `unseen` are
// never in the training.

import { type Wordings, wordings } from './more-wordings.js';
import { two, type Values } from './values.js';
import { listOf } from './word-lists.js';

export type Scalar = string | number | boolean;

export interface Kind {
  id: string;
  names: readonly string[];
  about: Readonly<Record<'en' | 'zh', readonly string[]>>;
  type: 'string' | 'integer' | 'number' | 'boolean';
  /** The choices of an enum. */
  choices?: readonly string[];
  value: Scalar;
  /** The second of two that are said together: from here to there. */
  pair?: { names: readonly string[]; about: Readonly<Record<'en' | 'zh', readonly string[]>>; value: string };
  /** `{v}` is the value, `{w}` that of the pair. */
  said: Readonly<Record<'en' | 'zh', Wordings>>;
  /** The share that is put in quotes. */
  quoted?: number;
  /** It may be said as a word: three. */
  counted?: boolean;
  /** Made of random words: it is said by its name. */
  generic?: boolean;
}

const bars = (text: string): string[] => (text === '' ? [] : listOf(text, /\s*\|\s*/));
const phrases = (key: string, language: 'en' | 'zh', seen: string, unseen: string): Wordings =>
  wordings('phrases', key, language, bars(seen), bars(unseen));

interface Row {
  names: string;
  en: string;
  zh: string;
  said: string;
  unseen: string;
  saidZh: string;
  unseenZh: string;
}

type Made = Partial<Kind> & Pick<Kind, 'type' | 'value'>;
type Still = Pick<Kind, 'id' | 'names' | 'about' | 'said'>;
const rows: [Still, (values: Values) => Made][] = [];
function kind(id: string, row: Row, make: (values: Values) => Made): void {
  const still: Still = {
    id,
    names: listOf(row.names),
    about: { en: bars(row.en), zh: bars(row.zh) },
    said: { en: phrases(id, 'en', row.said, row.unseen), zh: phrases(id, 'zh', row.saidZh, row.unseenZh) },
  };
  rows.push([still, make]);
}

const CURRENCIES = listOf('USD, EUR, GBP, JPY, CHF, CNY');
const UNITS = ['celsius, fahrenheit', 'metric, imperial', 'km, miles', 'c, f', 'kg, lb, g'].map((list) =>
  listOf(list),
);
const PRIORITIES = listOf('low, medium, high');
const FORMATS = listOf('pdf, csv, json, xml, html, png, docx, yaml');
const COLORS = listOf('red, green, blue, yellow, black, white, purple, orange');
const SIZES = ['small, medium, large', 'S, M, L, XL'].map((list) => listOf(list));
const LANGUAGES = listOf(
  'French, German, Spanish, Italian, Chinese, Japanese, Korean, Arabic, Polish, Dutch',
);
const LANGUAGES_ZH = listOf('法语, 德语, 西班牙语, 意大利语, 英语, 日语, 韩语, 阿拉伯语, 俄语');
const GOALS = {
  names: listOf('destination, to, target, end'),
  about: { en: ['Where it ends', 'Goal'], zh: ['目的地', '终点'] },
};

const text = (value: string, quoted?: number): Made => ({
  type: 'string',
  value,
  ...(quoted === undefined ? {} : { quoted }),
});
const whole = (value: number, counted = false): Made => ({ type: 'integer', value, counted });
const real = (value: number): Made => ({ type: 'number', value });
const choice = (values: Values, choices: readonly string[]): Made => ({
  type: 'string',
  choices,
  value: values.random.pick(choices),
});

kind(
  'place',
  {
    names: 'city, location, place, town, region',
    en: 'City name | The city | Name of the place | Where | Location to look at',
    zh: '城市 | 城市名称 | 地点 | 位置',
    said: 'in {v} | for {v} | at {v} | near {v} | within {v} | in the city of {v} | around the {v} area',
    unseen: 'over in {v} | around {v} | somewhere in {v}',
    saidZh: '在{v} | {v}的 | 地点是{v} | 位于{v} | 城市选{v}',
    unseenZh: '就在{v} | 地点定在{v}',
  },
  (v) => text(v.place()),
);
kind(
  'date',
  {
    names: 'date, day, when',
    en: 'The date | Day to use | Date as YYYY-MM-DD or a word',
    zh: '日期 | 哪一天',
    said: 'on {v} | for {v} | {v} | by {v} | dated {v} | on the day {v} | scheduled for {v}',
    unseen: 'as of {v} | with {v} as the day | come {v}',
    saidZh: '在{v} | {v} | 日期是{v} | 日期定在{v} | {v}那天',
    unseenZh: '时间为{v} | 就选{v}',
  },
  (v) => text(v.date()),
);
kind(
  'time',
  {
    names: 'time, start_time, hour',
    en: 'Time of day | When it starts | HH:MM',
    zh: '时间 | 开始时间',
    said: 'at {v} | starting at {v} | for {v} | from {v} | beginning at {v} | around {v}',
    unseen: '{v} sharp | from {v} onwards | no later than {v}',
    saidZh: '{v} | 在{v} | {v}开始 | 时间是{v}',
    unseenZh: '从{v}起 | {v}准时',
  },
  (v) => text(v.random.chance(0.6) ? `${two(v.random.int(24))}:${two(v.random.int(60))}` : v.time()),
);
kind(
  'person',
  {
    names: 'recipient, to, person, assignee, owner',
    en: 'Who gets it | Name of the person | The recipient',
    zh: '收件人 | 人员姓名 | 接收者',
    said: 'to {v} | for {v} | assigned to {v} | for my colleague {v} | so that {v} gets it | with {v} as the recipient',
    unseen: 'addressed to {v} | meant for {v} | in the hands of {v}',
    saidZh: '给{v} | 发给{v} | 收件人是{v} | 交给{v}',
    unseenZh: '对象是{v} | 转给{v}',
  },
  (v) => text(v.person()),
);
kind(
  'email',
  {
    names: 'email, address, to_email',
    en: 'Email address | Address to use',
    zh: '邮箱 | 电子邮件地址',
    said: 'to {v} | with email {v} | for {v} | using the address {v} | at {v} | email {v}',
    unseen: 'reachable under {v} | via {v} | whose mail is {v}',
    saidZh: '邮箱是{v} | 发到{v} | 地址为{v}',
    unseenZh: '用{v}这个邮箱 | 联系方式{v}',
  },
  (v) => text(v.email()),
);
kind(
  'name',
  {
    names: 'name, title, label',
    en: 'Name to give | The title | What to call it',
    zh: '名称 | 标题',
    said: 'called {v} | named {v} | titled {v} | with the name {v} | by the name of {v} | labelled {v} | and call it {v}',
    unseen: 'that goes by {v} | known as {v} | under the heading {v}',
    saidZh: '叫{v} | 名为{v} | 标题是{v} | 名称为{v}',
    unseenZh: '命名成{v} | 取名{v}',
  },
  (v) => text(v.random.chance(0.5) ? v.words(1, 3) : v.name(), 0.6),
);
kind(
  'text',
  {
    names: 'text, message, body, content',
    en: 'The text | What to say | Content of the message',
    zh: '内容 | 正文 | 消息文本',
    said: 'saying {v} | that says {v} | with the text {v} | : {v} | with the message {v} | telling them {v} | with {v} in it',
    unseen: 'which reads {v} | with this wording: {v} | and put {v} in there',
    saidZh: '内容是{v} | 写上{v} | ：{v} | 说{v}',
    unseenZh: '文字为{v} | 里面写{v}',
  },
  (v) => text(v.words(2, 6) + (v.random.chance(0.05) ? `, it's ${v.word()}` : ''), 0.85),
);
kind(
  'query',
  {
    names: 'query, topic, keyword, subject, search_term',
    en: 'What to look for | Search words | The topic',
    zh: '关键词 | 主题 | 搜索内容',
    said: 'about {v} | for {v} | on {v} | matching {v} | on the topic of {v} | related to {v} | that mentions {v}',
    unseen: 'regarding {v} | concerning {v} | to do with {v}',
    saidZh: '关于{v} | 关键词是{v} | 主题为{v} | 有关{v}的',
    unseenZh: '跟{v}相关 | 涉及{v}',
  },
  (v) => text(v.words(1, 3), 0.5),
);
kind(
  'path',
  {
    names: 'path, file, filename, file_path',
    en: 'Path of the file | The file | Where it lies',
    zh: '文件路径 | 文件',
    said: 'at {v} | in {v} | from the file {v} | for {v} | with the path {v} | located at {v} | file {v}',
    unseen: 'stored under {v} | living in {v} | sitting at {v}',
    saidZh: '文件是{v} | 路径为{v} | 在{v}里',
    unseenZh: '存放于{v} | 位置在{v}',
  },
  (v) => text(v.path()),
);
kind(
  'url',
  {
    names: 'url, link, page',
    en: 'Address of the page | The link',
    zh: '网址 | 链接',
    said: 'from {v} | at {v} | for {v} | using the link {v} | of the page {v} | on {v}',
    unseen: 'found under {v} | behind {v} | as seen on {v}',
    saidZh: '链接是{v} | 网址为{v} | 来自{v}',
    unseenZh: '页面在{v} | 用{v}这个链接',
  },
  (v) => text(v.url()),
);
kind(
  'id',
  {
    names: 'id, order_id, number, code, reference',
    en: 'Identifier | The number | Its id',
    zh: '编号 | 标识 | 单号',
    said: 'with id {v} | number {v} | #{v} | {v} | with the code {v} | whose number is {v} | id {v} | no. {v}',
    unseen: 'carrying the id {v} | filed as {v} | the one with {v} on it',
    saidZh: '编号是{v} | 编号{v} | 号码为{v} | 单号{v}',
    unseenZh: '标号{v}的 | 代码是{v}',
  },
  (v) => text(v.identifier()),
);
kind(
  'trip',
  {
    names: 'origin, from, source, start',
    en: 'Where it begins | Starting point',
    zh: '出发地 | 起点',
    said: 'from {v} to {w} | between {v} and {w} | starting in {v} and going to {w} | to {w} from {v} | {v} to {w}',
    unseen: 'leaving {v} and arriving in {w} | out of {v}, bound for {w}',
    saidZh: '从{v}到{w} | {v}到{w} | 起点{v}，终点{w}',
    unseenZh: '由{v}前往{w} | 去{w}，从{v}出发',
  },
  (v) => ({
    ...text(v.place()),
    pair: { ...GOALS, value: v.place() },
  }),
);
kind(
  'amount',
  {
    names: 'amount, price, total, sum',
    en: 'How much | The amount | In money',
    zh: '金额 | 总额',
    said: 'of {v} | for {v} | with an amount of {v} | totalling {v} | for a sum of {v} | amount {v}',
    unseen: 'worth {v} | valued at {v} | coming to {v}',
    saidZh: '金额{v} | 金额是{v} | 一共{v}',
    unseenZh: '总计{v} | 数额为{v}',
  },
  (v) => real(v.number(500)),
);
kind(
  'currency',
  {
    names: 'currency, money',
    en: 'Currency code',
    zh: '货币代码',
    said: 'in {v} | paid in {v} | currency {v} | with {v} as the currency | billed in {v}',
    unseen: 'using {v} as money | counted in {v}',
    saidZh: '用{v} | 货币是{v}',
    unseenZh: '以{v}计 | 币种{v}',
  },
  (v) => choice(v, CURRENCIES),
);
kind(
  'unit',
  {
    names: 'unit, units, scale',
    en: 'Unit to use',
    zh: '单位',
    said: 'in {v} | with {v} units | using {v} | unit {v} | as {v}',
    unseen: 'measured in {v} | on the {v} scale',
    saidZh: '单位是{v} | 用{v}表示 | 单位用{v}',
    unseenZh: '以{v}为单位',
  },
  (v) => choice(v, v.random.pick(UNITS)),
);
kind(
  'priority',
  {
    names: 'priority, importance, urgency',
    en: 'How urgent it is',
    zh: '优先级',
    said: 'with {v} priority | at {v} priority | priority {v} | as {v} priority | it is of {v} importance',
    unseen: 'treated as {v} priority | ranked {v}',
    saidZh: '优先级{v} | 优先级为{v} | 重要程度{v}',
    unseenZh: '按{v}优先处理',
  },
  (v) => choice(v, PRIORITIES),
);
kind(
  'format',
  {
    names: 'format, type, output',
    en: 'File format | Format to write',
    zh: '格式 | 输出格式',
    said: 'as {v} | as a {v} file | in {v} format | {v} format please | formatted as {v}',
    unseen: 'the {v} way | packed as {v}',
    saidZh: '格式为{v} | 以{v}格式 | 格式用{v}',
    unseenZh: '做成{v}',
  },
  (v) => choice(v, v.random.some(FORMATS, 3)),
);
kind(
  'color',
  {
    names: 'color, colour',
    en: 'The color',
    zh: '颜色',
    said: 'in {v} | colored {v} | with the color {v} | {v} in color | make it {v}',
    unseen: 'painted {v} | with a {v} look',
    saidZh: '颜色是{v} | 用{v}色',
    unseenZh: '染成{v}',
  },
  (v) => choice(v, v.random.some(COLORS, 4)),
);
kind(
  'size',
  {
    names: 'size',
    en: 'The size',
    zh: '尺寸 | 大小',
    said: 'in {v} | of size {v} | size {v} | a {v} one | {v} size',
    unseen: 'cut {v} | the {v} kind',
    saidZh: '尺寸{v} | 大小为{v}',
    unseenZh: '要{v}号',
  },
  (v) => choice(v, v.random.pick(SIZES)),
);
kind(
  'language',
  {
    names: 'language, lang, target_language',
    en: 'Language to use | Target language',
    zh: '语言 | 目标语言',
    said: 'in {v} | into {v} | to {v} | in the {v} language | written in {v}',
    unseen: 'using {v} words | with {v} as the tongue',
    saidZh: '语言是{v} | 用{v} | 翻成{v}',
    unseenZh: '以{v}书写',
  },
  (v) => text(v.random.pick(v.language === 'zh' && v.random.chance(0.7) ? LANGUAGES_ZH : LANGUAGES)),
);
kind(
  'count',
  {
    names: 'count, quantity, people, guests, items',
    en: 'How many | Number of them',
    zh: '数量 | 人数 | 个数',
    said: 'for {v} people | {v} times | with {v} of them | count {v} | {v} pieces | {v} of them | quantity {v}',
    unseen: '{v} in all | making it {v} | {v} altogether',
    saidZh: '数量{v} | {v}个 | 一共{v}个 | {v}位',
    unseenZh: '总共{v}份 | 数目为{v}',
  },
  (v) => whole(v.integer(40), true),
);
kind(
  'days',
  {
    names: 'days, nights, num_days',
    en: 'Number of days | How many days',
    zh: '天数',
    said: 'for {v} days | over {v} days | for the next {v} days | {v} days | {v} days long',
    unseen: 'spanning {v} days | lasting {v} days',
    saidZh: '{v}天 | 未来{v}天 | 持续{v}天',
    unseenZh: '为期{v}天',
  },
  (v) => whole(v.integer(30), true),
);
kind(
  'limit',
  {
    names: 'limit, max_results, top',
    en: 'At most how many | Largest number of results',
    zh: '最多数量 | 结果上限',
    said: 'up to {v} | at most {v} results | limit {v} | only the first {v} | just {v} of them | top {v} | limited to {v}',
    unseen: 'no more than {v} | capped at {v} | {v} will do',
    saidZh: '最多{v}条 | 只要{v}个 | 前{v}个',
    unseenZh: '不超过{v}条',
  },
  (v) => whole(v.integer(100), true),
);
kind(
  'minutes',
  {
    names: 'minutes, duration, timeout',
    en: 'How long in minutes | Minutes',
    zh: '分钟数 | 时长（分钟）',
    said: 'for {v} minutes | lasting {v} minutes | in {v} minutes | {v} minutes | {v} minutes long | of {v} minutes',
    unseen: 'taking {v} minutes | over the course of {v} minutes',
    saidZh: '{v}分钟 | 时长{v}分钟 | 持续{v}分钟',
    unseenZh: '历时{v}分钟',
  },
  (v) => whole(v.integer(120), true),
);
kind(
  'level',
  {
    names: 'level, percent, brightness, volume',
    en: 'From 0 to 100 | The level',
    zh: '级别，0 到 100 | 百分比',
    said: 'to {v} percent | to {v} | at {v} percent | at level {v} | to {v}% | at {v}%',
    unseen: 'with {v} out of 100 | up or down to {v}',
    saidZh: '到{v}% | 调到{v} | 百分之{v}',
    unseenZh: '定在{v}',
  },
  (v) => whole(v.random.int(101)),
);
kind(
  'degrees',
  {
    names: 'degrees, temperature, value',
    en: 'Degrees | The value to set',
    zh: '度数 | 要设置的值',
    said: 'to {v} degrees | at {v} degrees | to {v} | {v} degrees',
    unseen: 'reaching {v} degrees | with {v} on the scale',
    saidZh: '到{v}度 | {v}度 | 设成{v}度',
    unseenZh: '达到{v}度',
  },
  (v) => real(v.number(40)),
);
kind(
  'most',
  {
    names: 'max_price, budget, maximum',
    en: 'Highest price | Most it may cost',
    zh: '最高价格 | 预算',
    said: 'under {v} | below {v} | for at most {v} | with a budget of {v} | cheaper than {v} | up to {v}',
    unseen: 'not costing over {v} | staying within {v}',
    saidZh: '低于{v} | 预算{v} | 不超过{v}元',
    unseenZh: '价格上限{v}',
  },
  (v) => real(v.number(900)),
);
kind(
  'year',
  {
    names: 'year',
    en: 'The year | Year',
    zh: '年份',
    said: 'from {v} | in {v} | for the year {v} | year {v} | of the year {v}',
    unseen: 'back in {v} | as it was in {v}',
    saidZh: '{v}年 | {v}年的',
    unseenZh: '年份为{v}',
  },
  (v) => whole(v.random.between(1950, 2039)),
);

const SWITCHES = listOf(
  'urgent, notify, recursive, dry_run, include_details, gift_wrap, public, verbose, silent, overwrite, force, archived, express, insured, loop, private, pinned, encrypted, shared, draft',
);

/** The wordings of switches: `{n}` is the name. */
export const SWITCHED: Readonly<Record<'en' | 'zh', { on: Wordings; off: Wordings }>> = {
  en: {
    on: phrases(
      'switch-on',
      'en',
      'with {n} on | {n} | make it {n} | and {n} please | with {n} set to true | {n}: yes | enable {n} | {n} = true | {n} should be on | turn on {n}',
      'keeping {n} switched on | and yes to {n} | with {n} active',
    ),
    off: phrases(
      'switch-off',
      'en',
      'with {n} off | not {n} | without {n} | no {n} | with {n} set to false | {n}: no | disable {n} | {n} = false | {n} should be off | turn off {n}',
      'keeping {n} switched off | and no to {n} | leaving {n} out',
    ),
  },
  zh: {
    on: phrases(
      'switch-on',
      'zh',
      '打开{n} | {n}设为是 | 要{n} | 启用{n} | {n}为true',
      '{n}开着 | 把{n}勾上',
    ),
    off: phrases(
      'switch-off',
      'zh',
      '关闭{n} | {n}设为否 | 不要{n} | 禁用{n} | {n}为false',
      '{n}关掉 | 把{n}去掉',
    ),
  },
};

/** How a parameter is said by its name. */
export const BY_NAME: Readonly<Record<'en' | 'zh', Wordings>> = {
  en: phrases(
    'by-name',
    'en',
    'with {n} {v} | {n} {v} | {n}: {v} | {n} = {v} | set {n} to {v} | with {v} as the {n} | {n} is {v} | the {n} should be {v} | {n}={v} | use {v} as {n} | where {n} is {v} | and its {n} is {v} | having {n} {v} | whose {n} is {v} | let {n} be {v} | {v} as {n}',
    'using {v} for the {n} | {v} being the {n} | and for {n} take {v} | {n} equal to {v}',
  ),
  zh: phrases(
    'by-name',
    'zh',
    '{n}为{v} | {n}是{v} | {n}：{v} | {n}设为{v} | 把{n}设成{v} | 用{v}作为{n} | {n}={v} | {n}用{v} | {n}选{v}',
    '{n}取{v} | 以{v}当{n} | {n}定为{v}',
  ),
};

/** Draws a kind with a value. */
export function drawKind(values: Values): Kind {
  const { random } = values;
  const at = random.int(rows.length + 9);
  if (at >= rows.length + 3) return genericKind(values);
  if (at >= rows.length) return switchKind(values);
  const [still, make] = rows[at] as (typeof rows)[number];
  return { ...still, ...make(values) };
}

const NONE: Wordings = { seen: [], unseen: [], trained: [] };

function switchKind(values: Values): Kind {
  return {
    id: 'switch',
    names: SWITCHES,
    about: {
      en: ['Switch this on or off', 'Whether to do so', 'True for yes'],
      zh: ['是否启用', '开关', 'true 表示是'],
    },
    type: 'boolean',
    value: values.random.chance(0.6),
    said: { en: NONE, zh: NONE },
  };
}

function genericKind(values: Values): Kind {
  const { random } = values;
  const name = Array.from({ length: random.between(1, 2) }, () => values.plainWord()).join('_');
  const shared = {
    id: `generic ${name}`,
    names: [name],
    about: {
      en: [`The ${name.replaceAll('_', ' ')}`, values.words(1, 4), ''],
      zh: [name, values.wordsZh(2, 4), ''],
    },
    said: { en: NONE, zh: NONE },
    generic: true,
  };
  switch (random.int(5)) {
    case 0:
      return { ...shared, type: 'string', value: values.words(1, 3), quoted: 0.5 };
    case 1:
      return {
        ...shared,
        type: 'integer',
        value: random.chance(0.1) ? -values.integer(50) : values.integer(1000),
      };
    case 2:
      return { ...shared, type: 'number', value: values.number(200) };
    case 3: {
      const choices = [...new Set(Array.from({ length: random.between(2, 4) }, () => values.word()))];
      return { ...shared, type: 'string', choices, value: random.pick(choices) };
    }
    default:
      return { ...shared, type: 'boolean', value: random.chance(0.6) };
  }
}
