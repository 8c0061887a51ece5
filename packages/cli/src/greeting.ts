// What a gateway says when it starts: where it is, what it offers, and commands to paste.

import type { GatewayConfig } from '@dragoman/gateway';
import { colors } from './terminal.js';

const SHOWN = 12;

export function greeting(url: string, config: GatewayConfig): string {
  const names = config.models.flatMap(({ name, aliases }) => [name, ...aliases]);
  const model = names.find((name) => name !== '*') ?? 'your-model';
  const key = config.keys.length > 0 ? '<your key>' : 'none';
  return [
    `${colors.bold('Dragoman')} answers at ${colors.bold(url)}`,
    '',
    ...modelLines(names, config),
    ...pasteLines(url, model, key),
    '',
    colors.dim('Stop with Ctrl-C.'),
  ].join('\n');
}

function modelLines(names: readonly string[], { upstreams }: GatewayConfig): string[] {
  const demo = [...upstreams.values()].every(({ kind }) => kind === 'demo');
  const shown = names.map((name) => (name === '*' ? 'any name, passed on' : name));
  const more = shown.length > SHOWN ? `, and ${shown.length - SHOWN} more` : '';
  return [
    `${colors.bold('Models')}  ${shown.slice(0, SHOWN).join(', ')}${more}`,
    ...(demo
      ? ['        The demo model is a few rules and no neural network: it shows the way, not the wit.']
      : []),
    '',
  ];
}

const tool =
  '{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}';

function pasteLines(url: string, model: string, key: string): string[] {
  const auth = key === 'none' ? '' : ` -H 'authorization: Bearer ${key}'`;
  const body = `{"model":"${model}","messages":[{"role":"user","content":"What is the weather in Beijing?"}],"tools":[${tool}]}`;
  return [
    ...paste('curl', `curl ${url}/v1/chat/completions${auth} -d '${body}'`),
    ...paste('OpenAI', `new OpenAI({ baseURL: '${url}/v1', apiKey: '${key}' })`),
    ...paste('Anthropic', `new Anthropic({ baseURL: '${url}', apiKey: '${key}' })`),
    ...paste(
      'Claude Code',
      `ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=${key} ANTHROPIC_MODEL=${model} claude`,
    ),
    ...paste(
      'Codex',
      `OPENAI_API_KEY=${key} codex -c model_provider=dragoman -c model=${model} \\\n  -c 'model_providers.dragoman={name="dragoman",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}'`,
    ),
    ...paste(
      'opencode',
      `OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${key} opencode run -m openai/${model} 'List the files here.'`,
    ),
  ];
}

function paste(name: string, command: string): string[] {
  return [colors.bold(name), `  ${command.replaceAll('\n', '\n  ')}`];
}
