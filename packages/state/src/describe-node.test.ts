import assert from 'node:assert/strict';
import test from 'node:test';
import { describeNode, nodeJson } from './describe-node.js';
import type { NodeInfo } from './state.js';

const OLDER: NodeInfo = {
  id: 'n1',
  ephemeralId: 'e1',
  name: 'one',
  host: 'h',
  ip: '10.0.0.1',
  transportAddress: '10.0.0.1:9300',
  httpAddress: null,
  roles: ['master', 'data'],
  attributes: { rack: 'r1' },
  version: '8.11.4',
  dataAddress: null,
};

test('a node is listed with its own version, not that of the node that answers', () => {
  assert.deepEqual(nodeJson(OLDER), {
    name: 'one',
    ephemeral_id: 'e1',
    transport_address: '10.0.0.1:9300',
    external_id: 'one',
    attributes: { rack: 'r1' },
    roles: ['data', 'master'],
    version: '8.11.4',
    min_index_version: 7_000_099,
    max_index_version: 8_500_008,
  });
});

test('a node is described in messages by names, addresses, letters of roles, versions and attributes', () => {
  assert.equal(describeNode(OLDER), '{one}{n1}{e1}{one}{h}{10.0.0.1:9300}{dm}{8.11.4}{7000099-8500008}{rack=r1}');
});
