import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ElectionView, NoMasterWarning, whatIsMissing } from './no-master-warning.js';

const VIEW: ElectionView = {
  committedConfig: ['i1', 'i3', '{bootstrap-placeholder}-n2'],
  acceptedConfig: ['i1', 'i3', '{bootstrap-placeholder}-n2'],
  reached: new Map([
    ['i1', 'n1'],
    ['i2', 'n2'],
  ]),
  initialMasterNodes: ['n1', 'n2', 'n3'],
};

test('a node without a master says each 10 s what an election lacks, and stops when there is one', () => {
  const said: unknown[] = [];
  const warning = new NoMasterWarning({ write: (...line) => said.push(line) });
  const view = (): ElectionView => VIEW;
  for (let ms = 0; ms <= 25_000; ms += 1_000) warning.look(ms, null, view);
  assert.equal(said.length, 2);
  assert.deepEqual(said[0], [
    'warn',
    'no master is elected',
    {
      'event.reason':
        '2 of 3 voting nodes have to reach each other, and this node does not reach those with the ids ' +
        '[i3, {bootstrap-placeholder}-n2]; it reaches n1, n2',
      'event.duration': 10_000_000_000,
    },
  ]);
  warning.look(26_000, 'i3', view);
  for (let ms = 27_000; ms < 37_000; ms += 1_000) warning.look(ms, null, view);
  assert.equal(said.length, 2, 'a new wait begins with the loss of the master');
  warning.look(37_000, null, view);
  assert.equal(said.length, 3);
});

test('both configurations have to have a quorum, and a cluster that was never formed says so', () => {
  const both = { ...VIEW, committedConfig: ['i1', 'i2', 'i3'], acceptedConfig: ['i3', 'i4', 'i1'] };
  assert.match(whatIsMissing(both), /does not reach those with the ids \[i3, i4\]/);
  const enough = { ...VIEW, committedConfig: ['i1', 'i2', 'i3'], acceptedConfig: ['i1', 'i2', 'i3'] };
  assert.match(whatIsMissing(enough), /reaches enough voting nodes \(n1, n2\)/);
  const never = { ...VIEW, committedConfig: [], acceptedConfig: [] };
  assert.match(whatIsMissing(never), /never formed, which needs more than half of \[n1, n2, n3\]; .* reaches n1, n2/);
  assert.match(whatIsMissing({ ...never, initialMasterNodes: [] }), /\[cluster.initial_master_nodes\] is not set/);
});
