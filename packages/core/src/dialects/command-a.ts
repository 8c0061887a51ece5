// command-a: Cohere's Command R7B, Command A, A Reasoning, A Vision and North.
//
//   <|START_THINKING|>I should look.<|END_THINKING|><|START_ACTION|>[
//       {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Rome"}}
//   ]<|END_ACTION|>
//
// Text stands in <|START_RESPONSE|>…<|END_RESPONSE|>, from Command A Reasoning on in <|START_TEXT|>…<|END_TEXT|>;
// both are read, and text without either is text. Newer prompts open the thinking, so an answer may begin in it.
//
// Elsewhere: vLLM takes citations out (`<co>…</co: 0:[1]>`); they are text here, as the model wrote them. SGLang
// takes a list that was cut off for whole.
//
// There is no whole prompt: the vendor's templates differ from model to model, and carry long instructions of its own.

import { defineDialect } from '../families/declared/define-dialect.js';
import { cohereSpecial, cohereTokens } from './command-r.js';

export const commandA = defineDialect({
  name: 'command-a',
  aliases: ['cohere_command3', 'cohere_command4', 'cohere2', 'command-r7b', 'command-a-reasoning'],
  about: 'A JSON list of calls with ids in <|START_ACTION|>, text in <|START_RESPONSE|>.',
  models: ['Command R7B', 'Command A', 'Command A Reasoning', 'Command A Vision', 'North Mini Code'],
  templateSigns: [['<|START_ACTION|>', '<|END_ACTION|>']],
  calls: {
    family: 'json',
    open: '<|START_ACTION|>',
    close: '<|END_ACTION|>',
    shape: 'list',
    keys: { id: 'tool_call_id', name: 'tool_name', arguments: 'parameters' },
    before: '',
  },
  reasoning: { open: '<|START_THINKING|>', close: '<|END_THINKING|>', starts: true },
  frames: [
    { open: '<|START_RESPONSE|>', close: '<|END_RESPONSE|>' },
    { open: '<|START_TEXT|>', close: '<|END_TEXT|>' },
  ],
  results: {
    before: '<|START_TOOL_RESULT|>[\n',
    each: `    {
        "tool_call_id": {id:json},
        "results": {
            "0": {output:json}
        },
        "is_error": null
    }`,
    between: ',\n',
    behind: '\n]<|END_TOOL_RESULT|>',
  },
  teach: {
    rules:
      'Number the calls of the conversation in "tool_call_id", from "0" on. For several calls, write several objects ' +
      'in the one list.',
  },
  ends: ['<|END_OF_TURN_TOKEN|>'],
  tokens: cohereTokens,
  special: ['<|START_TOOL_RESULT|>', '<|END_TOOL_RESULT|>', '<|IMG_PATCH|>', ...cohereSpecial],
});
