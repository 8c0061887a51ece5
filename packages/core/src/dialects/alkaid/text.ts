// The text that teaches a model alkaid. The words are those of the protocol's own documents, with their examples
// corrected because models copy examples: `parameters` was a list there, the tool list and the results were no JSON,
// and `boolean` was misspelt. The English document ends before the tool list; ours has a placeholder for it, as the
// Chinese one has.

import type { TaughtTexts } from '../../families/writing/tool-text.js';

const weatherTool = (description: string, city: string) => `<tools_input>
[
    {
        "name": "get_weather",
        "description": "${description}",
        "parameters": {
            "location": {
                "description": "${city}",
                "type": "string",
                "required": true
            }
        }
    }
]
</tools_input>`;

const weatherCalls = (beijing: string, shanghai: string) => `<tools>
[
    {
        "name": "get_weather",
        "id":"get_weather_beijing",
        "parameters": {
            "location": "${beijing}"
        }
    },
    {
        "name": "get_weather",
        "id":"get_weather_shanghai",
        "parameters": {
            "location": "${shanghai}"
        }
    }
]
</tools>`;

const weatherReturns = (sunny: string) => `<tools_return>
[
    {
        "name": "get_weather",
        "id":"get_weather_beijing",
        "return": "{\\"weather\\":\\"${sunny}\\",\\"temperature\\":\\"25℃\\"}"
    },
    {
        "name": "get_weather",
        "id":"get_weather_shanghai",
        "return": "{\\"weather\\":\\"${sunny}\\",\\"temperature\\":\\"30℃\\"}"
    }
]
</tools_return>`;

export const ALKAID_TEXT: TaughtTexts = {
  en: {
    full: `### Tool Calls

In responses, you can invoke tools to perform specific tasks. Tool calls are implemented by wrapping a JSON string inside a \`<tools>\` tag (indentation is not required).

#### Tool Call Format

**Users will provide tool calls in the following format**：

<tools_input>
[
    {
        "name": tool_name,
        "description": tool_description,
        "parameters": {
            "parameter_name_1": {
                "description": parameter_description_1,
                "type": parameter_type (one of string, number, array, object, boolean),
                "required": whether_parameter_is_required (true or false)
            },
            "parameter_name_2": {
                ...
            }
        }
    }
]
</tools_input>

**You should call tools in the following format**：

<tools>
[
    {
        "name": tool_name,
        "id": tool_call_id,
        "parameters": {
            "parameter_name_1": parameter_value_1 (must match the type defined in the request),
            ...
        }
    }
]
</tools>

**Tool response**：

<tools_return>
[
    {
        "name": tool_name,
        "id": tool_call_id,
        "return": tool_return_value
    },
    {
        "name": tool_name_2,
        ...
    }
]
</tools_return>

**Notes**：

\`"name"\` must be the first field in a tool call.

Note: Tool calls must be placed inside a \`<tools>\` tag and must appear at the end of a reply.
Note: Tool calls must be placed inside a \`<tools>\` tag and must appear at the end of a reply.
Note: Tool calls must be placed inside a \`<tools>\` tag and must appear at the end of a reply.

#### Example

**System prompt**：

${weatherTool('Get weather information for a specified city', 'The name of the city to query')}

**User input**：

Please get the weather for Beijing and Shanghai.

**You should reply**：

${weatherCalls('Beijing', 'Shanghai')}

**Tool call results**：

${weatherReturns('Sunny')}

#### Available tools

<tools_input>
{{.toolsJson}}
</tools_input>`,
    short: `### Tool Calls

You can call tools. To do so, end your reply with a \`<tools>\` tag that holds a JSON array of calls:

<tools>
[
    {"name": "get_weather", "id": "get_weather_beijing", "parameters": {"location": "Beijing"}}
]
</tools>

- \`"name"\` comes first. \`"id"\` is your own choice, another one for each call. \`"parameters"\` is an object whose values have the declared types.
- Several calls are several objects in one array. Nothing follows \`</tools>\`.
- The results come in the next message as \`<tools_return>\`, a JSON array of \`{"name", "id", "return"}\`. Never write that tag yourself.

#### Available tools

<tools_input>
{{.toolsJson}}
</tools_input>`,
  },
  zh: {
    full: `### 工具调用

在回复中，你可以调用工具来执行特定的任务。工具调用通过在 \`<tools>\` 标签内包裹的 json 字符串实现（缩进不是强制要求）。

#### 工具调用格式

**用户会以如下格式输入工具调用**：

<tools_input>
[
    {
        "name": 工具名称,
        "description": 工具描述,
        "parameters": {
            "参数名1": {
                "description": 参数描述1,
                "type": 参数类型（取值 string, number, array, object, boolean）,
                "required": 参数是否必须（取值 true 或 false）
            },
            "参数名2": {
                ...
            }
        }
    }
]
</tools_input>

**你需要以如下方式调用工具**：

<tools>
[
    {
        "name": 工具名称,
        "id": 工具调用ID，用于区分同一请求不同的工具调用,
        "parameters": {
            "参数名1": 参数值1（必须和请求的数据类型相同）,
            ...
        }
    }
]
</tools>

**工具返回**：

<tools_return>
[
    {
        "name": 工具名称,
        "id": 工具调用ID，和请求时的ID一致,
        "return": 工具返回值，为一个字符串
    },
    {
        "name":工具名称2,
        ...
    }
]
</tools_return>

**注意事项**：

谨记：工具调用必须在 \`<tools>\` 标签内，并且位于一段回复的结尾。
谨记：工具调用必须在 \`<tools>\` 标签内，并且位于一段回复的结尾。
谨记：工具调用必须在 \`<tools>\` 标签内，并且位于一段回复的结尾。

#### 示例

**系统提示词**：

${weatherTool('获取指定城市的天气信息', '需要查询的城市名称')}

**用户输入**：

帮我查询北京和上海的天气。

**你需要回复**：

${weatherCalls('北京', '上海')}

**工具调用结果**：

${weatherReturns('晴')}

#### 可用工具

<tools_input>
{{.toolsJson}}
</tools_input>`,
    short: `### 工具调用

你可以调用工具。调用时，在回复的结尾写一个 \`<tools>\` 标签，其中是由各次调用组成的 JSON 数组：

<tools>
[
    {"name": "get_weather", "id": "get_weather_beijing", "parameters": {"location": "北京"}}
]
</tools>

- \`"name"\` 必须是第一个字段；\`"id"\` 由你自定，每次调用各不相同；\`"parameters"\` 是一个对象，各参数值必须符合声明的类型。
- 多次调用写成同一个数组里的多个对象。\`</tools>\` 之后不要再写任何内容。
- 调用结果会在下一条消息的 \`<tools_return>\` 中给出，是由 \`{"name", "id", "return"}\` 组成的 JSON 数组。不要自己写这个标签。

#### 可用工具

<tools_input>
{{.toolsJson}}
</tools_input>`,
  },
};
