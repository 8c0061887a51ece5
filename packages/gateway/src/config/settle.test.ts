import { expect, it } from 'vitest';
import { parseConfig } from './parse-config.js';

const base = 'upstream: http://localhost:11434/v1\n';

it.each(['port: 9000\nhealthPort: 9000', 'healthPort: 8787'])(
  'takes no healthPort that is the port of the gateway: %j',
  (more) => {
    expect(parseConfig(base + more)).toMatchObject({
      ok: false,
      problems: [{ path: 'healthPort', message: expect.stringContaining('another port') }],
    });
  },
);

it.each(['port: 9000\nhealthPort: 9001', 'port: 0\nhealthPort: 0', 'healthPort: 0'])(
  'takes another one, or any: %j',
  (more) => {
    expect(parseConfig(base + more)).toMatchObject({ ok: true });
  },
);
