import { configFromFlags } from '@dragoman/gateway/config';
import { expect, it } from 'vitest';
import { greeting } from './greeting.js';

it('the greeting says which engines were found, if any', () => {
  const result = configFromFlags({ upstream: 'http://localhost:8000/v1' });
  if (!result.ok) throw new Error('the configuration is invalid');
  const url = 'http://127.0.0.1:8787';
  expect(greeting(url, result.config, new Map([['default', 'vLLM']]))).toContain('default: vLLM');
  expect(greeting(url, result.config)).not.toContain('Engine');
});
