// What each issue and each repair means for the person who runs the model, and what to do about it.
// `dragoman explain` and the playground use the same words.

import type { Issue, IssueCode, RepairCode } from '../model/index.js';

type PlainIssueCode = Exclude<IssueCode, `strict:${string}`>;

const MORE_TOKENS =
  'Give the model more tokens (max_tokens), or look for a stop string that occurs inside the call.';
const TEACH = 'If it happens often, show the model the format: `dragoman render --messages`.';

const issues: Record<PlainIssueCode, string> = {
  'incomplete-call': `Half a call is never run. ${MORE_TOKENS}`,
  'unclosed-block': `Only a closed block is run. ${MORE_TOKENS}`,
  'unreadable-call': `Its arguments cannot be read, so it is not run. ${TEACH}`,
  'unsupported-code': 'The call holds code, and code is never run to find an argument. Ask for plain values.',
  'missing-id': 'The dialect wants an id for each call, and this one has none, so it is not run.',
  'unknown-tool':
    'The call is read, but no tool of that name was declared. Check the spelling, and that the tool was sent with the request.',
  'schema-mismatch':
    "The call is read, but its input breaks the tool's schema. Say in the tool's description what it takes.",
  'wrong-type':
    'The value is not of the type it should be, and is kept as text. Check the schema of the tool.',
  'ambiguous-value':
    'It is not certain where an argument ends: its text holds a tag of the call, or one is missing. Ask for tags in a text with a backslash after their first character.',
  'duplicate-key':
    'The same argument is given twice. As an object, the last one counts; JSON text may keep both. Check which was meant.',
  'duplicate-id': 'Two calls have the same id; the second gets another. Nothing to do.',
  'bad-id': 'The id is too long or has strange characters, so another was made. Nothing to do.',
  'too-deep': 'The arguments are nested deeper than the limit. Simplify the schema of the tool.',
  'too-long': 'The call is longer than the limit. Let the tool take a file, or several smaller calls.',
  'too-many-calls': 'There are more calls than one answer may have; the rest is not run.',
  'too-many-notes': 'There are more issues and repairs than are listed. The first usually explain the rest.',
  'text-after-calls':
    'A turn of this dialect ends with its calls; text after them is set aside. Stop the model there.',
  'forged-result':
    "The model wrote a tool's result itself. It is not used. Stop the model at the end of its calls.",
  'foreign-format':
    'This is how another dialect spells calls, so it is no call here. Choose the dialect that fits.',
  'stripped-markers': 'A call without its special tokens, which the upstream left out. It stays text.',
  'quoted-call':
    'The text only shows this call, as an example or a mention. It stays text: a call that is meant begins a line.',
  'nested-block': 'A block of calls is inside another. Only one of them is read.',
  'missing-call': 'A call was required, and there is none. Ask again, or require none.',
  'other-tool': 'Another tool was called than the one that was asked for.',
  'unreadable-answer': 'JSON was asked for, and the answer is none. It is delivered as it was written.',
  'answer-mismatch':
    'JSON was asked for, and the answer breaks its schema. Describe the members in the schema.',
  'suspected-echo':
    'The call occurs word for word in the text that the model was given: it may be copied and not meant.',
};

const repairs: Record<RepairCode, string> = {
  'trailing-comma': 'A comma too many before a closing bracket. It is ignored.',
  'missing-comma': 'A comma is missing between two values. They are read as if it were there.',
  'missing-colon': 'A colon is missing between a key and its value. It is read as if it were there.',
  'missing-value': 'A key has no value. It is read as null.',
  comment: 'JSON has no comments. It is ignored.',
  'single-quotes': 'JSON has double quotes only. The text between the single ones is read.',
  'unquoted-key': 'A key without quotes. It is read as if it had them.',
  'python-word': 'True, False or None, as in Python. Read as true, false or null.',
  'control-character':
    'A string holds a line break or another control character without an escape. It is kept.',
  'unescaped-quote': 'A quote inside a string has no backslash. What follows shows that the string goes on.',
  'bad-escape': 'A backslash before a character that needs none. The text is kept as it is written.',
  'number-format': 'A number that JSON does not spell so. Its value is read.',
  'missing-bracket': 'A closing bracket is missing. What follows shows where it belongs.',
  'extra-bracket': 'A closing bracket too many. It is ignored.',
  'bare-object': 'One call is written where a list of calls is due. It is read as a list of one.',
  'bare-list': 'A list of calls is written where one is due. Each is read.',
  'other-key': 'A key by another name, such as parameters for arguments. It is read as the right one.',
  'arguments-as-string': 'The arguments are JSON inside a string. They are taken out of it.',
  'arguments-as-list': 'The arguments are a list of names and values. They are read as an object.',
  'flat-arguments':
    'The arguments are beside the name and not in an object of their own. They are read as arguments.',
  'wrapped-arguments': 'One parameter holds all the arguments. They are taken out of it.',
  'missing-arguments': 'There are no arguments. Read as an empty object.',
  'missing-id': 'The call has no id. One was made.',
  'string-as-scalar':
    'A string is written where the schema has a number or a boolean, and reads as one. It is converted.',
  'near-key': 'A member is nearly named as the schema names it. It is renamed.',
  'string-as-json':
    'A string is written where the schema has an array, an object or null, and reads as one. It is converted.',
  'python-literal': "A value in Python's spelling. It is read as the JSON it stands for.",
  'guessed-name':
    'A number is written in place of the tool name. The arguments fit one tool alone, which is taken.',
  'guessed-type':
    'No schema gives the type of this value; it was guessed from its text. Give --tools to be sure.',
  'missing-closer': 'A closing tag is missing. What follows shows where the call ends.',
  'missing-opener': 'An opening tag is missing. What follows shows where the call begins.',
  'missing-wrapper': 'The tag around the calls is missing. The calls are read all the same.',
  'other-closer': 'The closing tag is that of another tag. It is read as the one that is due.',
  'stray-closer': 'A closing tag that closes nothing. It is ignored.',
  'stray-marker': 'A token of the format that has no place here. It is ignored.',
  'doubled-opener': 'The opening tag is written twice. One of them counts.',
  'fused-name':
    'The name of the tool and what follows it run together. The declared tools show where the name ends.',
  'other-spelling': 'A tag in another spelling. It is read as the right one.',
  cdata: 'The value is wrapped in CDATA. It is taken out.',
  'json-body': 'The arguments are JSON where tags are due. They are read.',
  'literal-escape': 'Line breaks are written out as \\n between tags. They are read as white space.',
  'role-token': 'The text holds a token that begins or ends a turn. It is dropped.',
  'bare-attribute': 'An attribute without quotes. It is read as if it had them.',
  'text-in-block': 'There is prose between the calls of a block. It is ignored.',
  'other-version': 'The spelling of another version of this format. It is read.',
  'call-in-reasoning': 'The call is in reasoning that never closes. It is read as a call.',
  'stray-think': 'A tag of reasoning that has no partner. It is ignored.',
  'fenced-answer': 'The JSON that was asked for is in a code fence. It is taken out.',
  'text-around-answer': 'There is prose around the JSON that was asked for. It is left out.',
  'leaked-call': 'The call came as text from a server that has tools. It was made a real call.',
  'leaked-copy': 'The call came twice, as text and as a call. The text was dropped.',
  'rescued-call': 'The server could not read the call. It was read from the error.',
};

export function meaningOfRepair(code: RepairCode): string {
  return repairs[code];
}

/** Under --strict a repair is an issue. */
export function meaningOfIssue({ code }: Pick<Issue, 'code'>): string {
  if (code.startsWith('strict:')) return repairs[code.slice('strict:'.length) as RepairCode];
  return issues[code as PlainIssueCode];
}
