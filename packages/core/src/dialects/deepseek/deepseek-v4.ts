// deepseek-v4: DeepSeek V4 Pro and Flash.
//
//   <｜DSML｜tool_calls>
//   <｜DSML｜invoke name="get_weather">
//   <｜DSML｜parameter name="location" string="true">Beijing</｜DSML｜parameter>
//   <｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>
//   </｜DSML｜invoke>
//   </｜DSML｜tool_calls>
//
// string="true": verbatim, always a string; "false": JSON. Results come in the user turn, each as
// <tool_result>…</tool_result>. In thinking mode the completion starts inside the reasoning.

import type { Dialect } from '../../engine/dialect.js';
import { dsml, dsmlV4Traits } from './dsml.js';
import { deepseekV4Tokens, dsmlCalls, V4 } from './dsml-calls.js';
import { deepseekV4Back } from './read-back.js';
import { deepseekV4Render } from './v4-prompt.js';

export const deepseekV4: Dialect<'deepseek-v4'> = {
  name: 'deepseek-v4',
  aliases: ['deepseek_v4', 'deepseekv4', 'dsv4'],
  about: 'DSML tags with a string attribute for the type, in <｜DSML｜tool_calls>.',
  models: ['DeepSeek-V4-Pro', 'DeepSeek-V4-Flash'],
  templateSigns: [['｜DSML｜', 'tool_calls>']],
  traits: { ...dsmlV4Traits, roles: 'strict' },
  ...dsml(deepseekV4Tokens),
  render: { ...deepseekV4Render, back: deepseekV4Back },
  constrain: dsmlCalls(V4),
};
