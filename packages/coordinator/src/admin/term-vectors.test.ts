import assert from 'node:assert/strict';
import test from 'node:test';
import { CALL, fakeCoordinator, stateWith } from '../fake-cluster.js';
import type { TermVectorsRequest } from './admin-requests.js';

const mapping = { properties: { t: { type: 'text' } } };
const STATE = stateWith([{ name: 'h', shards: [['n1']], mapping }]);

const vectorsOf = (text: string): TermVectorsRequest => ({
  index: 'h',
  id: null,
  doc: { t: text },
  routing: null,
  preference: null,
  realtime: true,
  fields: null,
  positions: true,
  offsets: true,
  termStatistics: false,
  fieldStatistics: false,
  filter: null,
  analyzers: null,
});

test('term vectors of a text in several parts have the positions and offsets of the whole', async () => {
  const { json } = await fakeCoordinator(STATE, {}).termVectors(vectorsOf('a b '.repeat(20_000)), CALL);
  const fields = json['term_vectors'] as Record<string, { terms: Record<string, { tokens: unknown[] }> }>;
  const { tokens } = fields['t']!.terms['b']!;
  assert.equal(tokens.length, 20_000);
  assert.deepEqual(tokens.at(-1), { position: 39_999, start_offset: 79_998, end_offset: 79_999 });
});

test('term vectors of more tokens than there is memory for are refused', () => {
  const coordinator = fakeCoordinator(STATE, {}, undefined, { inFlightBytesMax: () => 2 ** 20 });
  return assert.rejects(coordinator.termVectors(vectorsOf('a '.repeat(100_000)), CALL), {
    type: 'circuit_breaking_exception',
    status: 429,
  });
});

test('term vectors end between parts of a text when the client has gone', async () => {
  const gone = new AbortController();
  gone.abort(new Error('the client has gone'));
  const coordinator = fakeCoordinator(STATE, {});
  const running = coordinator.termVectors(vectorsOf('a '.repeat(500_000)), { ...CALL, signal: gone.signal });
  coordinator.clock.advance(10);
  await assert.rejects(running, /the client has gone/);
});
