// deepseek-v4.1: DeepSeek V4.1. DSML with a space in every tag, and a shorter wrapper:
//
//   <｜DSML｜ calls>
//   <｜DSML｜ invoke name="get_weather">
//   <｜DSML｜ parameter name="location" string="true">Beijing</｜DSML｜ parameter>
//   </｜DSML｜ invoke>
//   </｜DSML｜ calls>
//
// The effort stands in a line of its own: <｜System｜>Reasoning Effort: N (range 1-100, …).

import type { Dialect } from '../../engine/dialect.js';
import { dsml, dsmlV4Traits } from './dsml.js';
import { deepseekV4Tokens, dsmlCalls, V41 } from './dsml-calls.js';
import { deepseekV41Back } from './read-back.js';
import { deepseekV41Render } from './v4-prompt.js';

export const deepseekV41: Dialect<'deepseek-v4.1'> = {
  name: 'deepseek-v4.1',
  aliases: ['deepseek_v41', 'deepseekv41', 'dsv41'],
  about: 'DSML as in deepseek-v4, with a space in every tag and the wrapper <｜DSML｜ calls>.',
  models: ['DeepSeek-V4.1'],
  templateSigns: [['｜DSML｜', ' calls>']],
  traits: dsmlV4Traits,
  ...dsml(deepseekV4Tokens),
  render: { ...deepseekV41Render, back: deepseekV41Back },
  constrain: dsmlCalls(V41),
};
