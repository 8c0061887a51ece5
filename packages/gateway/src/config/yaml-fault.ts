// Describes YAML errors in our own words: the parser's messages may repeat the text, and with it secrets.

import type { ErrorCode } from 'yaml';

interface Words {
  message: string;
  hint?: string;
}

const indent: Words = {
  message: 'the indentation does not fit, or a bracket or quote is not closed',
  hint: 'Members of one map, and items of one list, begin in the same column.',
};

const words: ReadonlyMap<ErrorCode, Words> = new Map<ErrorCode, Words>([
  ['BAD_INDENT', indent],
  ['TAB_AS_INDENT', { message: 'lines are indented with tabs', hint: 'YAML wants spaces.' }],
  [
    'MISSING_CHAR',
    { message: 'a character is missing here: a quote, a bracket, a comma, a colon or a space' },
  ],
  ['BAD_DQ_ESCAPE', { message: 'there is no such escape in double quotes', hint: 'Use single quotes.' }],
  ['BAD_SCALAR_START', { message: 'text cannot begin with this character', hint: 'Put it in quotes.' }],
  ['BLOCK_AS_IMPLICIT_KEY', { message: 'there are two colons in one line', hint: 'Put the text in quotes.' }],
  ['MULTILINE_IMPLICIT_KEY', { message: 'expected name and colon in one line', hint: 'Is a colon missing?' }],
  ['MULTIPLE_DOCS', { message: 'expected one document, found several', hint: 'Take out the line ---.' }],
  ['RESOURCE_EXHAUSTION', { message: 'the file is nested too deeply' }],
]);

export function yamlFault(code: ErrorCode): Words {
  return words.get(code) ?? { message: 'this cannot be read as YAML' };
}
