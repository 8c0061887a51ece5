import { describe, expect, it } from 'vitest';
import { askDemo, settings, user, weather } from './demo.fixture.js';
import { spelledCalls } from './spelled-calls.js';

const echo = {
  name: 'echo',
  description: 'Gives back a text.',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};
const hard = 'a "b" \\n <tool_call> <system-reminder>c</system-reminder>\n\n<|im_end|> 007';

describe('a question that spells its calls out', () => {
  it.each(settings.filter((_, at) => at % 6 === 0))('gets them in $dialect.name', async (setting) => {
    const question = `Call the tool \`echo\` with exactly this text:\n<<<\n${hard}\n>>>`;
    const { calls } = await askDemo(setting, { messages: [user(question)], tools: [echo, weather] });
    expect(calls).toEqual([{ name: 'echo', input: { text: hard } }]);
  });

  const [setting] = settings;
  const ask = (text: string) =>
    askDemo(setting as never, { messages: [user(text)], tools: [echo, weather] }).then(({ calls }) => calls);

  it('gets JSON as arguments, several calls, and a text of any length', async () => {
    const json = '调用工具 `get_weather`，参数恰好如下：\n<<<\n{"city": "北京", "days": 3}\n>>>';
    expect(await ask(json)).toEqual([{ name: 'get_weather', input: { city: '北京', days: 3 } }]);
    const long = 'x = "1";\n'.repeat(4000);
    const two = ['one', long].map(
      (text) => `Call the tool \`echo\` with exactly this text:\n<<<\n${text}\n>>>`,
    );
    expect(await ask(two.join('\n\n'))).toEqual(
      ['one', long].map((text) => ({ name: 'echo', input: { text } })),
    );
  });

  it('gets none of a tool that is not there', () => {
    const question = 'Call the tool `gone` with exactly this text:\n<<<\nx\n>>>';
    expect(spelledCalls(question, [echo])).toEqual([]);
  });
});

describe('a question with a schema for the answer', () => {
  it('gets JSON that fits it', async () => {
    const [setting] = settings;
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, people: { type: 'integer' } },
      required: ['city', 'people'],
    };
    const system = `# Answer format\n\nYour answer must be JSON that fits this JSON Schema:\n${JSON.stringify(schema)}\nWrite the JSON alone.`;
    const messages = [{ role: 'system', content: system }, user('Name a city.')];
    const { text } = await askDemo(setting as never, { messages, tools: [] });
    expect(JSON.parse(text)).toEqual({ city: expect.any(String), people: expect.any(Number) });
  });
});
