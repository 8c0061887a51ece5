// Slots of everyday requests: what they are called in tools, and a value with the way it is said.

import type { Scalar } from './parameters.js';
import type { Values } from './values.js';
import { listOf, THINGS, wordsFor } from './word-lists.js';

export interface Slot {
  names: readonly string[];
  about: Readonly<Record<'en' | 'zh', string>>;
  type: 'string' | 'integer' | 'number' | 'boolean';
  choices?: readonly string[];
  make(values: Values): { value: Scalar; said: string };
}

const same = (value: Scalar) => ({ value, said: String(value) });

function slot(
  names: string,
  en: string,
  zh: string,
  make: (values: Values) => { value: Scalar; said: string },
  type: Slot['type'] = 'string',
  choices?: readonly string[],
): Slot {
  return { names: listOf(names), about: { en, zh }, type, make, ...(choices && { choices }) };
}

const COMPANIES = listOf(
  'Apple, Microsoft, Tesla, Google, Amazon, Nvidia, Intel, Siemens, Toyota, Nestle, Netflix, Sony, AAPL, MSFT, TSLA, NVDA, AMZN, GOOG, IBM, ORCL, SAP, AMD',
);
const COMPANIES_ZH = listOf('苹果, 微软, 特斯拉, 腾讯, 阿里巴巴, 华为, 百度, 小米, 比亚迪, AAPL, TSLA, NVDA');
const ROOMS = listOf(
  'living room, kitchen, bedroom, bathroom, office, hallway, garage, basement, garden, attic',
);
const ROOMS_ZH = listOf('客厅, 厨房, 卧室, 浴室, 书房, 走廊, 车库, 阳台');
const COMMANDS = listOf(
  'ls -la, npm test, git status, cat README.md, docker ps, make build, python main.py, df -h, whoami, pwd, git log --oneline, npm install, cargo build, pytest -q, echo hello, uname -a, ps aux, go test ./..., kubectl get pods, du -sh .',
);
const PROGRAMS = listOf('cat, ls, rm, node, python, git add, mkdir, touch, head');
const PATTERNS = listOf('TODO, FIXME, import, console.log, async function, def main, password');
const ENDINGS = listOf('ts, js, py, md, json, css, html, go, rs, txt');
const LANGUAGES = listOf(
  'French, German, Spanish, Italian, Chinese, Japanese, Korean, Arabic, Polish, Dutch, Swedish, Greek',
);
const LANGUAGES_ZH = listOf('英语, 法语, 德语, 日语, 韩语, 西班牙语, 俄语');
const CODES = listOf('USD, EUR, GBP, JPY, CHF, CNY, SEK, AUD, CAD, INR');
const CURRENCIES = listOf('dollars=USD, euros=EUR, pounds=GBP, yen=JPY, francs=CHF, yuan=CNY');

export const SLOTS: Readonly<Record<string, Slot>> = {
  city: slot('city, location, place, city_name', 'The city', '城市', (v) => same(v.place())),
  date: slot('date, day, when', 'The day', '日期', (v) => same(v.date())),
  time: slot('time, at, start_time', 'Time of day', '时间', (v) => same(v.time())),
  query: slot('query, q, search_query, keywords', 'Search words', '搜索内容', (v) => same(topic(v))),
  topic: slot('topic, subject, category', 'The topic', '主题', (v) => same(topic(v))),
  email: slot('to, email, recipient, address', 'Email address', '邮箱地址', (v) => same(v.email())),
  person: slot('to, recipient, name, person', 'Name of the person', '姓名', (v) => same(v.person())),
  subject: slot('subject, title', 'The subject', '主题', (v) => same(v.words(1, 4))),
  body: slot('body, text, message, content', 'The text', '正文', (v) => same(v.words(2, 7))),
  title: slot('title, name, summary', 'The title', '标题', (v) =>
    same(v.random.chance(0.5) ? topic(v) : v.words(1, 3)),
  ),
  path: slot('path, file_path, filename, file', 'Path of the file', '文件路径', (v) => same(v.path())),
  folder: slot('path, directory, dir, folder', 'The folder', '目录', (v) => same(v.folder())),
  command: slot('command, cmd, script', 'The shell command', '命令', (v) =>
    same(v.random.chance(0.5) ? v.random.pick(COMMANDS) : `${v.random.pick(PROGRAMS)} ${v.path()}`),
  ),
  pattern: slot('pattern, regex, text, query', 'Text to look for', '要查找的文字', (v) =>
    same(
      v.random.chance(0.4)
        ? `${v.plainWord()}_${v.plainWord()}`
        : v.random.chance(0.5)
          ? v.plainWord()
          : v.random.pick(PATTERNS),
    ),
  ),
  sum: slot('expression, formula, input', 'The expression, such as 2 + 3', '算式，例如 2 + 3', sum),
  a: slot(
    'a, x, first, left',
    'First number',
    '第一个数',
    (v) => same(v.random.chance(0.7) ? v.integer(500) : v.number(100)),
    'number',
  ),
  b: slot(
    'b, y, second, right',
    'Second number',
    '第二个数',
    (v) => same(v.random.chance(0.7) ? v.integer(500) : v.number(100)),
    'number',
  ),
  words: slot('text, sentence, input', 'Text to translate', '要翻译的文本', (v) => same(v.words(1, 6))),
  language: slot('target_language, language, to, lang', 'Target language', '目标语言', (v) =>
    same(v.random.pick(v.language === 'zh' ? LANGUAGES_ZH : LANGUAGES)),
  ),
  company: slot('symbol, ticker, company, stock', 'Company or ticker symbol', '公司或股票代码', (v) =>
    same(
      v.random.chance(0.7)
        ? v.random.pick(v.language === 'zh' ? COMPANIES_ZH : COMPANIES)
        : v.random.chance(0.5)
          ? v.letters(v.random.between(3, 4)).toUpperCase()
          : v.name(),
    ),
  ),
  money: slot(
    'amount, value, sum',
    'The amount',
    '金额',
    (v) => same(v.random.chance(0.6) ? v.integer(900) : v.number(900)),
    'number',
  ),
  from: slot('from, from_currency, source, base', 'Currency code', '货币代码', currency),
  to: slot('to, to_currency, target, quote', 'Currency code', '货币代码', currency),
  origin: slot('origin, from, departure, start', 'Where it starts', '出发地', (v) => same(v.place())),
  destination: slot('destination, to, arrival, goal', 'Where it goes', '目的地', (v) => same(v.place())),
  people: slot('people, guests, party_size, persons', 'How many people', '人数', counted, 'integer'),
  restaurant: slot('restaurant, name, place', 'The restaurant', '餐厅', (v) =>
    same(v.language === 'zh' ? v.wordsZh(2, 3) : v.name()),
  ),
  room: slot('room, area, location', 'The room', '房间', (v) =>
    same(v.random.pick(v.language === 'zh' ? ROOMS_ZH : ROOMS)),
  ),
  state: slot(
    'state, action, power',
    'on or off',
    'on 或 off',
    (v) => same(v.random.pick(['on', 'off'])),
    'string',
    ['on', 'off'],
  ),
  level: slot(
    'brightness, level, percent',
    'From 0 to 100',
    '0 到 100',
    (v) => same(v.random.int(101)),
    'integer',
  ),
  degrees: slot(
    'temperature, degrees, target',
    'Degrees',
    '度数',
    (v) => same(v.random.chance(0.7) ? v.random.between(10, 35) : v.number(35)),
    'number',
  ),
  minutes: slot('minutes, duration, length', 'Minutes', '分钟', counted, 'integer'),
  old: slot('old_text, old_string, old, search', 'The text that is there', '原来的文字', (v) =>
    same(v.words(1, 4)),
  ),
  new: slot('new_text, new_string, new, replacement', 'The text to put there', '新的文字', (v) =>
    same(v.words(1, 4)),
  ),
  target: slot('destination, new_path, to, target', 'The new path', '新的路径', (v) => same(v.path())),
  glob: slot('pattern, glob, file_pattern', 'Pattern such as *.ts', '匹配模式，例如 *.ts', (v) =>
    same(
      `${v.random.pick(['', '**/', `${v.plainWord()}/`])}${v.random.pick(['*', `${v.plainWord()}*`, `*${v.plainWord()}`])}.${v.random.pick(ENDINGS)}`,
    ),
  ),
  seconds: slot('seconds, duration', 'Seconds', '秒', (v) => same(v.integer(90)), 'integer'),
  song: slot('song, title, track', 'The song', '歌曲', (v) =>
    same(v.language === 'zh' ? v.wordsZh(2, 4) : v.words(1, 3)),
  ),
  artist: slot('artist, by, band', 'Who plays it', '歌手', (v) => same(v.person())),
  order: slot('order_id, id, order_number, number', 'Number of the order', '订单号', (v) =>
    same(v.identifier()),
  ),
  table: slot('table, collection, table_name', 'The table', '表名', (v) => same(v.plainWord())),
  limit: slot('limit, max_results, count, n', 'At most how many', '最多几个', counted, 'integer'),
  branch: slot('branch, name, branch_name', 'Name of the branch', '分支名', (v) =>
    same(
      v.random.pick([v.plainWord(), `feature/${v.plainWord()}`, `fix-${v.plainWord()}`, 'main', 'develop']),
    ),
  ),
  price: slot('max_price, budget, max', 'Highest price', '最高价格', (v) => same(v.integer(900)), 'number'),
  product: slot('query, product, item, name', 'The product', '商品', (v) => same(topic(v))),
  url: slot('url, link, page', 'Address of the page', '网址', (v) => same(v.url())),
  number: slot('number, n, value', 'The number', '数字', (v) => same(v.integer(999)), 'integer'),
  low: slot('min, low, from', 'Smallest number', '最小值', (v) => same(v.integer(20)), 'integer'),
  high: slot('max, high, to', 'Largest number', '最大值', (v) => same(20 + v.integer(900)), 'integer'),
};

function topic(values: Values): string {
  const { random, language, split } = values;
  if (language === 'zh' && random.chance(0.8)) return values.wordsZh(1, 4);
  if (random.chance(0.5)) return random.pick(wordsFor(THINGS, split));
  return values.words(1, 3);
}

function counted(values: Values): { value: number; said: string } {
  return same(values.integer(60)) as { value: number; said: string };
}

function currency({ random, language }: Values): { value: string; said: string } {
  if (language === 'zh' || random.chance(0.55))
    return same(random.pick(CODES)) as { value: string; said: string };
  const [said = '', value = ''] = random.pick(CURRENCIES).split('=');
  return { value, said };
}

const SIGNS: readonly [string, readonly string[], readonly string[]][] = [
  ['+', ['plus', '+', 'and', 'added to'], ['加', '+', '加上']],
  ['-', ['minus', '-', 'less'], ['减', '-', '减去']],
  ['*', ['times', '*', 'multiplied by', 'x'], ['乘以', '*', '乘']],
  ['/', ['divided by', '/', 'over'], ['除以', '/']],
];

function sum({ random, language }: Values): { value: string; said: string } {
  const one = () =>
    String(random.chance(0.8) ? random.between(1, 999) : Number((random.next() * 99).toFixed(1)));
  let value = one();
  let said = value;
  for (let count = random.chance(0.8) ? 1 : 2; count > 0; count--) {
    const [sign, english, chinese] = random.pick(SIGNS);
    const spoken = random.pick(language === 'zh' ? chinese : english);
    const next = one();
    value += ` ${sign} ${next}`;
    const tight = spoken === sign && random.chance(0.5);
    said += language === 'zh' || tight ? `${spoken}${next}` : ` ${spoken} ${next}`;
  }
  return { value, said };
}
