import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reading } from '../../charts/readings.js';
import { eventsOf } from './time-line.js';

const reading = (at: number, nodes: string[], master: string | null, status: string, unassigned: number): Reading => ({
  at,
  status,
  nodes,
  master,
  indices: 1,
  documents: 1,
  shards: { active: 1, starting: 0, unassigned },
  indexedPerSecond: 0,
  searchesPerSecond: 0,
});

test('a failover is told as it went, the newest first', () => {
  const events = eventsOf([
    reading(1, ['n1', 'n2'], 'n1', 'green', 0),
    reading(2, ['n1', 'n2'], 'n1', 'green', 0),
    reading(3, ['n2'], 'n2', 'yellow', 3),
    reading(4, ['n1', 'n2'], 'n2', 'green', 0),
  ]);
  assert.deepEqual(
    events.map(({ at, what }) => `${at} ${what}`),
    [
      '4 0 copies have no node, had 3',
      '4 the status is green, was yellow',
      '4 node n1 came',
      '3 3 copies have no node, had 0',
      '3 the status is yellow, was green',
      '3 the master is n2, was n1',
      '3 node n1 left',
    ],
  );
  assert.deepEqual(eventsOf([]), []);
});
