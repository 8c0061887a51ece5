// command-r: Cohere's Command R and Command R+ (2024).
//
//   Plan: I will look up the weather.
//   Action: ```json
//   [
//       {"tool_name": "get_weather", "parameters": {"city": "Rome"}}
//   ]
//   ```
//
// One list of calls, written on one line here. The fence may begin a line of its own, as in the vendor's template.
// `Plan:` and `Reflection:` before it are text. The vendor's own prompt has a tool `directly_answer` for "no call"; it is
// a call like any other, of a tool that was not declared. There is no whole prompt here: the vendor's template carries
// long instructions of its own.

import { defineDialect } from '../families/declared/define-dialect.js';

export const cohereTokens = [
  '<BOS_TOKEN>',
  '<|START_OF_TURN_TOKEN|>',
  '<|SYSTEM_TOKEN|>',
  '<|USER_TOKEN|>',
  '<|CHATBOT_TOKEN|>',
];

/** The others of Cohere's tokenizers. Those without an end stand for all that begin so. */
export const cohereSpecial: readonly string[] = (
  '<PAD> <UNK> <CLS> <SEP> <MASK_TOKEN> <EOS_TOKEN> <EOP_TOKEN> <PAD_TOKEN> <UNK_TOKEN> <|YES_TOKEN|> <|NO_TOKEN|> ' +
  '<|GOOD_TOKEN|> <|BAD_TOKEN|> <|USER_ <|EXTRA_'
).split(' ');

export const commandR = defineDialect({
  name: 'command-r',
  aliases: ['command-r-plus', 'command-r+', 'cohere'],
  about: 'A JSON list of calls in a fence behind Action:.',
  models: ['Command R', 'Command R+'],
  templateSigns: [['Action:', '```json', '"tool_name"']],
  calls: {
    family: 'json',
    open: ['Action: ```json', 'Action:\n```json', 'Action:```json'],
    close: '```',
    shape: 'list',
    inside: ['\n', '\n'],
    keys: { name: 'tool_name', arguments: 'parameters' },
  },
  results: {
    before: '<results>\n',
    each: '{name}\n{output}',
    between: '\n\n',
    behind: '\n</results>',
  },
  teach: {
    rules:
      'The fence holds one JSON list with an object for each call. For several calls, write several objects in the ' +
      'one list.',
  },
  ends: ['<|END_OF_TURN_TOKEN|>'],
  tokens: cohereTokens,
  special: cohereSpecial,
});
