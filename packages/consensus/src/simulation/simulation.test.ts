import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '@shoal/testing';
import { ALL_GUARDS, type Guards } from '../guards.js';
import { exploreConsensus } from './explore.js';
import { huntMutation } from './mutations.js';
import { simulateConsensus } from './simulate.js';

const LIMITS = { terms: 3, versions: 3, late: 1, configs: 4, states: runs(12_000) };
const SEEDS = runs(50);

test('no seed violates an invariant or ends without a common master', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violations } = simulateConsensus(seed);
    assert.deepEqual(violations, [], `seed ${seed}`);
  }
});

test('the same seed gives the same trace, another one another', () => {
  const first = simulateConsensus(42);
  assert.deepEqual(simulateConsensus(42), first);
  assert.notEqual(simulateConsensus(43).traceHash, first.traceHash);
});

/** Seeds of runs that once ended without a common master, or in which a guard was missing. */
const KEPT_SEEDS = [34, 132, 233, 909, 1101, 1894, 3190, 3786, 4095, 1005407, 1017166, 5044235, 10014461, 10032986];

test('seeds that failed once pass', () => {
  for (const seed of KEPT_SEEDS) assert.deepEqual(simulateConsensus(seed).violations, [], `seed ${seed}`);
});

test('the search over states of three nodes finds no violation', () => {
  const { violation, states } = exploreConsensus(LIMITS);
  assert.equal(violation, null);
  assert.ok(states >= 10_000);
});

/**
 * One term, one version, one late vote or accept: small enough for a complete search. `.ci/run` searches with two late
 * messages.
 */
const WHOLE = { terms: 1, versions: 1, late: 1, configs: 1, states: 100_000 };

test('within one term and version the search visits every state', () => {
  const { violation, isComplete } = exploreConsensus(WHOLE);
  assert.deepEqual([violation, isComplete], [null, true]);
});

test('a leader that restarts within its term would publish twice but for startedJoin', () => {
  assert.match(exploreConsensus(WHOLE, { ...ALL_GUARDS, joinStartedJoin: false }).violation ?? '', /^I3/);
});

test('the search notices missing guards', () => {
  const shallow: (keyof Guards)[] = [
    'startJoinHigherTerm',
    'proposeOnAccepted',
    'proposeNextVersion',
    'proposeConfigQuorum',
    'commitCommittedQuorum',
  ];
  for (const guard of shallow) {
    assert.notEqual(exploreConsensus(LIMITS, { ...ALL_GUARDS, [guard]: false }).violation, null, guard);
  }
});

test('the simulator notices missing guards within few seeds', () => {
  const quick: (keyof Guards)[] = [
    'startJoinHigherTerm',
    'proposeNextVersion',
    'proposeConfigCommitted',
    'proposeConfigQuorum',
    'publishValidated',
    'publishOkVersion',
    'commitCommittedQuorum',
    'commitPublishedQuorum',
    'persistBeforeJoin',
    'persistBeforePublishOk',
  ];
  for (const guard of quick) assert.notEqual(huntMutation(guard, 1, 200), null, guard);
});
