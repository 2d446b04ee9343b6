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
