import { expect, it } from 'vitest';
import { shownServer } from './shown-server.js';

it.each([
  ['my-server --flag', 'my-server --flag'],
  ['npx -y @scope/server-x --port 80 name=Rome', 'npx -y @scope/server-x --port 80 name=Rome'],
  ['TOKEN=sk-1234 my-server', 'TOKEN=[hidden] my-server'],
  [
    'my-server --api-key sk-1234 --token=sk-1234 --port 80',
    'my-server --api-key [hidden] --token=[hidden] --port 80',
  ],
  ['docker run -i -e TOKEN=sk-1234 image', 'docker run -i -e TOKEN=[hidden] image'],
  ['env TOKEN=sk-1234 my-server', 'env TOKEN=[hidden] my-server'],
  ['my-server --api-key -sk1234', 'my-server --api-key [hidden]'],
  ['my-server --token --verbose', 'my-server --token --verbose'],
  ['remote https://user:sk-1234@host/mcp?key=sk-1234 -v', 'remote https://host/mcp -v'],
  ['https://user:sk-1234@host/mcp?key=sk-1234', 'https://host/mcp'],
  ['http://user:sk-1234@:99999999/', 'at an address that is no URL'],
])('a server is shown without its keys: %s', (target, name) => {
  expect(shownServer(target).name).toBe(name);
});

it('its keys are hidden in what it printed', () => {
  const { hide } = shownServer('TOKEN=sk-1234 A=1 my-server --key sk-5678 -H "authorization: sk-9"');
  expect(hide('sk-1234 and sk-5678: 1 of 2, "authorization: sk-9"')).toBe(
    '[hidden] and [hidden]: 1 of 2, "[hidden]"',
  );
  const remote = shownServer('remote https://h/mcp?key=sk-1234 -H "authorization: Bearer sk-5678"');
  expect(remote.hide('sk-1234, sk-5678')).toBe('[hidden], [hidden]');
  expect(shownServer('https://h/?key=a%2Fb%2Fc').hide('a%2Fb%2Fc is a/b/c')).toBe('[hidden] is [hidden]');
});
