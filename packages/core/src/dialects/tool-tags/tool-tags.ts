// tool-tags: tags that are the tools' own names, as coding agents teach them.
//
//   <read_file>
//   <path>src/app.ts</path>
//   </read_file>
//
// Taught to models that were not trained on it. Only tools that are declared open a call: without tools nothing is
// read. One line break on each side of a value is layout. Reasoning stands in <thinking>.

import type { DialectDeclaration } from '../../engine/declaration.js';
import type { Dialect } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import { declaredRender } from '../../families/declared/declared-render.js';
import { resultFrames } from '../../families/declared/declared-results.js';
import { forgedResults, usualTraits } from '../../families/declared/dialect-parts.js';
import { writeTaggedCalls } from '../../families/tags/tagged-calls.js';
import { taggedRules } from '../../families/tags/tagged-rules.js';
import { TOOL_TAGS, toolTagOpeners, toolTagRules, withToolHeads } from './reader.js';

const reasoning = { open: '<thinking>', close: '</thinking>' };

const declaration: DialectDeclaration = {
  name: 'tool-tags',
  aliases: ['cline', 'roo', 'xml-tools'],
  about: 'Tags that are the names of the tool and of its arguments: taught, as coding agents do.',
  calls: TOOL_TAGS,
  reasoning,
  teach: {
    rules:
      'The tag of a call is the name of the tool, and inside it every argument has a tag of its own name: strings as ' +
      'they are, without quotes or escapes, all other values as JSON. For several calls write several.',
  },
};

const markers = withToolHeads(defineMarkers([...resultFrames(declaration), reasoning.open, reasoning.close]));

export const toolTags: Dialect = {
  name: declaration.name,
  aliases: declaration.aliases ?? [],
  about: declaration.about,
  models: [],
  traits: {
    ...usualTraits,
    values: 'schema',
    reasoning,
    textAfterCalls: 'aside',
  },
  markers,
  grammar: {
    openers: toolTagOpeners(markers),
    notice: forgedResults('<tool_response>'),
  },
  render: declaredRender(declaration, writeTaggedCalls(TOOL_TAGS, toolTagRules(markers))),
  constrain: { ...taggedRules(TOOL_TAGS), triggers: [] },
};
