import { describe, expect, it } from 'vitest';
import type { Log, Store } from '../services.js';
import { MemoryStore } from '../store/memory-store.js';
import { createResponses, type ResponsesOptions } from './create-responses.js';

type Body = Record<string, unknown>;

const user = (text: string) => ({ role: 'user', content: text });
const said = (id: string, text: string) => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const answer = (id: string, output: unknown[], status = 'completed'): Body => ({
  id,
  object: 'response',
  status,
  store: true,
  previous_response_id: null,
  output,
});

function gateway(options: ResponsesOptions = {}, store: Store = new MemoryStore()) {
  return createResponses(store, 60, options);
}

/** Asks and answers, as the gateway does. */
async function turn(client: ReturnType<ReturnType<typeof gateway>['of']>, body: Body, response: Body) {
  const { body: expanded, keep } = await client.expand(body).then((each) => ({
    body: each.body as Body,
    keep: each.keep.bind(each),
  }));
  return { expanded, kept: await keep(response) };
}

async function refusal(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.unreachable('it was taken'),
    (error) => error as Error,
  );
}

describe('previous_response_id', () => {
  it('puts the input and output of the response before in front, and those before that', async () => {
    const client = gateway().of('alice');
    await turn(client, { model: 'm', input: 'one' }, answer('resp_1', [said('msg_1', 'ONE')]));
    const second = { model: 'm', input: [user('two')], previous_response_id: 'resp_1' };
    const { expanded, kept } = await turn(client, second, answer('resp_2', [said('msg_2', 'TWO')]));
    const first = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'one' }] };
    expect(expanded).toEqual({ model: 'm', store: true, input: [first, said('msg_1', 'ONE'), user('two')] });
    expect(kept).toMatchObject({ id: 'resp_2', previous_response_id: 'resp_1', store: true });
    const third = await client.expand({ model: 'm', input: 'three', previous_response_id: 'resp_2' });
    expect((third.body as { input: unknown[] }).input).toHaveLength(5);
  });

  it('carries neither instructions nor tools over, and leaves the rest of the body as it is', async () => {
    const client = gateway().of('alice');
    const before = {
      model: 'm',
      input: 'one',
      instructions: 'Be short.',
      tools: [{ type: 'function', name: 'a' }],
    };
    await turn(client, before, answer('resp_1', []));
    const after = { model: 'n', input: 'two', temperature: 0, previous_response_id: 'resp_1' };
    const { body } = await client.expand(after);
    expect(body).toEqual({ model: 'n', temperature: 0, store: true, input: expect.any(Array) });
  });

  it('branches: two requests may go on from one response', async () => {
    const client = gateway().of('alice');
    await turn(client, { model: 'm', input: 'root' }, answer('resp_1', [said('msg_1', 'ROOT')]));
    for (const branch of ['left', 'right']) {
      const { body } = await client.expand({
        model: 'm',
        input: [user(branch)],
        previous_response_id: 'resp_1',
      });
      expect((body as { input: unknown[] }).input.at(-1)).toEqual(user(branch));
      expect((body as { input: unknown[] }).input).toHaveLength(3);
    }
  });

  it('goes on after a response before it was deleted', async () => {
    const client = gateway().of('alice');
    await turn(client, { model: 'm', input: 'one' }, answer('resp_1', [said('msg_1', 'ONE')]));
    await turn(client, { model: 'm', input: 'two', previous_response_id: 'resp_1' }, answer('resp_2', []));
    await client.delete('resp_1');
    const { body } = await client.expand({ model: 'm', input: 'three', previous_response_id: 'resp_2' });
    expect((body as { input: unknown[] }).input).toHaveLength(4);
  });

  it('leaves out a call that was cut off, since nobody can answer it', async () => {
    const client = gateway().of('alice');
    const call = (id: string, status: string) => ({
      ...{ id, type: 'function_call', call_id: id, name: 'a', arguments: '{"x":' },
      status,
    });
    const output = [call('fc_1', 'completed'), call('fc_2', 'incomplete')];
    await turn(client, { model: 'm', input: 'one' }, answer('resp_1', output, 'incomplete'));
    const { body } = await client.expand({ model: 'm', input: [], previous_response_id: 'resp_1' });
    expect((body as { input: unknown[] }).input.slice(1)).toEqual([output[0]]);
  });

  it.each([
    ['resp_unknown', 'no response with the id "resp_unknown" is kept here'],
    ['', 'no response with the id ""'],
    ['a\u0000b:*', 'no response with the id'],
    ['x'.repeat(5000), 'x…'],
    [5, 'expected the id of a response'],
    [{}, 'expected the id of a response'],
  ])('%j is refused with the path', async (id, words) => {
    const error = await refusal(
      gateway().of('a').expand({ model: 'm', input: '', previous_response_id: id }),
    );
    expect(error).toMatchObject({ code: 'bad-request', path: 'previous_response_id' });
    expect(error.message).toContain(words);
    expect(error.message.length).toBeLessThan(400);
  });

  it('that is null is none; an input that is wrong is left to those who read requests', async () => {
    const client = gateway().of('alice');
    const plain = { model: 'm', input: 'one', store: false };
    expect((await client.expand({ ...plain, previous_response_id: null })).body).toEqual(plain);
    expect((await client.expand({ model: 'm', input: 5, store: false })).body).toEqual({
      ...plain,
      input: 5,
    });
    expect((await client.expand('text')).body).toBe('text');
  });
});

describe('store', () => {
  it('false keeps nothing, neither the response nor its items', async () => {
    const client = gateway().of('alice');
    const { kept } = await turn(
      client,
      { model: 'm', input: 'one', store: false },
      { ...answer('resp_1', [said('msg_1', 'ONE')]), store: false },
    );
    expect(kept.store).toBe(false);
    await expect(client.get('resp_1')).rejects.toMatchObject({ code: 'not-found' });
    const reference = { model: 'm', input: [{ type: 'item_reference', id: 'msg_1' }] };
    await expect(client.expand(reference)).rejects.toMatchObject({ path: 'input[0].id' });
  });

  it('keeps incomplete responses, not failed ones, and the answer says so', async () => {
    const client = gateway().of('alice');
    const ask = { model: 'm', input: 'one' };
    expect((await turn(client, ask, answer('resp_1', [], 'incomplete'))).kept.store).toBe(true);
    expect((await turn(client, ask, answer('resp_2', [], 'failed'))).kept.store).toBe(false);
    expect(await client.get('resp_1')).toMatchObject({ status: 'incomplete' });
    await expect(client.get('resp_2')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('forgets after the time it was told', async () => {
    let now = 0;
    const client = gateway({}, new MemoryStore({ now: () => now })).of('alice');
    await turn(client, { model: 'm', input: 'one' }, answer('resp_1', []));
    now = 59_999;
    await expect(client.get('resp_1')).resolves.toMatchObject({ id: 'resp_1' });
    now = 60_000;
    await expect(client.get('resp_1')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('that fails does not fail the answer: it says store: false, and the log says why', async () => {
    const lines: string[] = [];
    const line = (fields: object, message: string) => void lines.push(message + JSON.stringify(fields));
    const log: Log = { debug: line, info: line, warn: line, error: line };
    const store = new MemoryStore();
    const client = gateway({ log }, store).of('alice');
    const { keep } = await client.expand({ model: 'm', input: 'one' }).then((each) => ({
      keep: (response: Body) => each.keep(response),
    }));
    await store.close();
    expect(await keep(answer('resp_1', []))).toMatchObject({ id: 'resp_1', store: false });
    expect(lines).toEqual([expect.stringContaining('A response was not stored.')]);
    expect(lines[0]).toContain('closed');
  });

  it('that cannot be reached refuses what says store: true before a model is asked, and nothing else', async () => {
    const store = new MemoryStore();
    const client = gateway({}, store).of('alice');
    await expect(client.expand({ model: 'm', input: 'one', store: true })).resolves.toBeDefined();
    await store.close();
    const refused = client.expand({ model: 'm', input: 'one', store: true });
    await expect(refused).rejects.toMatchObject({ code: 'overloaded', path: 'store', retryAfter: 1 });
    await expect(refused).rejects.toThrow('store: false');
    for (const more of [{}, { store: false }, { store: null }])
      await expect(client.expand({ model: 'm', input: 'one', ...more })).resolves.toBeDefined();
  });

  it('that fails when something kept is needed is said as it is', async () => {
    const store = new MemoryStore();
    await store.close();
    const asked = { model: 'm', input: '', previous_response_id: 'resp_1' };
    await expect(gateway({}, store).of('a').expand(asked)).rejects.toMatchObject({ code: 'overloaded' });
  });
});

describe('item_reference', () => {
  it('is replaced by the item, in its place, with and without its type', async () => {
    const client = gateway().of('alice');
    const thought = { id: 'rs_1', type: 'reasoning', summary: [], content: [] };
    await turn(client, { model: 'm', input: 'one' }, answer('resp_1', [thought, said('msg_1', 'ONE')]));
    const input = [user('one'), { type: 'item_reference', id: 'rs_1' }, { id: 'msg_1' }, user('two')];
    const { body } = await client.expand({ model: 'm', input });
    expect((body as Body).input).toEqual([user('one'), thought, said('msg_1', 'ONE'), user('two')]);
  });

  it('to an item that is there already says nothing twice', async () => {
    const client = gateway().of('alice');
    await turn(client, { model: 'm', input: 'one' }, answer('resp_1', [said('msg_1', 'ONE')]));
    const reference = { type: 'item_reference', id: 'msg_1' };
    const behind = { model: 'm', input: [reference, user('two')], previous_response_id: 'resp_1' };
    expect(((await client.expand(behind)).body as { input: unknown[] }).input).toHaveLength(3);
    const twice = { model: 'm', input: [reference, reference, user('two'), reference] };
    expect(((await client.expand(twice)).body as Body).input).toEqual([said('msg_1', 'ONE'), user('two')]);
  });

  it('can name an item of an input by the id it is listed under', async () => {
    const client = gateway().of('alice');
    await turn(client, { model: 'm', input: [user('one'), user('two')] }, answer('resp_1', []));
    const { data } = (await client.inputItems('resp_1')) as { data: { id: string }[] };
    const { body } = await client.expand({
      model: 'm',
      input: [{ type: 'item_reference', id: data[0]?.id }],
    });
    expect((body as Body).input).toEqual([user('two')]);
  });

  it.each([
    [{ type: 'item_reference', id: 'msg_unknown' }, 'no item with the id "msg_unknown" is kept here'],
    [{ type: 'item_reference', id: 'msg_7_resp_1' }, 'no item with the id'],
    [{ type: 'item_reference' }, 'expected the id of an item'],
    [{ id: 5 }, 'expected the id of an item'],
  ])('%j is refused with the path', async (reference, words) => {
    const error = await refusal(
      gateway()
        .of('a')
        .expand({ model: 'm', input: [user('one'), reference] }),
    );
    expect(error).toMatchObject({ code: 'bad-request', path: 'input[1].id' });
    expect(error.message).toContain(words);
  });
});

describe('clients', () => {
  it('cannot read, go on from, refer to or delete what is another’s, whatever their names', async () => {
    const responses = gateway();
    const names = [undefined, '', 'alice', 'bob', 'a:b', 'a%3Ab', '@alice', 'alice:resp_1'];
    for (const [at, name] of names.entries()) {
      await turn(
        responses.of(name),
        { model: 'm', input: 'one' },
        answer(`resp_${at}`, [said(`msg_${at}`, 'ONE')]),
      );
    }
    for (const [at, name] of names.entries()) {
      const client = responses.of(name);
      for (const other of names.keys()) {
        if (other === at) continue;
        const id = `resp_${other}`;
        await expect(client.get(id)).rejects.toMatchObject({ code: 'not-found' });
        await expect(client.delete(id)).rejects.toMatchObject({ code: 'not-found' });
        await expect(client.inputItems(id)).rejects.toMatchObject({ code: 'not-found' });
        await refusal(client.expand({ model: 'm', input: '', previous_response_id: id }));
        await refusal(client.expand({ model: 'm', input: [{ type: 'item_reference', id: `msg_${other}` }] }));
        await refusal(client.expand({ model: 'm', input: [{ type: 'item_reference', id: `msg_0_${id}` }] }));
      }
      await expect(client.get(`resp_${at}`)).resolves.toMatchObject({ id: `resp_${at}` });
    }
  });

  it('on two gateways with one store go on where they were', async () => {
    const store = new MemoryStore();
    await turn(gateway({}, store).of('a'), { model: 'm', input: 'one' }, answer('resp_1', []));
    const there = gateway({}, store).of('a');
    const { body } = await there.expand({ model: 'm', input: 'two', previous_response_id: 'resp_1' });
    expect((body as { input: unknown[] }).input).toHaveLength(2);
  });
});

describe('limits', () => {
  it('on items: of the request, and together with what was kept', async () => {
    const client = gateway({ items: 5 }).of('alice');
    const input = [user('1'), user('2'), user('3')];
    await turn(client, { model: 'm', input }, answer('resp_1', [said('msg_1', 'x')]));
    await expect(client.expand({ model: 'm', input: [...input, ...input] })).rejects.toMatchObject({
      code: 'too-large',
      path: 'input',
    });
    const more = { model: 'm', input: [user('4'), user('5')], previous_response_id: 'resp_1' };
    await expect(client.expand(more)).rejects.toMatchObject({
      code: 'too-large',
      path: 'previous_response_id',
    });
    await expect(client.expand({ ...more, input: [user('4')] })).resolves.toBeDefined();
  });

  it('on characters: what is too long is not kept, what is too much is not taken', async () => {
    const store = new MemoryStore();
    const wide = gateway({}, store).of('alice');
    const long = (id: string) => answer(`resp_${id}`, [said(`msg_${id}`, 'x'.repeat(1000))]);
    await turn(wide, { model: 'm', input: 'one' }, long('1'));
    await turn(wide, { model: 'm', input: 'one' }, long('2'));
    const narrow = gateway({ characters: 1200 }, store).of('alice');
    expect((await turn(narrow, { model: 'm', input: 'one' }, long('3'))).kept.store).toBe(false);
    const reference = (id: string) => ({ type: 'item_reference', id });
    const both = { model: 'm', input: [reference('msg_1'), reference('msg_2')] };
    await expect(narrow.expand(both)).rejects.toMatchObject({ code: 'too-large' });
    await expect(narrow.expand({ model: 'm', input: [reference('msg_1')] })).resolves.toBeDefined();
  });
});

describe('what is kept can be asked for', () => {
  it('a response, as the client saw it; deleted, it is gone with its items', async () => {
    const client = gateway().of('alice');
    const { kept } = await turn(
      client,
      { model: 'm', input: 'one' },
      answer('resp_1', [said('msg_1', 'ONE')]),
    );
    expect(await client.get('resp_1')).toEqual(kept);
    expect(await client.delete('resp_1')).toEqual({ id: 'resp_1', object: 'response', deleted: true });
    for (const gone of [client.get('resp_1'), client.delete('resp_1'), client.inputItems('resp_1')]) {
      await expect(gone).rejects.toMatchObject({ code: 'not-found' });
    }
    await refusal(client.expand({ model: 'm', input: [{ type: 'item_reference', id: 'msg_1' }] }));
  });

  it('its input, in pages, the last first; every item has an id', async () => {
    const client = gateway().of('alice');
    const input = Array.from({ length: 45 }, (_, at) => user(String(at)));
    await turn(client, { model: 'm', input }, answer('resp_1', []));
    const page = (query: string) =>
      client.inputItems('resp_1', new URLSearchParams(query)) as Promise<{
        data: { id: string; content: string }[];
        has_more: boolean;
        first_id: string;
        last_id: string;
      }>;
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { data, has_more, first_id, last_id } = await page(`order=asc&limit=20${after}`);
      expect([first_id, last_id]).toEqual([data[0]?.id, data.at(-1)?.id]);
      seen.push(...data.map(({ content }) => content));
      if (!has_more) break;
      after = `&after=${last_id}`;
    }
    expect(seen).toEqual(input.map(({ content }) => content));
    expect((await page('limit=1')).data).toMatchObject([{ content: '44', type: 'message' }]);
    expect((await page('')).data).toHaveLength(20);
    for (const wrong of ['limit=0', 'limit=101', 'limit=x', 'order=up', 'after=msg_x']) {
      await expect(page(wrong)).rejects.toMatchObject({ code: 'bad-request', path: wrong.split('=')[0] });
    }
  });
});

describe('not supported, with a store or without', () => {
  it.each([
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ conversation: { id: 'conv_1' } }, 'conversation'],
    [{ background: true }, 'background'],
  ])('%j', async (said, path) => {
    for (const responses of [gateway(), createResponses(undefined, 60)]) {
      const error = await refusal(responses.of('a').expand({ model: 'm', input: '', ...said }));
      expect(error).toMatchObject({ code: 'bad-request', path });
      expect(error.message).toContain('not supported here');
    }
  });
});

describe('without a store', () => {
  const client = createResponses(undefined, 60).of('alice');

  it.each<[Body, string]>([
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ store: true }, 'store'],
    [{ input: [user('one'), { type: 'item_reference', id: 'msg_1' }] }, 'input[1]'],
    [{ input: [{ id: 'msg_1' }] }, 'input[0]'],
  ])('%j is refused, with what to configure', async (said, path) => {
    const error = await refusal(client.expand({ model: 'm', input: 'one', ...said }));
    expect(error).toMatchObject({ code: 'bad-request', path });
    expect(error.message).toContain('this gateway keeps no responses');
    expect(error.message).toContain('store.url: memory:, redis://… or postgres://…');
  });

  it.each<[unknown]>([
    [{ model: 'm', input: 'one' }],
    [
      {
        model: 'm',
        input: 'one',
        store: false,
        previous_response_id: null,
        background: false,
        conversation: null,
      },
    ],
    [{ model: 'm', input: [{ id: 'msg_1', role: 'user', content: 'one' }, null, 5] }],
    ['text'],
    [null],
  ])('%j passes as it is, and so does its answer', async (body) => {
    const passed = await client.expand(body);
    expect(passed.body).toBe(body);
    const response = { id: 'resp_1', status: 'completed' };
    expect(await passed.keep(response)).toBe(response);
    expect(passed.show(response)).toBe(response);
  });

  it('nothing can be asked for, and it is said why', async () => {
    for (const asked of [client.get('resp_1'), client.delete('resp_1'), client.inputItems('resp_1')]) {
      await expect(asked).rejects.toMatchObject({
        code: 'not-found',
        message: expect.stringContaining('store.url'),
      });
    }
  });
});
