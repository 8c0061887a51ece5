// deepseek-v3.2: DeepSeek V3.2.
//
//   <｜DSML｜function_calls>
//   <｜DSML｜invoke name="get_weather">
//   <｜DSML｜parameter name="location" string="true">Beijing</｜DSML｜parameter>
//   </｜DSML｜invoke>
//   </｜DSML｜function_calls>
//
// As deepseek-v4 with another wrapper; results come back as <function_results> with one <result> each.

import type { Dialect } from '../../engine/dialect.js';
import { dsml, dsmlTraits } from './dsml.js';
import { deepseekV32Tokens, dsmlCalls, V32 } from './dsml-calls.js';
import { deepseekV32Render } from './prompt.js';
import { deepseekV32Back } from './read-back.js';

export const deepseekV32: Dialect<'deepseek-v3.2'> = {
  name: 'deepseek-v3.2',
  aliases: ['deepseek_v32', 'deepseekv32', 'dsv32'],
  about: 'DSML tags with a string attribute for the type, in <｜DSML｜function_calls>.',
  models: ['DeepSeek-V3.2', 'DeepSeek-V3.2-Speciale'],
  templateSigns: [['｜DSML｜', 'function_calls>']],
  traits: { ...dsmlTraits, roles: 'strict' },
  ...dsml(deepseekV32Tokens),
  render: { ...deepseekV32Render, back: deepseekV32Back },
  constrain: dsmlCalls(V32),
};
