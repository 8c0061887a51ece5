// Issues are what a model did wrong; repairs are what was read leniently. Both are data, never thrown.

import type { Range } from './events.js';

export type IssueCode =
  | 'incomplete-call' // the text ended inside a call: it is not delivered
  | 'unclosed-block' // the text ended before the block closed, in a dialect where only a closed block runs
  | 'unreadable-call' // the arguments could not be read: it is not delivered
  | 'unsupported-code' // code that would have to be run to be understood
  | 'missing-id' // the dialect demands an id and there is none: not delivered
  | 'unknown-tool' // delivered; no tool of that name was declared
  | 'schema-mismatch' // delivered; the input breaks the tool's schema
  | 'wrong-type' // delivered; a value is not JSON where JSON was due, and is kept as text
  | 'ambiguous-value' // delivered, where a call was read: a text may be cut at a closer in it, or a value has no key or no closer
  | 'duplicate-key'
  | 'duplicate-id'
  | 'bad-id' // an id too long or with strange characters: another was made
  | 'too-deep'
  | 'too-long'
  | 'too-many-calls'
  | 'too-many-notes' // more issues and repairs than are listed
  | 'text-after-calls'
  | 'forged-result' // the model wrote a tool's result itself
  | 'foreign-format' // a call in a format that is not this dialect's
  | 'stripped-markers' // a call without its special tokens, which the upstream left out: it stays text
  | 'quoted-call' // a call that the text of a native upstream only shows, as an example or a mention: it stays text
  | 'nested-block'
  | 'missing-call' // no call where one was required
  | 'other-tool' // a call of another tool than the required one
  | 'unreadable-answer' // the answer is no JSON where JSON was asked for: delivered as it was written
  | 'answer-mismatch' // delivered; the answer breaks the schema that was asked for
  | 'suspected-echo' // the call appears in untrusted input
  | `strict:${RepairCode}`; // a repair, under `strict`

export type RepairCode =
  | 'trailing-comma'
  | 'missing-comma'
  | 'missing-colon'
  | 'missing-value'
  | 'comment'
  | 'single-quotes'
  | 'unquoted-key'
  | 'python-word' // True, False, None
  | 'control-character'
  | 'unescaped-quote'
  | 'bad-escape'
  | 'number-format' // .5, +1, 0x10, 1_000
  | 'missing-bracket'
  | 'extra-bracket'
  | 'bare-object' // one call where a list is due
  | 'bare-list' // a list of calls where one is due
  | 'other-key' // `arguments` for `parameters` and the like
  | 'arguments-as-string'
  | 'arguments-as-list' // [{name, value}, …]
  | 'flat-arguments' // arguments beside the name
  | 'wrapped-arguments' // one parameter that holds them all
  | 'missing-arguments'
  | 'missing-id'
  | 'string-as-scalar' // "5" where the schema says number
  | 'string-as-json' // "[1]" where the schema says array; "null" where it says null
  | 'near-key' // filePath where the schema says file_path
  | 'python-literal'
  | 'guessed-name' // a number where the tool's name should be
  | 'guessed-type' // neither an attribute nor a schema gave the type
  | 'missing-closer'
  | 'missing-opener'
  | 'missing-wrapper'
  | 'other-closer'
  | 'stray-closer'
  | 'stray-marker'
  | 'doubled-opener'
  | 'fused-name'
  | 'other-spelling' // of a tag
  | 'cdata'
  | 'json-body'
  | 'literal-escape' // \n written out between tags
  | 'role-token'
  | 'bare-attribute'
  | 'text-in-block'
  | 'other-version'
  | 'call-in-reasoning'
  | 'stray-think'
  | 'fenced-answer' // JSON that was asked for, in a code fence: taken out of it
  | 'text-around-answer' // prose around JSON that was asked for: left out, and reported as `aside`
  | 'leaked-call' // written as text by an upstream that has tools: made a real call
  | 'leaked-copy' // and sent as a real call as well: dropped
  | 'rescued-call'; // read from the error of an upstream that could not read it

export interface Issue {
  code: IssueCode;
  range: Range;
  message: string;
  /** What was read, where it is not delivered otherwise. */
  raw?: string;
}

export interface Repair {
  code: RepairCode;
  range: Range;
}
