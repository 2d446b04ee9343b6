import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeInfo } from '@shoal/state';
import { errors } from '@shoal/errors';
import type { Services } from '../services.js';
import { askNodes, selectNodes } from './nodes.js';

function node(id: string, roles: readonly string[], attributes: Readonly<Record<string, string>> = {}): NodeInfo {
  return {
    id,
    ephemeralId: `${id}-e`,
    name: `name-${id}`,
    host: 'h',
    ip: `10.0.0.${id.slice(1)}`,
    transportAddress: `10.0.0.${id.slice(1)}:9300`,
    httpAddress: null,
    roles,
    attributes,
    version: '8.12.0',
    dataAddress: null,
  };
}

const NODES = [
  node('n1', ['data', 'master']),
  node('n2', ['data_hot', 'ingest'], { rack: 'r2' }),
  node('n3', [], { rack: 'r3' }),
];

function servicesOf(dead: readonly string[] = []): Services {
  const nodes = new Map(NODES.map((one) => [one.id, one]));
  return {
    cluster: { state: () => ({ nodes, masterNodeId: 'n1' }) },
    node: { id: 'n2', info: () => ({ from: 'n2' }), stats: async () => ({ from: 'n2' }) },
    coordinator: {
      callNodes: async (ids: readonly string[]) =>
        ids.map((id) =>
          dead.includes(id)
            ? { nodeId: id, body: null, error: errors.nodeNotConnected(`[${id}] Node not connected`) }
            : { nodeId: id, body: { from: id }, error: null },
        ),
    },
  } as unknown as Services;
}

const chosen = (...filter: string[]): string[] =>
  selectNodes(servicesOf(), filter)
    .map(({ id }) => id)
    .sort();

test('a filter adds nodes by name, id, address, place and attribute, and adds or takes away those with a role', () => {
  assert.deepEqual(chosen(), ['n1', 'n2', 'n3']);
  assert.deepEqual(
    [chosen('_all'), chosen('name-*'), chosen('10.0.0.*')],
    [
      ['n1', 'n2', 'n3'],
      ['n1', 'n2', 'n3'],
      ['n1', 'n2', 'n3'],
    ],
  );
  assert.deepEqual(
    [chosen('_local'), chosen('_master'), chosen('n3'), chosen('name-n1', 'n3')],
    [['n2'], ['n1'], ['n3'], ['n1', 'n3']],
  );
  assert.deepEqual(
    [chosen('data:true'), chosen('master:true'), chosen('coordinating_only:true')],
    [['n1', 'n2'], ['n1'], ['n3']],
  );
  assert.deepEqual(
    [chosen('_all', 'data:false'), chosen('data:false'), chosen('data:false', 'n1')],
    [['n3'], [], ['n1']],
  );
  assert.deepEqual([chosen('rack:r*'), chosen('ra*:r3')], [['n2', 'n3'], ['n3']]);
  assert.deepEqual([chosen('n*x'), chosen('10.0.0.1:9300')], [[], []]);
  assert.throws(() => chosen('data:yes'), /Failed to parse value \[yes\] as only \[true\] or \[false\] are allowed\./);
});

test('nodes that do not answer are counted and named, the others have answered for themselves', async () => {
  const { header, reports } = await askNodes(servicesOf(['n3']), NODES, 'stats');
  assert.deepEqual(
    reports.map(({ json }) => json['from']),
    ['n1', 'n2'],
  );
  assert.deepEqual(header, {
    total: 3,
    successful: 2,
    failed: 1,
    failures: [
      {
        type: 'failed_node_exception',
        reason: 'Failed node [n3]',
        node_id: 'n3',
        caused_by: { type: 'node_not_connected_exception', reason: '[n3] Node not connected' },
      },
    ],
  });
});
