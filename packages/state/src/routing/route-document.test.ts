import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { routeDocument, shardsOfRouting } from './route-document.js';

const index = { numberOfShards: 5, numberOfRoutingShards: 640, routingPartitionSize: 1 };

test('documents with the same routing share a shard', () => {
  assert.equal(routeDocument(index, '1', 'user'), routeDocument(index, '2', 'user'));
  assert.equal(routeDocument(index, 'user', null), routeDocument(index, 'other', 'user'));
});

test('a document of a partitioned index is on one of the shards of its routing', () => {
  const partitioned = { numberOfShards: 8, numberOfRoutingShards: 1024, routingPartitionSize: 3 };
  fc.assert(
    fc.property(fc.string(), fc.string(), (id, routing) =>
      shardsOfRouting(partitioned, routing).includes(routeDocument(partitioned, id, routing)),
    ),
  );
});

test('splitting an index keeps documents on descendants of their shard', () => {
  const split = { ...index, numberOfShards: 10 };
  fc.assert(
    fc.property(fc.string(), (id) => Math.floor(routeDocument(split, id, null) / 2) === routeDocument(index, id, null)),
  );
});

test('an index that an earlier version made with the mode of time series routes by id, as it did', () => {
  const old = { 'index.mode': 'time_series', 'index.version.created': '8500008' };
  assert.equal(routeDocument({ ...index, settings: old }, 'any id', null), routeDocument(index, 'any id', null));
  assert.equal(routeDocument({ ...index, settings: old }, '1', 'user'), routeDocument(index, '1', 'user'));
  // Anyone could give the window of an index to that version, so a window does not tell which version made the index.
  const window = { 'index.time_series.start_time': '2024-01-01', 'index.time_series.end_time': '2025-01-01' };
  assert.equal(
    routeDocument({ ...index, settings: { ...old, ...window } }, '1', null),
    routeDocument(index, '1', null),
  );
  const downsampled = { ...old, 'index.downsample.status': 'success' };
  assert.throws(() => routeDocument({ ...index, settings: downsampled }, 'any id', null), /invalid id/);
  const present = { ...old, 'index.shoal.series_routing': 'true' };
  assert.throws(() => routeDocument({ ...index, settings: present }, 'any id', null), /invalid id/);
});
