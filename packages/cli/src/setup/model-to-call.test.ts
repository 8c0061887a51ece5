import { parseConfig } from '@dragoman/gateway/config';
import { describe, expect, it } from 'vitest';
import type { CheckedUpstream } from './check-upstreams.js';
import { modelToCall } from './model-to-call.js';

const faulty: CheckedUpstream = {
  findings: [{ check: 'upstream', status: 'fail', text: 'does not answer', code: 4 }],
  listed: [],
};

function chosen(text: string, checked: Record<string, CheckedUpstream>, named?: string) {
  const result = parseConfig(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return modelToCall(result.config, new Map(Object.entries(checked)), named);
}

describe('the model that doctor calls', () => {
  const two = `upstreams: { one: http://one/v1, two: http://two/v1 }
models:
  - { name: a, upstream: one }
  - { name: b, upstream: two, alias: [also-b] }
  - { name: both, upstream: [one, two] }
`;
  const wellAtTwo: Record<string, CheckedUpstream> = {
    one: faulty,
    two: { findings: [], listed: [], engine: 'vllm' },
  };

  it('is one whose upstream is well, with the engine of that one', () => {
    expect(chosen(two, wellAtTwo)).toEqual({ model: 'b', engine: 'vllm' });
    expect(chosen(two, wellAtTwo, 'also-b')).toEqual({ model: 'also-b', engine: 'vllm' });
  });

  it('needs one upstream of several', () => {
    expect(chosen(two, wellAtTwo, 'both')).toEqual({ model: 'both', engine: 'vllm' });
    expect(chosen(two, { one: faulty, two: faulty }, 'both')).toMatchObject({
      skipped: { text: 'skipped, because both is at the upstreams one, two, which cannot be used' },
    });
  });

  it('is left to the gateway where the configuration does not have it', () => {
    expect(chosen(two, wellAtTwo, 'c')).toEqual({ model: 'c', engine: undefined });
  });

  it('is one of the list where any name is taken', () => {
    const any = 'upstreams: { one: http://one/v1 }\n';
    const listed = ['bge-m3', 'mine', 'qwen3-8b'];
    expect(chosen(any, { one: { findings: [], listed } })).toMatchObject({ model: 'qwen3-8b' });
    expect(chosen(any, { one: { findings: [], listed: ['bge-m3'] } })).toMatchObject({
      skipped: { text: 'no model to call' },
    });
    expect(chosen(any, { one: faulty })).toMatchObject({
      skipped: { text: 'skipped, because the models are those of the upstream one, which cannot be used' },
    });
  });
});
