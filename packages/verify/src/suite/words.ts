// The words that the suite is drawn from, in English and Chinese. To extend the suite, add lines here.

import type { Language } from './exact-prompt.js';

export interface SuiteWords {
  /** Texts to be given back. */
  texts: readonly string[];
  cities: readonly string[];
  restaurants: readonly string[];
  people: readonly string[];
  dishes: readonly string[];
  /** Questions that one of the tools answers. `{city}`, `{restaurant}`, `{amount}` are filled in. */
  needsTool: readonly string[];
  /** Questions that none of the tools answers. */
  needsNone: readonly string[];
}

export const suiteWords: Record<Language, SuiteWords> = {
  en: {
    texts: [
      'The quick brown fox jumps over the lazy dog.',
      'She said "yes", then \'no\', then nothing.',
      'first line\nsecond line\n\nfourth line',
      'C:\\Users\\new\\table.txt',
      '{"a": [1, 2, {"b": null}]}',
      'if (a < b && c > d) { return `x`; }',
      '50 % of 1,000 = 500',
      'tab\tseparated\tvalues',
      'naïve café, 5 € a piece',
      "SELECT * FROM users WHERE name = 'O''Brien';",
      '# Title\n\n- one\n- two\n\n```js\nlet a = 1;\n```',
      '<p class="x">A &amp; B</p>',
      'true',
      '42',
      '007',
      'null',
    ],
    cities: ['Rome', 'Lisbon', 'Nairobi', 'Toronto', 'New York', 'Rio de Janeiro', 'Oslo', 'Zürich'],
    restaurants: ['Luigi’s', 'The Blue Door', 'Bar 21', 'Chez Nous', 'Noodle & Co'],
    people: ['Ada Lovelace', 'Alan Turing', 'Grace Hopper', 'Linus Pauling'],
    dishes: ['soup', 'grilled fish', 'rice', 'apple pie', 'salad'],
    needsTool: [
      'What will the weather be like in {city} tomorrow?',
      'Do I need an umbrella in {city} today?',
      'Weather forecast for {city}, please, in celsius.',
      'Convert {amount} EUR into USD.',
      'How many CNY are {amount} USD?',
    ],
    needsNone: [
      'Reply with one short sentence that wishes me a good morning.',
      'What is the opposite of hot?',
      'Write a haiku about autumn leaves.',
      'Who wrote Hamlet?',
      'Translate "thank you" into French.',
      'Is 7 a prime number?',
    ],
  },
  zh: {
    texts: [
      '敏捷的棕色狐狸跳过了懒狗。',
      '她说：“好的”，然后又说『不』。',
      '第一行\n第二行\n\n第四行',
      '路径是 D:\\数据\\新建.txt',
      '{"名称": "测试", "数量": [1, 2]}',
      '全角：ＡＢＣ，１２３！',
      '《红楼梦》第一回',
      '温度 25℃，湿度 60%',
      '👍🏽 家庭：👨‍👩‍👧‍👦',
      '零零七',
      '1e400',
      '繁體字與简体字',
    ],
    cities: ['北京', '上海', '成都', '西安', '香港', '台北', '广州'],
    restaurants: ['全聚德', '外婆家', '小南国', '鼎泰丰'],
    people: ['王小明', '李华', '张伟', '陈静'],
    dishes: ['烤鸭', '小笼包', '麻婆豆腐', '炒饭'],
    needsTool: [
      '{city}明天天气怎么样？',
      '请查一下{city}未来三天的天气预报。',
      '今天去{city}要带伞吗？',
      '把 {amount} 美元换算成人民币。',
    ],
    needsNone: [
      '用一句话祝我早上好。',
      '“热”的反义词是什么？',
      '写一首关于秋天的短诗。',
      '《哈姆雷特》的作者是谁？',
      '7 是质数吗？',
    ],
  },
};
