// A scripted stand-in for a model, so that the examples run without one: it writes a fixed call in GLM's dialect, then
// repeats the result.

/** @returns {import('@dragoman/core/bridge').Upstream} */
export function pretendModel() {
  return {
    takes: 'messages',
    tools: false,
    media: false,
    async *ask({ conversation }) {
      const last = conversation.messages.at(-1);
      const said = last?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
      const result = said.split('<tool_response>\n')[1]?.split('\n</tool_response>')[0];
      const call =
        '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>';
      const text = result === undefined ? `I will look.\n${call}` : `The tool says: ${result}`;
      yield { type: 'answer-start' };
      for (let at = 0; at < text.length; at += 4) yield { type: 'text-delta', text: text.slice(at, at + 4) };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}
