// longcat: LongCat-Flash. As hermes, with a tag of its own.
//
//   <longcat_tool_call>
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   </longcat_tool_call>
//
// LongCat-Flash-Lite and later models write the arguments as glm-4.5 does, which is read, too:
//
//   <longcat_tool_call>get_weather
//   <longcat_arg_key>location</longcat_arg_key>
//   <longcat_arg_value>Beijing</longcat_arg_value>
//   </longcat_tool_call>

import type { TaggedCalls } from '../engine/declaration.js';
import type { Dialect, Opener } from '../engine/dialect.js';
import { NO, NOT_YET } from '../engine/markers.js';
import { defineDialect } from '../families/declared/define-dialect.js';
import { taggedFamily } from '../families/tags/tagged-family.js';
import { spaceEnd } from '../text/characters.js';

const OPEN = '<longcat_tool_call>';
const CLOSE = '</longcat_tool_call>';

const withJson = defineDialect({
  name: 'longcat',
  aliases: ['longcat_flash'],
  about: 'One JSON object a call in <longcat_tool_call>.',
  models: ['LongCat-Flash-Chat', 'LongCat-Flash-Thinking', 'LongCat-Flash-Lite', 'LongCat-Next'],
  calls: {
    family: 'json',
    open: OPEN,
    close: CLOSE,
    shape: 'object',
    inside: ['\n', '\n'],
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '<longcat_think>', close: '</longcat_think>', starts: true },
  ends: ['</longcat_s>'],
  // All tokens of its tokenizers and templates begin so: roles, tools, files, images, sound.
  special: ['<longcat_', '</longcat_', '<|longcat_'],
});

const tags: TaggedCalls = {
  family: 'tags',
  call: { open: `${OPEN}{name}`, close: CLOSE },
  argument: {
    key: { open: '<longcat_arg_key>', close: '</longcat_arg_key>' },
    value: { open: '<longcat_arg_value>', close: '</longcat_arg_value>' },
  },
  layout: { call: '\n', key: '\n', argument: '\n', behind: '\n' },
};

/** The most white space between the tag and a name. */
const SPACE_LIMIT = 8;

/** Reads arguments in tags where a name follows the opener; anything else is left to the JSON. */
function ifNamed({ match, ...opener }: Opener): Opener {
  return {
    ...opener,
    match: (text, at, ended) => {
      const length = match(text, at, ended);
      if (length <= 0) return length;
      const end = at + length;
      const name = spaceEnd(text, end, end + SPACE_LIMIT);
      if (name >= text.length) return ended ? NO : NOT_YET;
      return /[\p{L}\p{N}_]/u.test(text.charAt(name)) ? length : NO;
    },
  };
}

const { openers, ...grammar } = withJson.grammar;

export const longcat: Dialect = {
  ...withJson,
  grammar: {
    ...grammar,
    openers: [...taggedFamily.grammar(tags, withJson.markers).openers.map(ifNamed), ...openers],
  },
};
