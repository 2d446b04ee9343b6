// Short form of the drill of hostile requests: those that stopped a node once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNode } from '../node-process.mjs';
import { attacks, runAttacks } from './hostile.mjs';

const MEGABYTES = 512;
/** Tests run beside others: alone it is less than 100 ms, and was seconds before. */
const WORST_MS = 2_000;

const NAMES = [
  'search, JSON of 9 MB, empty lists',
  'search, 96 KB of gzip that are 95 MB of empty lists',
  'search, CBOR of 370 bytes, shared references',
  'search, CBOR of 1 MB, empty lists',
  'search, YAML of 0.9 MB, keys',
  'PUT /hostile-index, JSON of 9 MB, empty lists',
  'PUT /hostile/_doc/1, JSON of 9 MB, keys',
  'PUT /_index_template/hostile, JSON of 9 MB, keys',
  'PUT /_component_template/hostile, JSON of 9 MB, empty lists',
  'PUT /hostile/_settings, JSON of 9 MB, keys',
  'PUT /_cluster/settings, JSON of 9 MB, empty lists',
  'bulk, one document of 95 MB, numbers',
  '20,000 unknown settings',
  '8 connections with 2,000 requests each, no answer is read',
];

test('requests that stopped a node once keep neither others waiting nor more memory than there is', async () => {
  const list = NAMES.map((name) => attacks.find((attack) => attack.name === name));
  for (const row of await runAttacks(list, { startNode, memory: MEGABYTES })) {
    const figures = JSON.stringify(row);
    assert.ok(row.isAlive && row.failed === 0, figures);
    assert.ok(
      row.statuses.every((status) => status < 500),
      figures,
    );
    assert.ok(row.worstMs < WORST_MS, figures);
    assert.ok(row.peak < MEGABYTES * 1.15, figures);
  }
});
