// A dialect declared as data: it may come from a JSON or YAML file, and most built-in dialects are declared so.
// `defineDialect` makes a Dialect of it. It declares spelling only. Where a string may be a list, the first spelling
// is written and all are read.

export type Spellings = string | readonly string[];

export interface DialectDeclaration {
  name: string;
  /** Other names, as serving engines spell them. */
  aliases?: readonly string[];
  /** One sentence. */
  about: string;
  /** The models that write it, as their vendors spell them. None: it is only taught, by a system message. */
  models?: readonly string[];
  calls: CallsDeclaration;
  /** Signs of the vendor's chat templates: each is a list of strings that are all in such a template. */
  templateSigns?: readonly (readonly string[])[];
  reasoning?: ReasoningDeclaration;
  /** Frames around text or reasoning, where an answer is made of parts. The first text frame is the one written. */
  frames?: readonly FrameDeclaration[];
  results?: ResultsDeclaration;
  teach?: TeachDeclaration;
  turns?: TurnsDeclaration;
  /** Tokens that end a turn: dropped from an answer, and used as stop strings of the endpoint. */
  ends?: readonly string[];
  /** Tokens that open turns or frame text: dropped from an answer, and broken in text from outside. */
  tokens?: readonly string[];
  /** Other special tokens of the vendor's tokenizer: broken in text from outside, left alone in an answer. */
  special?: readonly string[];
  /** What text after the calls is. Default `aside`: a turn ends with its calls. */
  textAfterCalls?: 'text' | 'aside';
  /** Coerces a JSON string to the number or boolean that the schema requires. Default false. */
  coercesStrings?: boolean;
}

export interface ReasoningDeclaration {
  open: string;
  close: string;
  /** The prompt ends with the opener of the reasoning. Default false. */
  starts?: boolean;
  /** What a call inside reasoning is. Default `if-unclosed`. */
  calls?: 'if-unclosed' | 'never';
  /** Which reasoning of earlier answers is written again. Default: that of `turns`; without turns `last`. */
  kept?: 'all' | 'last' | 'none';
}

export interface FrameDeclaration extends Frame {
  /** Default `text`. */
  voice?: 'text' | 'reasoning';
}

export type CallsDeclaration = JsonCalls | NamedCalls | TaggedCalls | ExpressionCalls;

/** JSON in markers: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. */
export interface JsonCalls {
  family: 'json';
  /**
   * Empty: JSON without markers is a call (see `bare`). One that ends in `[` also begins the list: `functools[`. A
   * code fence counts only at the beginning of a line, and only if it holds a call of a declared tool.
   */
  open: Spellings;
  /** None: the JSON ends by itself. */
  close?: Spellings;
  /** `list`: an array of calls. `object`: one call between the markers. `objects`: several, with `between`. */
  shape: 'list' | 'object' | 'objects';
  /** The separator between objects, and between marked calls. Default a line break. */
  between?: string;
  /** White space that is written inside the markers, before and after the JSON. */
  inside?: readonly [string, string];
  /** What is written between text and calls. Default a line break. */
  before?: string;
  /** The keys of a call; `name-is-key` for `{"get_weather": {…}}`. */
  keys: { name: Spellings; arguments: Spellings; id?: Spellings } | 'name-is-key';
  /** The key of the list, where an object wraps it: `{"tool_calls": […]}`. */
  wrapper?: string;
  /**
   * A call of a declared tool counts without its opener at the beginning of the answer (`answer`) or of a line
   * (`line`). Default: it does not.
   */
  bare?: 'answer' | 'line';
  /** The vendor writes Python literals: 'single quotes', True, None. Default false. */
  python?: boolean;
  /**
   * A call expression may follow the opener instead, as older models of the same name write it: this is what is behind
   * its name. `.call`: `get_weather.call(city="Rome")`.
   */
  expression?: string;
}

/** A name, a separator, JSON arguments: `<|call|>functions.f:0<|args|>{…}<|end|>`. */
export interface NamedCalls {
  family: 'named';
  /** Around all calls. */
  section?: { open: Spellings; close?: Spellings };
  /** Before the name of each call. */
  open: Spellings;
  /** Written between the opener and the name, such as `functions.`; optional when read. */
  prefix?: Spellings;
  /**
   * How an id is spelled: as the index of the call, `:0` after the name; as text after the name and a marker (`open`); or
   * as text after the opener, with a marker between it and the name (`before`). With `open` it is only read, unless
   * `letters` says of how many letters and digits it is written.
   */
  id?: { index: Spellings } | { open: string; letters?: number } | { before: string };
  /** Between name (and id) and arguments. Empty: the arguments begin directly after the name. */
  separator: Spellings;
  /** After the arguments. None: the JSON ends by itself. */
  close?: Spellings;
  /** The arguments are in a code fence: ```json … ```. */
  fence?: boolean;
  /** What is written between two calls. Default nothing. */
  between?: string;
  /** What is written between text and calls. Default a line break. */
  before?: string;
  /** A JSON list of calls may follow the opener instead, as older models of the same name write it. */
  list?: { name: Spellings; arguments: Spellings; id?: Spellings };
}

/** One element for each call and each argument, with values as raw text. */
export interface TaggedCalls {
  family: 'tags';
  /** A token before every tag. */
  namespace?: string;
  /** Around all calls, or around each (`each`). */
  block?: TagPair & { each?: boolean };
  /**
   * `{name}` is the tool's name: in an attribute (`<invoke name="{name}">`), in the tag (`<function={name}>`), or as
   * text after it (`<tool_call>{name}`). `before` and `behind` frame each call.
   */
  call: TagPair & { before?: string; behind?: string };
  /** `{key}` is the argument's key, in the opener and, if it repeats it, the closer; or the key has its own element. */
  argument: TagPair | { key: TagPair; value: TagPair };
  layout?: TagLayout;
  /**
   * One line break on each side of a value is layout and not content: `written` and read, or only `read`, where models
   * add it. Default: it belongs to the value.
   */
  lineLayout?: 'written' | 'read';
  /** A call outside its block counts: if its tool is declared, or if it is closed. Default: it does not. */
  bareCalls?: 'if-declared' | 'if-closed';
  /** The vendor writes True, False and None. Default false. */
  pythonWords?: boolean;
  /** Text with `<`, `&` or line breaks is written as `<![CDATA[…]]>`; or that is only read, as a repair. */
  cdata?: 'written' | 'read';
  /** Objects and lists are nested elements; this is the tag of a list's element. */
  nested?: string;
  /** The block may also hold a call as JSON: `{"name": …, "arguments": {…}}`. Default false. */
  jsonCalls?: boolean;
  /** Keys under which one parameter may hold all arguments, if the tool does not declare them. */
  wrappers?: readonly string[];
}

export interface TagPair {
  open: Spellings;
  close: Spellings;
}

/** White space that is written. */
export interface TagLayout {
  /** Between text and the first block or call. Default a line break. */
  before?: string;
  /** After the block's opener. */
  block?: string;
  /** After the call's opener. */
  call?: string;
  /** Between a key's element and its value's. */
  key?: string;
  /** After each argument. */
  argument?: string;
  /** After each call: before the block's closer, or before the next call. */
  behind?: string;
  /** Between blocks, where each call has its own. Default a line break. */
  between?: string;
}

/** Call expressions: `[f(x="a"), g()]`, `call:f{x:1}`. */
export interface ExpressionCalls {
  family: 'expressions';
  open?: Spellings;
  close?: Spellings;
  /** `python`: `f(x="a")`. `braces`: `call:f{x:"a"}` with keys without quotes. */
  style: 'python' | 'braces';
  /** How several calls are joined. `brackets`: `[f(), g()]`. `lines`: one a line. `each`: markers around each. */
  several: 'brackets' | 'lines' | 'each';
  /** Between the markers of two calls, where each has its own. Default nothing. */
  between?: string;
  /** A list in brackets also counts without the opener, at the beginning of the answer or of a line. Default false. */
  bare?: boolean;
  /** Before the name, in braces: `call:`. */
  prefix?: string;
  /** The string delimiter, where it is not an ordinary quote: `<|"|>`. */
  quote?: string;
  /** What is written between text and calls. Default a line break. */
  before?: string;
  /** `repr`: arguments as Python prints them, strings in single quotes; objects as JSON. Default JSON in Python's words. */
  values?: 'repr';
}

export interface Frame {
  open: string;
  close: string;
}

/**
 * How results are written. `each` is a template with the placeholders `{output}`, `{name}`, `{id}` and `{index}`;
 * `{output:json}` is the output as JSON.
 */
export interface ResultsDeclaration {
  each: string;
  between?: string;
  before?: string;
  behind?: string;
  /** The role of the message that carries them to a chat endpoint. Default `user`. */
  role?: 'user' | 'tool';
}

/** A text with the definitions of tools in it. */
export interface ToolsText {
  /** `{tools}` is the placeholder of the definitions. */
  text?: string;
  /** `openai`: with the wrapper `{"type": "function", …}`. `function`: the inner object. Default `function`. */
  tools?: 'openai' | 'function';
  /** One definition a line, or one JSON list. Default `lines`. */
  layout?: 'lines' | 'list';
  /** The line of one definition, with `{tool}` as its placeholder. Default the definition alone. */
  each?: string;
  /** Indents the JSON with this many spaces a level. Default: on one line. For a list only. */
  indent?: number;
}

/** The text that teaches a chat endpoint the dialect. Without it one is generated from an example of a call. */
export interface TeachDeclaration extends ToolsText {
  /** A sentence or two on how names, keys and values are written, for the generated text. */
  rules?: string;
}

/** The whole prompt of a completion endpoint, as frames around turns. */
export interface TurnsDeclaration {
  begin?: string;
  system: Frame;
  user: Frame;
  assistant: Frame;
  /** Around the results of one turn. Default: the frame of the user's turns. */
  results?: ResultsTurn;
  /**
   * The system text where none is given, perhaps with another closer than the system turn has, or only where it is asked
   * for. Empty: an empty system turn is written. Default: no turn.
   */
  defaultSystem?: string | DefaultSystem;
  /** Where the tools are written, if not as they are taught after the system text in the system turn. */
  tools?: ToolsTurn;
  /** Between the system text and the tools after it. Default an empty line. */
  beforeTools?: string;
  /** What the reasoning of earlier answers becomes. Default: all of it is kept between its markers. */
  reasoning?: ReasoningTurns;
  /** Texts of the system, the user and the assistant lose the white space around them. Default false. */
  trims?: boolean;
  /** The separator between text and calls is also written before calls without text. Default false. */
  callsApart?: boolean;
  /** Whether calls that are written with their index are counted in each turn, or in the conversation. Default `turn`. */
  counted?: 'turn' | 'conversation';
  /** The end of the prompt, after the opener of the assistant's turn. Default the opener of the reasoning. */
  generation?: GenerationDeclaration;
}

export interface DefaultSystem {
  text: string;
  close?: string;
  /** Written only with the option `template: { defaultSystem: true }`, as texts are that name a model. Default false. */
  asked?: boolean;
}

export interface ResultsTurn extends Frame {
  /** Each result has the frame to itself. Default false. */
  each?: boolean;
  /** The template of a result in a prompt, where it differs from `results.each`, which chat endpoints get. */
  says?: string;
}

export interface ToolsTurn extends ToolsText, Frame {
  /** A turn of their own, before or after the system's, or before the last one of the user. */
  at: 'before-system' | 'behind-system' | 'before-last-user';
}

export interface ReasoningTurns extends Frame {
  /**
   * `last`: only the reasoning after the last user turn. `since-answer`: only that after the last answer without calls.
   * Default `all`.
   */
  kept?: 'all' | 'last' | 'since-answer' | 'none';
  /** What is written where an answer has no reasoning, or it is not kept. Default nothing. */
  absent?: string;
}

export interface GenerationDeclaration {
  /** Where `thinking` is not set. */
  usual?: string;
  /** Where `thinking` is true. Default `usual`. */
  thinking?: string;
  /** Where `thinking` is false. Default `usual`. */
  plain?: string;
}
