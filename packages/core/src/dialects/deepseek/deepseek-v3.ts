// deepseek-v3: DeepSeek V3 and R1 (0324, 0528). The arguments stand in a fence behind the name.
//
//   <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
//   ```json
//   {"location": "Beijing"}
//   ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
//
// V3.1 writes the name before the separator and no fence (see deepseek-v3.1): read here, too, and the word `function`
// may be missing. So may the fence, or its marks, and the tokens may be spelled in ASCII. There is no whole prompt: the vendor's template has no word for tools, and ends a turn of one call
// without its token.

import { defineDialect } from '../../families/declared/define-dialect.js';

/** Gives a token as the vendor spells it, and as models do who write it from memory: with ASCII bars or underscores. */
function spellings(words: string): string[] {
  return [words.replaceAll(' ', '▁'), words.replaceAll(' ', '_')].flatMap((name) => [
    `<｜${name}｜>`,
    `<|${name}|>`,
  ]);
}

export const deepseekV3 = defineDialect({
  name: 'deepseek-v3',
  aliases: ['deepseek_v3', 'deepseekv3', 'deepseek-r1', 'deepseek_r1', 'cogito'],
  about: 'A name and a fence of JSON between special tokens.',
  models: [
    'DeepSeek-V3',
    'DeepSeek-V3-0324',
    'DeepSeek-R1',
    'DeepSeek-R1-0528',
    'Cogito 2.1',
    'Cogito v2.1',
    'Cogito 671b',
  ],
  templateSigns: [['<｜tool▁sep｜>', '```json']],
  calls: {
    family: 'named',
    section: {
      open: [...spellings('tool calls begin'), '<｜tool calls begin｜>'],
      close: spellings('tool calls end'),
    },
    open: spellings('tool call begin'),
    prefix: spellings('tool sep').map((token) => `function${token}`),
    separator: ['\n', ...spellings('tool sep'), ''],
    close: spellings('tool call end'),
    fence: true,
    between: '\n',
    before: '',
  },
  reasoning: { open: '<think>', close: '</think>', starts: true },
  results: {
    before: '<｜tool▁outputs▁begin｜>',
    each: '<｜tool▁output▁begin｜>{output}<｜tool▁output▁end｜>',
    between: '\n',
    behind: '<｜tool▁outputs▁end｜>',
  },
  ends: ['<｜end▁of▁sentence｜>'],
  tokens: ['<｜User｜>', '<｜Assistant｜>', '<｜begin▁of▁sentence｜>'],
  // `<｜` stands for the hundreds of tokens that begin so.
  special: ['<｜', '<|EOT|>'],
});
