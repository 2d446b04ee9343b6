import assert from 'node:assert/strict';
import test from 'node:test';
import { CALL, fakeCoordinator, stateWith } from '../fake-cluster.js';

const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1']] }]), {});
const analyze = (body: object, signal: AbortSignal = CALL.signal): Promise<Readonly<Record<string, unknown>>> =>
  coordinator.analyze(null, body, { ...CALL, signal });

test('_analyze refuses more tokens than allowed, of one text or of several', async () => {
  const tooMany = { type: 'illegal_state_exception', reason: /maximum of \[10000\]/ };
  await assert.rejects(analyze({ text: 'a '.repeat(10_001) }), tooMany);
  await assert.rejects(analyze({ text: 'a '.repeat(400_000) }), tooMany);
  await assert.rejects(analyze({ text: new Array(10_001).fill('a') }), tooMany);
  assert.equal(((await analyze({ text: 'a '.repeat(10_000) }))['tokens'] as unknown[]).length, 10_000);
});

test('_analyze refuses texts of more than a million characters', () =>
  assert.rejects(analyze({ tokenizer: 'keyword', text: 'a'.repeat(1_000_001) }), {
    type: 'illegal_argument_exception',
    reason: 'The length [1000001] of the texts of [_analyze] exceeds the allowed maximum of [1000000]',
  }));

test('_analyze takes names of attributes only', () =>
  assert.rejects(analyze({ text: 'a', attributes: [[]] }), {
    type: 'x_content_parse_exception',
    reason: '[analyze_request] failed to parse field [attributes]',
  }));

test('_analyze takes texts that are values, and names or objects of filters', async () => {
  const reason = (key: string): string => `[analyze_request] failed to parse field [${key}]`;
  const refuses = (body: object, key: string, cause: string) =>
    assert.rejects(analyze(body), ({ reason: found, causedBy }: { reason: string; causedBy: { reason: string } }) => {
      assert.deepEqual([found, causedBy.reason], [reason(key), cause]);
      return true;
    });
  await refuses({ text: [{}, 'c'] }, 'text', "Can't get text on a START_OBJECT");
  await refuses({ text: ['a', null] }, 'text', "Can't get text on a VALUE_NULL");
  await refuses({ text: [['a']] }, 'text', 'expected value but got [START_ARRAY]');
  await refuses({ text: 'a', tokenizer: 'standard', filter: [[]] }, 'filter', 'expected value but got [START_ARRAY]');
});

test('texts of a field lie as far apart as in its index', async () => {
  const properties = { t: { type: 'text' }, u: { type: 'text', position_increment_gap: 1 }, k: { type: 'keyword' } };
  const mapped = fakeCoordinator(stateWith([{ name: 'm', shards: [['n1']], mapping: { properties } }]), {});
  const positions = async (field: string): Promise<number[]> => {
    const answer = await mapped.analyze(mapped.singleIndex('m', CALL), { field, text: ['a b', 'c'] }, CALL);
    return (answer['tokens'] as { position: number }[]).map((token) => token.position);
  };
  assert.deepEqual(await positions('t'), [0, 1, 102]);
  assert.deepEqual(await positions('u'), [0, 1, 3]);
  assert.deepEqual(await positions('k'), [0, 1]);
  for (const field of ['t', 'u']) {
    const explained = await mapped.analyze(mapped.singleIndex('m', CALL), { field, text: '', explain: true }, CALL);
    assert.deepEqual(explained, { detail: { custom_analyzer: false, analyzer: { name: 'default', tokens: [] } } });
  }
});

test('_analyze ends between texts when its client has gone', async () => {
  const gone = new AbortController();
  gone.abort(new Error('the client has gone'));
  const running = analyze({ text: new Array(9000).fill('a') }, gone.signal);
  coordinator.clock.advance(10);
  await assert.rejects(running, /the client has gone/);
});

test('texts of a built-in analyzer follow each other without an index, others with a gap', async () => {
  const positions = async (body: object): Promise<unknown> =>
    ((await analyze({ ...body, text: ['a', 'b'] }))['tokens'] as { position: number }[]).map((token) => token.position);
  assert.deepEqual(await positions({}), [0, 1]);
  assert.deepEqual(await positions({ analyzer: 'simple' }), [0, 1]);
  assert.deepEqual(await positions({ tokenizer: 'standard' }), [0, 101]);
});
