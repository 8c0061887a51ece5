// Simple language rules: stems of words, a few synonyms, and a small dictionary of Chinese, where words are not
// separated.

/** Words that carry no meaning for the choice of a tool. */
export const EMPTY_WORDS = new Set(
  (
    'a an the and or of in on at to for from by with about into is are was were be been am do does did can could ' +
    'would should will shall may might must have has had i me my you your we us our it its this that these those ' +
    'there here what which who whom how why when where please tell give get show let need want like would know ' +
    'some any all no not yes if then than so as up out over under just now today right hello hi hey thanks thank ' +
    'use using used user tool tools call function value values provided given one two s t m re ll ve d'
  ).split(' '),
);

/** Reads lines of a meaning and the words that have it. */
export function meaningsOf(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const [meaning = '', ...words] = line.split(' ');
      return words.map((word) => [word, meaning] as const);
    }),
  );
}

const SYNONYMS = meaningsOf([
  'weather forecast temperature rain raining sunny snow warm cold hot',
  'calculate compute sum add plus minus times multiply calculator calc math',
  'directory folder dir',
  'search lookup find',
  'run execute exec',
  'web website page fetch url',
  'email mail',
  'time clock',
]);

/** Words after `-` carry no meaning. */
const CHINESE = meaningsOf(
  (
    'weather 天气预报 天气 气温 温度 下雨 预报|city 城市|location 地点 位置|directory 文件夹 目录|file 文件|list 列出|' +
    'read 读取 阅读 打开 查看|write 写入 保存|create 创建|delete 删除|search 搜索 查找 查询 查一下 搜|time 时间 几点|' +
    'date 日期|calculate 计算|translate 翻译|email 邮件 邮箱|send 发送|message 消息|stock 股票 股价|price 价格|news 新闻|' +
    'web 网页 网址|run 运行 执行|command 命令|code 代码|- 怎么样 怎样 如何 什么 多少 哪里 哪些 哪个 帮我 请问 请 告诉我 告诉 ' +
    '一下 现在 今天 明天 后天 昨天 我想知道 想知道 知道 我 你 吗 呢 吧 的 了 是 有 在 会 能 要 给 把 个 都 还 这里 这 那 查 看 列 ' +
    '读 用 当前 情况 分别'
  ).split('|'),
);

/** The longest first, because one may begin another. */
export const CHINESE_WORD = new RegExp(
  [...CHINESE.keys()].sort((a, b) => b.length - a.length).join('|'),
  'g',
);

/** Gives the stems of all meaningful words, each once. */
export function meaning(text: string): Set<string> {
  const words = wordsOf(text).filter((word) => !EMPTY_WORDS.has(word));
  const chinese = (text.match(CHINESE_WORD) ?? []).map((word) => CHINESE.get(word) ?? '-');
  const synonyms = words.flatMap((word) => SYNONYMS.get(word) ?? []);
  return new Set([...words, ...synonyms, ...chinese.filter((word) => word !== '-')].map(stem));
}

/** Splits text into words in lower case, and names at `_` and before capitals: `getWeather` is two words. */
export function wordsOf(text: string): string[] {
  const cut = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return cut.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

/** Removes endings. Both sides of a comparison are stemmed, so a stem need not be right, only the same. */
export function stem(word: string): string {
  let root = word;
  if (root.length > 4 && root.endsWith('ies')) root = `${root.slice(0, -3)}y`;
  else if (root.length > 3 && root.endsWith('s') && !root.endsWith('ss')) root = root.slice(0, -1);
  if (root.length > 5 && root.endsWith('ing')) root = root.slice(0, -3);
  else if (root.length > 4 && root.endsWith('ed')) root = root.slice(0, -2);
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root;
}

/** Whether there is more Chinese than words in other letters. */
export function speaksChinese(text: string): boolean {
  const chinese = text.match(/[\u4e00-\u9fff]/g)?.length ?? 0;
  return chinese > 0 && chinese >= wordsOf(text).length;
}
