// The text that teaches a model alkaid, in English. The words are those of the protocol's own document, with its
// examples corrected because models copy examples: `parameters` was a list there, and the tool list was no JSON. The
// document ends before the tool list; ours has a placeholder for it, as the Chinese one has.

import type { TaughtText } from '../../families/writing/taught-text.js';

export const ALKAID_TEXT_EN: TaughtText = {
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

<tools_input>
[
    {
        "name": "get_weather",
        "description": "Get weather information for a specified city",
        "parameters": {
            "location": {
                "description": "The name of the city to query",
                "type": "string",
                "required": true
            }
        }
    }
]
</tools_input>

**User input**：

Please get the weather for Beijing and Shanghai.

**You should reply**：

<tools>
[
    {
        "name": "get_weather",
        "id":"get_weather_beijing",
        "parameters": {
            "location": "Beijing"
        }
    },
    {
        "name": "get_weather",
        "id":"get_weather_shanghai",
        "parameters": {
            "location": "Shanghai"
        }
    }
]
</tools>

**Tool call results**：

<tools_return>
[
    {
        "name": "get_weather",
        "id":"get_weather_beijing",
        "return": "{\\"weather\\":\\"Sunny\\",\\"temperature\\":\\"25℃\\"}"
    },
    {
        "name": "get_weather",
        "id":"get_weather_shanghai",
        "return": "{\\"weather\\":\\"Sunny\\",\\"temperature\\":\\"30℃\\"}"
    }
]
</tools_return>

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
};
