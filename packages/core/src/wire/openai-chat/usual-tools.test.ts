import { describe, expect, it } from 'vitest';
import { acceptToolsReport } from '../../model/accept-tools.js';
import { makeConstant } from '../../model/constants.js';
import { decodeRequest } from './decode-request.js';
import { encodeRequest } from './encode-request.js';
import { usualTools } from './usual-tools.js';

const tool = (inner: object, more: object = {}) => ({ type: 'function', function: inner, ...more });
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

const usual: object[][] = [
  [tool({ name: 'a' })],
  [tool({ name: 'a', description: '', parameters: {} })],
  [tool({ parameters: schema, name: 'a', strict: true, description: 'It is.' }), tool({ name: 'b' })],
  [{ function: { name: 'a', strict: false }, type: 'function' }],
];

const other: object[][] = [
  [tool({ name: 'a' }), tool({ name: 'a', description: 'again' })],
  [tool({ name: 'a', description: null })],
  [tool({ name: 'a', parameters: null })],
  [tool({ name: 'a', parameters: { '2': 1, '1': 2 } })],
  [tool({ name: 'a', parameters: { jsonSchema: {} } })],
  [tool({ name: 'a', strict: null })],
  [tool({ name: 'a', input_schema: schema })],
  [tool({ name: 'a' }, { cache_control: { type: 'ephemeral' } })],
  [{ name: 'a', parameters: schema }],
  [{ type: 'custom', custom: { name: 'a' } }],
  [{ type: 'web_search' }],
];

const messages = [{ role: 'user', content: 'Hi.' }];
const own = (list: object[]) => JSON.parse(JSON.stringify(list)) as object[];
const asked = (tools: object[]) => decodeRequest({ model: 'm', messages, tools });

describe('the usual tools', () => {
  it.each(usual.map((list) => [JSON.stringify(list), list] as const))(
    '%s are read as by the long way',
    (_, list) => {
      const read = usualTools(own(list));
      expect(read).toStrictEqual(acceptToolsReport(own(list)).tools);
      expect(read?.map((one) => Object.keys(one))).toEqual(
        acceptToolsReport(own(list)).tools.map((one) => Object.keys(one)),
      );
    },
  );

  it.each(other.map((list) => [JSON.stringify(list), list] as const))('%s take the long way', (_, list) => {
    expect(usualTools(own(list))).toBeUndefined();
  });

  it('are written as they came, as any other tools are', () => {
    for (const list of [...usual, ...other]) {
      const kept = makeConstant(own(list));
      const request = asked(kept);
      expect(request.conversation.tools).toEqual(asked(own(list)).conversation.tools);
      const written = encodeRequest(request);
      expect(JSON.stringify(written)).toBe(JSON.stringify(encodeRequest(asked(own(list)))));
    }
  });
});
