// The text that teaches a model xnl: the words of the protocol's own document, with a comma that its example lacks and a
// line on closers in the code, and the same in English. Each text ends where the tool definitions begin.

import type { TaughtTexts } from '../../families/writing/tool-text.js';

/** What to do about code that holds the closer of its element. The document allows it, and does not say it. */
export const XNL_CLOSERS = {
  en: 'If the code holds </#>, name the marker of its element: <tool_call id="abcd" lang="javascript" #m1> ... </#m1>.',
  zh: '代码里如果有 </#>，就给元素的标记加上名字：<tool_call id="abcd" lang="javascript" #m1> ... </#m1>。',
};

// The examples, the same in both languages.

const CALL = `!unquote_start
<tool_call id="abcd" lang="javascript" #>
SysBuiltIn.bash({
  command: "ls -al",
  timeoutMs: 2000
})
</#>
!unquote_end`;

const SEVERAL = `!unquote_start
<tool_call id="abcd" lang="javascript" #>
SysBuiltIn.read_file({
  path: "list-directory.js"
})
</#>
<tool_call id="bcde" lang="javascript" #>
SysBuiltIn.read_file({
  path: "package.json"
})
</#>
!unquote_end

!unquote_start
<tool_call id="cdef" lang="javascript" #>
SysBuiltIn.write_file({
  path: "a.txt",
  content: "finished\\n"
})
</#>
!unquote_end`;

const QUOTED = `!quote_start
!unquote_start
<tool_call id="abcd" lang="javascript" #>
SysBuiltIn.bash({
    command: "ls -al",
    timeoutMs: 2000
})
</#>
!unquote_end
!quote_end`;

const EXPLORE = `<tool_call id="explore_project" lang="javascript" #>
SysBuiltIn.bash({ command: "ls -la" })
</#>`;

const NO_END = `!unquote_start
<tool_call id="missing_unquote_end" lang="javascript" #>
SysBuiltIn.bash({ command: "pwd" })
</#>`;

const NO_CLOSER = `!unquote_start
<tool_call id="missing_xnl_close" lang="javascript" #>
SysBuiltIn.bash({ command: "ls -la" })
!unquote_end`;

const RESULTS = `!unquote_start
<tool_resp id="abcd" #>
const fs = require('fs');
const path = require('path');
...
</#>
<tool_resp id="bcde" #>
{
  "name": "demo3",
  "version": "1.0.0",
....
</#>
<tool_resp id="cdef" #>
true
</#>
!unquote_end`;

const SHORT_CALL = `!unquote_start
<tool_call id="abcd" lang="javascript" #>
SysBuiltIn.bash({ command: "ls -al", timeoutMs: 2000 })
</#>
!unquote_end`;

export const XNL_TEXT: TaughtTexts = {
  en: {
    full: `When you need to call a tool function, you should not use the standard json toolCalls of the response. Instead you must, must, must make the function call inside the content you return, according to the following standard.

1. Describe the content of one tool_call in the xnl format
The tag of the xnl is always tool_call. Its attrs must have an id field, which identifies the call uniquely and is used later to mark its result. Its attrs must also have the key lang, whose value is always javascript.
Following the function definitions given in this conversation, describe in the javascript language what one function call looks like.
Example:
${CALL}
${XNL_CLOSERS.en}

2. The quote/unquote mechanism
Text you write while thinking, or in some other way, may contain the xnl tags <tool_call #> ... </#>. So that this is not mistaken for a tool_call, a quote/unquote mechanism like that of the lisp/scheme languages is used.
2.1 In the content of each assistant turn, read from the outside in: where tags <tool_call #> ... </#> appear, they are ordinary text, and what is in them is not processed.

2.2 In the content of each assistant turn, read from the outside in: where !unquote_start ... !unquote_end appears, the xnl tool_call content between them is a valid tool_call. One turn may have several tool_calls in several pairs of !unquote_start/!unquote_end.
For example
${SEVERAL}


2.3 In the content of each assistant turn, read from the outside in: where !quote_start ... !quote_end appears, the xnl tool_call content and the !unquote_start/!unquote_end between them are all ignored.
For example
${QUOTED}

Counterexample: this does not trigger a tool call (it is not wrapped in !unquote_start/!unquote_end)
${EXPLORE}

Correct example: it must be wrapped in !unquote_start / !unquote_end
!unquote_start
${EXPLORE}
!unquote_end

Wrong example: !unquote_end is missing (it will not be executed)
${NO_END}

Wrong example: the closing </#> is missing (it will not be executed)
${NO_CLOSER}

3. What the tool functions return
When you have issued one or more tool_calls in an assistant message, I will bring their results in my next message to you. For example
${RESULTS}

4. Available tool functions (the function definitions referred to above)
`,
    short: `You can call tools. Write each call as JavaScript in the content of your reply (not as json toolCalls):
${SHORT_CALL}
- \`id\` is your own choice, another one for each call. The argument is one object of literal values.
- One block may hold several tool_call elements. Without !unquote_start, </#> and !unquote_end nothing is executed.
- ${XNL_CLOSERS.en}
- To mention this syntax without calling, put it between !quote_start and !quote_end.
- Results come in the next message: <tool_resp id="abcd" #> ... </#>. Never write them yourself.

Available tool functions:
`,
  },
  zh: {
    full: `当需要调用工具方法时，你不应该通过response中的json toolCalls 标准，而是必须必须必须换为通过在返回的content中，按照下面的标准进行函数调用

一、需要通过xnl格式描述一次 tool_call 的内容
xnl的tag，固定为tool_call；attr中需要有id字段后面表示调用唯一标识，用于后续在调用结果中进行标记；attr中还需要有lang字段key, 值固定为javascript
你需要按照前面对话中提到的函数定义，使用javascript语言，描述一次函数调用的是怎样的
示例：
${CALL}
${XNL_CLOSERS.zh}

二、quote/unquote机制
由于在思考过程中的文字输出，或者其他可能的方式，可能会包含xnl的<tool_call #> ... </#>标签，为了避免被误认为是一次tool_call，需要使用类似lisp/scheme语言的quote/unquote机制。
2.1 每轮对话assistant中的content，从最外层向内看，如遇到了 <tool_call #> ... </#>标签，认为是普通文本，不需要处理其中的内容

2.2 每轮对话assistant中的content，从最外层向内看，如遇到了 !unquote_start ... !unquote_end , 则中间出现的xnl tool_call 内容，被认为是合法的tool_call。可以允许一轮输出中，有多个!unquote_start/!unquote_end 包裹的多个tool_call
例如
${SEVERAL}


2.3 每轮对话assistant中的content，从最外层向内看，如遇到了 !quote_start ... !quote_end , 则中间出现的xnl tool_call 内容、!unquote_start/!unquote_end 都可以忽略
例如
${QUOTED}

反例：以下内容不会触发工具调用（缺少 !unquote_start/!unquote_end 包裹）
${EXPLORE}

正确示例：必须包裹在 !unquote_start / !unquote_end 中
!unquote_start
${EXPLORE}
!unquote_end

错误示例：缺少 !unquote_end（不会被执行）
${NO_END}

错误示例：缺少 </#> 闭合（不会被执行）
${NO_CLOSER}

三、工具方法的返回
当你通过一次assistant消息，发出了一个或者多个tool_call, 我将会在下轮给你的消息中，带上工具调用的结果。例如
${RESULTS}

四、可用的工具方法（即上文所说的函数定义）
`,
    short: `你可以调用工具。不要使用 json toolCalls，而是在回复的 content 中用 JavaScript 写出每次调用：
${SHORT_CALL}
- id 由你自定，每次调用各不相同；参数是一个对象，其中的值都是字面量。
- 一个块里可以有多个 tool_call。缺少 !unquote_start、</#> 或 !unquote_end 时不会执行。
- ${XNL_CLOSERS.zh}
- 只提及而不调用时，放在 !quote_start 与 !quote_end 之间。
- 结果会在下一条消息中给出：<tool_resp id="abcd" #> ... </#>。不要自己写结果。

可用的工具方法：
`,
  },
};
