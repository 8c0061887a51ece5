import { configFromFlags } from '@dragoman/gateway/config';
import { expect, it } from 'vitest';
import { greeting } from './greeting.js';

it('the greeting says which engines were found, if any', () => {
  const result = configFromFlags({ upstream: 'http://localhost:8000/v1' });
  if (!result.ok) throw new Error('the configuration is invalid');
  const url = 'http://127.0.0.1:8787';
  expect(greeting(url, result.config, { engines: new Map([['default', 'vLLM']]) })).toContain(
    'default: vLLM',
  );
  expect(greeting(url, result.config)).not.toContain('Engine');
});

it('the commands of the greeting have a model of the upstream, where it is known', () => {
  const result = configFromFlags({ upstream: 'http://localhost:8000/v1' });
  if (!result.ok) throw new Error('the configuration is invalid');
  const url = 'http://127.0.0.1:8787';
  const text = greeting(url, result.config, { live: ['qwen3:8b', 'llama3'] });
  expect(text).toContain('qwen3:8b, llama3, or any other name, which is passed on');
  expect(text).toContain('"model": "qwen3:8b"');
  expect(text).not.toContain('your-model');
  expect(greeting(url, result.config)).toContain('"model": "your-model"');
});

it('the greeting names the tiny model where it is served: beside the demo, and if it is installed', () => {
  const url = 'http://127.0.0.1:8787';
  const [demo, other] = [
    configFromFlags({ demo: true }),
    configFromFlags({ upstream: 'http://localhost:1/v1' }),
  ];
  if (!demo.ok || !other.ok) throw new Error('the configuration is invalid');
  expect(greeting(url, demo.config, { tiny: true })).toContain('\n  tiny, and tiny/ with each dialect');
  expect(greeting(url, demo.config, { tiny: true })).toContain('"model": "tiny"');
  expect(greeting(url, demo.config, { tiny: true })).toContain('ANTHROPIC_MODEL=demo ');
  expect(greeting(url, demo.config)).not.toContain('tiny');
  const own = configFromFlags({ kind: 'tiny' });
  if (!own.ok) throw new Error('the configuration is invalid');
  expect(greeting(url, own.config, { tiny: true })).toContain('a neural network of 8 MB');
  expect(greeting(url, other.config, { tiny: true })).not.toContain('tiny');
});

it('the greeting says which shell its commands are for, where there may be another', () => {
  const demo = configFromFlags({ demo: true });
  if (!demo.ok) throw new Error('the configuration is invalid');
  const on = (platform: NodeJS.Platform) => greeting('http://127.0.0.1:8787', demo.config, { platform });
  expect(on('win32')).toContain('for a POSIX shell, such as Git Bash');
  expect(on('linux')).not.toContain('POSIX');
});
