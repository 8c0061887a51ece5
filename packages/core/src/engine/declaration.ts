// A dialect as data: what a file of JSON or YAML can say, and what most dialects of the list are made of.
// `defineDialect` makes a Dialect of it. Spelling only; where a string may be a list, the first is written and all
// are read.

export type Spellings = string | readonly string[];

export interface DialectDeclaration {
  name: string;
  /** Other names, as serving engines spell them. */
  aliases?: readonly string[];
  /** One sentence. */
  about: string;
  /** The models that write it, as their vendors spell them. None: it is only taught. */
  models?: readonly string[];
  calls: CallsDeclaration;
  reasoning?: ReasoningDeclaration;
  /** What stands around text (or more reasoning) where an answer is made of parts. Of the text's, the first is written. */
  frames?: readonly FrameDeclaration[];
  results?: ResultsDeclaration;
  teach?: TeachDeclaration;
  turns?: TurnsDeclaration;
  /** Tokens that end a turn: no content in an answer, and where an endpoint stops. */
  ends?: readonly string[];
  /** Tokens that open turns or frame text: no content in an answer, broken in text from outside. */
  tokens?: readonly string[];
  /** What text behind the calls is. Default `aside`: a turn ends with its calls. */
  textAfterCalls?: 'text' | 'aside';
  /** A JSON string becomes a number or boolean where the schema says so. Default false. */
  coercesStrings?: boolean;
}

export interface ReasoningDeclaration {
  open: string;
  close: string;
  /** The prompt's end opens it. Default false. */
  starts?: boolean;
  /** What a call inside reasoning is. Default `if-unclosed`. */
  calls?: 'if-unclosed' | 'never';
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
   * Empty: JSON alone is a call (see `bare`). One that ends in `[` begins the list, too: `functools[`. A fence counts
   * only at the beginning of a line, and if it holds a call of a declared tool.
   */
  open: Spellings;
  /** None: the JSON ends by itself. */
  close?: Spellings;
  /** `list`: an array of calls. `object`: one call between the markers. `objects`: several, with `between`. */
  shape: 'list' | 'object' | 'objects';
  /** What stands between objects, and between marked calls. Default a line break. */
  between?: string;
  /** White space that is written inside the markers, before and behind the JSON. */
  inside?: readonly [string, string];
  /** What is written between text and calls. Default a line break. */
  before?: string;
  /** The keys of a call; `name-is-key` for `{"get_weather": {…}}`. */
  keys: { name: Spellings; arguments: Spellings; id?: Spellings } | 'name-is-key';
  /** The key of the list, where an object stands around it: `{"tool_calls": […]}`. */
  wrapper?: string;
  /**
   * A call without its opener counts where an answer begins with it (`answer`), or a line (`line`), if it is one of a
   * declared tool. Default: it does not.
   */
  bare?: 'answer' | 'line';
  /** The vendor writes Python's literals: 'single quotes', True, None. Default false. */
  python?: boolean;
}

/** A name, a separator, JSON arguments: `<|call|>functions.f:0<|args|>{…}<|end|>`. */
export interface NamedCalls {
  family: 'named';
  /** Around all calls. */
  section?: { open: Spellings; close?: Spellings };
  /** Before the name of each call. */
  open: Spellings;
  /** Behind the opener, before the name: `functions.` Read with or without it. */
  prefix?: Spellings;
  /**
   * How an id is spelled: by the place of the call, `:0` behind the name; as text behind the name and a marker (only
   * read); or as text behind the opener, with this marker between it and the name (`before`).
   */
  id?: { index: Spellings } | { open: string } | { before: string };
  /** Between name (and id) and arguments. An empty one: the arguments begin right behind the name. */
  separator: Spellings;
  /** Behind the arguments. None: the JSON ends by itself. */
  close?: Spellings;
  /** The arguments stand in a fence: ```json … ```. */
  fence?: boolean;
  /** What is written between two calls. Default nothing. */
  between?: string;
  /** What is written between text and calls. Default a line break. */
  before?: string;
  /** Behind the opener a list of calls in JSON may stand instead, as older models of the same name write it. */
  list?: { name: Spellings; arguments: Spellings; id?: Spellings };
}

/** One element a call, one element an argument, values as raw text. */
export interface TaggedCalls {
  family: 'tags';
  /** A token that stands before every tag. */
  namespace?: string;
  /** Around all calls, or around each (`each`). */
  block?: TagPair & { each?: boolean };
  /**
   * `{name}` stands for the tool: in an attribute (`<invoke name="{name}">`), in the tag (`<function={name}>`), or as
   * text behind it (`<tool_call>{name}`). `before` and `behind` frame each call.
   */
  call: TagPair & { before?: string; behind?: string };
  /** `{key}` stands for the key, in the closer, too, if it names it; or the key has an element of its own. */
  argument: TagPair | { key: TagPair; value: TagPair };
  layout?: TagLayout;
  /**
   * One line break on each side of a value is layout: `written`, or only `read`, where models add it. Default: it
   * belongs to the value.
   */
  lineLayout?: 'written' | 'read';
  /** A call outside its block counts: if its tool is declared, or if it is closed. Default: it does not. */
  bareCalls?: 'if-declared' | 'if-closed';
  /** The vendor writes True, False and None. Default false. */
  pythonWords?: boolean;
  /** Text with `<`, `&` or line breaks is written as `<![CDATA[…]]>`; or that is only read, as a repair. */
  cdata?: 'written' | 'read';
  /** Objects and lists are elements in elements; this is what an element of a list is called. */
  nested?: string;
  /** A call may stand in the block as JSON: `{"name": …, "arguments": {…}}`. Default false. */
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
  /** Before the first block or call, behind text. Default a line break. */
  before?: string;
  /** Behind the block's opener. */
  block?: string;
  /** Behind the call's opener. */
  call?: string;
  /** Between a key's element and its value's. */
  key?: string;
  /** Behind each argument. */
  argument?: string;
  /** Behind each call: before the block's closer, or before the next call. */
  behind?: string;
  /** Between blocks, where each call has its own. Default a line break. */
  between?: string;
}

/** Call expressions: `[f(x="a"), g()]`, `call:f{x:1}`. */
export interface ExpressionCalls {
  family: 'expressions';
  open?: Spellings;
  close?: Spellings;
  /** `python`: `f(x="a")`. `braces`: `call:f{x:"a"}` with the keys bare. */
  style: 'python' | 'braces';
  /** How several calls stand together. `brackets`: `[f(), g()]`. `lines`: one a line. `each`: markers around each. */
  several: 'brackets' | 'lines' | 'each';
  /** Between the markers of two calls, where each has its own. Default nothing. */
  between?: string;
  /** A list in brackets counts without the opener, too, where it begins the answer or a line. Default false. */
  bare?: boolean;
  /** Before the name, in braces: `call:`. */
  prefix?: string;
  /** What quotes a string, where it is no ordinary quote: `<|"|>`. */
  quote?: string;
}

export interface Frame {
  open: string;
  close: string;
}

/**
 * How results come back. In `each`, `{output}`, `{name}`, `{id}` and `{index}` stand for what they say,
 * `{output:json}` for the same as JSON.
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
  /** `{tools}` stands for the definitions. */
  text?: string;
  /** `openai`: with the wrapper `{"type": "function", …}`. `function`: the inner object. Default `function`. */
  tools?: 'openai' | 'function';
  /** One definition a line, or one JSON list. Default `lines`. */
  layout?: 'lines' | 'list';
  /** What stands on the line of one definition, with `{tool}` for it. Default the definition alone. */
  each?: string;
  /** The JSON has lines of its own, with so many spaces a level. Default: none. For a list only. */
  indent?: number;
}

/** The text that teaches a chat endpoint. Without it one is made from an example of a call. */
export interface TeachDeclaration extends ToolsText {
  /** A sentence or two on how names, keys and values are written, for the text that is made. */
  rules?: string;
}

/** The whole prompt of a completion endpoint, where it is frames around turns. */
export interface TurnsDeclaration {
  begin?: string;
  system: Frame;
  user: Frame;
  assistant: Frame;
  /** Around the results of one turn. Default: those of the user. */
  results?: ResultsTurn;
  /** The system text where nobody gave one. An empty one: the turn is there all the same. Default: no turn. */
  defaultSystem?: string;
  /** Where the tools stand, if not in the system's turn behind its text, as they are taught. */
  tools?: ToolsTurn;
  /** Between the system text and the tools behind it. Default an empty line. */
  beforeTools?: string;
  /** What the reasoning of earlier answers becomes. Default: all of it stands between its markers. */
  reasoning?: ReasoningTurns;
  /** Texts of the system, the user and the assistant lose the white space around them. Default false. */
  trims?: boolean;
  /** What stands between text and calls stands before calls without text, too. Default false. */
  callsApart?: boolean;
  /** What the prompt ends with, behind the opener of the assistant's turn. Default what opens the reasoning. */
  generation?: GenerationDeclaration;
}

export interface ResultsTurn extends Frame {
  /** Each result has the frame to itself. Default false. */
  each?: boolean;
  /** What a prompt says of a result, where that is not what a chat endpoint is sent: as `results.each`. */
  says?: string;
}

export interface ToolsTurn extends ToolsText, Frame {
  /** A turn of their own, before or behind the system's. */
  at: 'before-system' | 'behind-system';
}

export interface ReasoningTurns extends Frame {
  /** `last`: that behind the last user's turn. Default `all`. */
  kept?: 'all' | 'last' | 'none';
}

export interface GenerationDeclaration {
  /** As it comes. */
  usual?: string;
  /** Where thinking is asked for. Default `usual`. */
  thinking?: string;
  /** Where no thinking is asked for. Default `usual`. */
  plain?: string;
}
