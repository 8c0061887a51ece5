// Words, as far as rules can go: stems instead of forms, a few synonyms, and a small dictionary of Chinese, in
// which words are not separated.

/** Words that say nothing about what is wanted. */
const EMPTY = new Set(
  (
    'a an the and or of in on at to for from by with about into is are was were be been am do does did can could ' +
    'would should will shall may might must have has had i me my you your we us our it its this that these those ' +
    'there here what which who whom how why when where please tell give get show let need want like would know ' +
    'some any all no not yes if then than so as up out over under just now today right hello hi hey thanks thank ' +
    'use using used user tool tools call function value values provided given new one two s t m re ll ve d'
  ).split(' '),
);

const SYNONYMS: Readonly<Record<string, string>> = {
  forecast: 'weather',
  temperature: 'weather',
  rain: 'weather',
  raining: 'weather',
  sunny: 'weather',
  snow: 'weather',
  warm: 'weather',
  cold: 'weather',
  hot: 'weather',
  mail: 'email',
  clock: 'time',
  folder: 'directory',
  dir: 'directory',
  compute: 'calculate',
  sum: 'calculate',
  add: 'calculate',
  plus: 'calculate',
  minus: 'calculate',
  times: 'calculate',
  multiply: 'calculate',
  calculator: 'calculate',
  calc: 'calculate',
  math: 'calculate',
  lookup: 'search',
  find: 'search',
  execute: 'run',
  exec: 'run',
  website: 'web',
  page: 'web',
  fetch: 'web',
  url: 'web',
};

/** Longest first where one begins another. An empty meaning: it says nothing. */
const CHINESE: readonly (readonly [string, string])[] = (
  '天气预报 weather|天气 weather|气温 weather|温度 weather|下雨 weather|预报 weather|城市 city|地点 location|' +
  '位置 location|文件夹 directory|文件 file|目录 directory|列出 list|读取 read|阅读 read|打开 read|查看 read|' +
  '写入 write|保存 write|创建 create|删除 delete|搜索 search|查找 search|查询 search|查一下 search|搜 search|时间 time|' +
  '几点 time|日期 date|计算 calculate|翻译 translate|邮件 email|邮箱 email|发送 send|消息 message|股票 stock|' +
  '股价 stock|价格 price|新闻 news|汇率 currency|货币 currency|网页 web|网址 web|运行 run|执行 run|命令 command|' +
  '代码 code|航班 flight|酒店 hotel|预订 book|订单 order|用户 user|地图 map|音乐 music|图片 image|提醒 reminder|' +
  '怎么样 |怎样 |如何 |什么 |多少 |哪里 |哪些 |哪个 |帮我 |请问 |请 |告诉我 |告诉 |一下 |现在 |今天 |明天 |后天 |昨天 |' +
  '我想知道 |想知道 |知道 |我 |你 |吗 |呢 |吧 |的 |了 |是 |有 |在 |会 |能 |要 |给 |把 |个 |都 |还 |这里 |这 |那 |查 |看 |列 |读 |用 |当前 |情况 |分别 '
)
  .split('|')
  .map((entry) => entry.split(' ') as [string, string])
  .sort((a, b) => b[0].length - a[0].length);

/** Stems of the words that say something, each once. */
export function meaning(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of wordsOf(text)) {
    if (EMPTY.has(word)) continue;
    found.add(stem(word));
    if (Object.hasOwn(SYNONYMS, word)) found.add(stem(SYNONYMS[word] as string));
  }
  for (const word of chineseWords(text)) if (word.means !== '') found.add(stem(word.means));
  return found;
}

/** Letters and digits in lower case, names cut at `_` and where a capital follows: `getWeather` is two words. */
export function wordsOf(text: string): string[] {
  const cut = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return cut.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

/** Endings go on both sides of a comparison, so they need not be right, only the same. */
export function stem(word: string): string {
  let root = word;
  if (root.length > 4 && root.endsWith('ies')) root = `${root.slice(0, -3)}y`;
  else if (root.length > 3 && root.endsWith('s') && !root.endsWith('ss')) root = root.slice(0, -1);
  if (root.length > 5 && root.endsWith('ing')) root = root.slice(0, -3);
  else if (root.length > 4 && root.endsWith('ed')) root = root.slice(0, -2);
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root;
}

export interface ChineseWord {
  text: string;
  /** In English; '' for a word of the dictionary that says nothing. */
  means: string;
}

/** The words of the dictionary that stand in the text. */
function chineseWords(text: string): ChineseWord[] {
  return chineseParts(text).flatMap((part) => (typeof part === 'string' ? [] : [part]));
}

/** A text of Chinese cut into words of the dictionary and, as strings, what stands between them. */
export function chineseParts(text: string): (ChineseWord | string)[] {
  const parts: (ChineseWord | string)[] = [];
  let rest = '';
  for (let at = 0; at < text.length; ) {
    const word = isChinese(text.charCodeAt(at))
      ? CHINESE.find(([one]) => text.startsWith(one, at))
      : undefined;
    if (!word) rest += text.charAt(at++);
    else {
      if (rest !== '') parts.push(rest);
      rest = '';
      parts.push({ text: word[0], means: word[1] });
      at += word[0].length;
    }
  }
  return rest === '' ? parts : [...parts, rest];
}

export function isChinese(code: number): boolean {
  return code >= 0x4e00 && code <= 0x9fff;
}

/** Whether the user writes Chinese: more of it than of words in other letters. */
export function speaksChinese(text: string): boolean {
  let chinese = 0;
  for (let at = 0; at < text.length; at++) if (isChinese(text.charCodeAt(at))) chinese++;
  return chinese > 0 && chinese >= wordsOf(text).length;
}
