// deepseek-v3.1: DeepSeek V3.1, V3.1-Terminus and V3.2-Exp. Older than DSML: a name, a separator, JSON.
//
//   <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"location": "Beijing"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
//
// Results: <｜tool▁output▁begin｜>…<｜tool▁output▁end｜>. The completion starts inside the reasoning in
// thinking mode, but not behind results: there the vendor's template begins no answer, and its model card has tools
// without thinking only. Serving engines agree that a turn ends with its calls, so text behind them is set aside.

import type { NamedCalls } from '../../engine/declaration.js';
import type { Dialect } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import { forgedResults, roleTokens, THINK } from '../../families/declared/dialect-parts.js';
import { namedJson } from '../../families/named/named-json.js';
import { dsmlTraits } from './dsml.js';
import { deepseekTokens } from './dsml-calls.js';
import { deepseekV31Render } from './prompt.js';
import { deepseekV31Back } from './read-back.js';

const markers = defineMarkers(deepseekTokens);

const calls = {
  family: 'named',
  section: { open: ['<｜tool▁calls▁begin｜>'], close: ['<｜tool▁calls▁end｜>'] },
  open: ['<｜tool▁call▁begin｜>'],
  separator: ['<｜tool▁sep｜>'],
  close: ['<｜tool▁call▁end｜>'],
} satisfies NamedCalls;

export const deepseekV31: Dialect = {
  name: 'deepseek-v3.1',
  aliases: ['deepseek_v31', 'deepseekv31', 'deepseek-v3.2-exp', 'deepseek3'],
  about: 'A name, a separator and JSON between special tokens.',
  models: ['DeepSeek-V3.1', 'DeepSeek-V3.1-Terminus', 'DeepSeek-V3.2-Exp'],
  traits: {
    ...dsmlTraits,
    values: 'json',
    reasoning: { ...THINK, kept: 'none' },
    textAfterCalls: 'aside',
    roles: 'strict',
  },
  markers,
  grammar: {
    openers: namedJson({ ...calls, prefix: [], index: [] }),
    drop: [
      { marker: '<｜end▁of▁sentence｜>' },
      ...roleTokens(['<｜User｜>', '<｜Assistant｜>']),
      { marker: '<｜tool▁calls▁end｜>', repair: 'stray-closer' },
      { marker: '<｜tool▁call▁end｜>', repair: 'stray-closer' },
    ],
    notice: forgedResults('<｜tool▁output▁begin｜>', '<｜tool▁outputs▁begin｜>'),
  },
  render: { ...deepseekV31Render, back: deepseekV31Back },
  constrain: calls,
};
