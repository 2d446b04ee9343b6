import assert from 'node:assert/strict';
import { test } from 'node:test';
import { node } from '@shoal/protocol';
import type { ClusterState, NodeInfo } from '@shoal/state';
import { encodeJson } from '../json-bytes.js';
import { fakeCoordinator, stateWith } from '../fake-cluster.js';

const nodeOf = (id: string, roles: readonly string[]): [string, NodeInfo] => [
  id,
  { id, name: id, ephemeralId: 'e', host: 'h', transportAddress: 'h:1', roles } as unknown as NodeInfo,
];

/** Checks a pipeline on n1; n2 has the processors `known`, or does not answer. Returns the nodes that were asked. */
async function asked(body: Record<string, unknown>, roles: readonly string[], known: readonly string[] | null) {
  const nodes: string[] = [];
  const state: ClusterState = { ...stateWith([]), nodes: new Map([nodeOf('n1', ['ingest']), nodeOf('n2', roles)]) };
  const coordinator = fakeCoordinator(state, {
    async other(action, nodeId) {
      nodes.push(`${action} ${nodeId}`);
      if (known === null) throw new Error('gone');
      const processors = known.map((type) => ({ type }));
      return node.methods.call.encodeAnswer({ body: encodeJson({ ingest: { processors } }) });
    },
  });
  await coordinator.ingest.check('p', body);
  return nodes;
}

const BODY = {
  processors: [{ set: { field: 'a', value: 1, on_failure: [{ uppercase: { field: 'a', tag: 'up' } }] } }],
};

test('a processor that another ingest node lacks is refused by name', async () => {
  assert.deepEqual(await asked(BODY, ['ingest'], ['set', 'uppercase']), ['node/call n2']);
  await assert.rejects(asked(BODY, ['ingest'], ['set']), {
    type: 'parse_exception',
    status: 400,
    reason: 'Processor type [uppercase] is not installed on node [{n2}{n2}{e}{h}{h:1}]',
    meta: { processor_type: 'uppercase', processor_tag: 'up' },
  });
});

test('nodes that run no pipelines are not asked, and one that does not answer stands in no way', async () => {
  assert.deepEqual(await asked(BODY, ['data'], []), []);
  assert.deepEqual(await asked(BODY, ['ingest'], null), ['node/call n2']);
});
