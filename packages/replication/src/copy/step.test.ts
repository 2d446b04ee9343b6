import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import type { recovery } from '@shoal/protocol';
import type { StoreAtRest } from '@shoal/store';
import { runs, scenarios } from '@shoal/testing';
import fc from 'fast-check';
import { MODE } from '../recovery-source.js';
import { brokenByParts, brokenByStep } from './checks.js';
import type { CopyView } from './copy-view.js';
import { type CopyEffect, type CopyEvent, type CopyState, newCopyState } from './state.js';
import { RECOVERY_FAILURES_MAX, step } from './step.js';

const replica: CopyView = {
  indexUuid: 'index',
  shard: 0,
  allocationId: 'a1',
  isPrimary: false,
  isStarted: false,
  takesOver: false,
  isForced: false,
  recoverySource: 'PEER',
  term: 1,
  group: { inSync: ['b1'], copies: [{ allocationId: 'b1', nodeId: 'n2' }], total: 2 },
  primaryNodeId: 'n2',
};

const note = { note: {}, info: { allocationId: 'a1', previousAllocationId: null } } as unknown as StoreAtRest;
const answerOf = (mode: number): recovery.StartAnswer =>
  ({ mode, recoveryId: 'r1', historyUuid: 'h1', primaryTerm: 1 }) as recovery.StartAnswer;

const list = (text: string): string[] => (text === '' ? [] : text.split(','));

/** Changes a view by words such as `primary term=2 copies=b1,c1`. */
function viewWith(view: CopyView, words: readonly string[]): CopyView {
  return words.reduce<CopyView>((changed, word) => {
    const [key, value = ''] = word.split('=') as [string, string?];
    const { group } = changed;
    switch (key) {
      case 'primary':
        return { ...changed, isPrimary: true, primaryNodeId: null };
      case 'started':
        return { ...changed, isStarted: true };
      case 'takes-over':
        return { ...changed, takesOver: true };
      case 'forced':
        return { ...changed, isForced: true };
      case 'source':
        return { ...changed, recoverySource: value as CopyView['recoverySource'] };
      case 'term':
        return { ...changed, term: Number(value) };
      case 'in-sync':
        return { ...changed, group: { ...group, inSync: list(value) } };
      case 'copies':
        return {
          ...changed,
          group: { ...group, copies: list(value).map((id) => ({ allocationId: id, nodeId: `node-${id}` })) },
        };
      default:
        throw new Error(`unknown word [${word}]`);
    }
  }, view);
}

/** Creates the event of a command such as `answered files` or `work-failed damaged holds=files`. */
function eventOf(state: CopyState, name: string, words: readonly string[]): CopyEvent {
  switch (name) {
    case 'view':
      return { type: 'view', view: viewWith(state.view, words) };
    case 'looked':
      return { type: 'looked', found: words[0] === 'closed-in-order' ? note : null };
    case 'answered':
      return { type: 'answered', answer: answerOf(words[0] === 'files' ? MODE.files : MODE.operations) };
    case 'counted':
      return { type: 'counted', term: state.view.term };
    case 'handOff':
      return { type: 'handOff', to: words[0]! };
    case 'failed':
      return { type: 'failed', error: errors.illegalState('the engine ended') };
    case 'workFailed': {
      const holds = (words.find((word) => word.startsWith('holds='))?.slice(6) ?? state.holds) as CopyState['holds'];
      const isDamaged = words.includes('damaged');
      const isStoreFailed = words.includes('store-failed');
      return { type: 'workFailed', error: errors.illegalState('it failed'), isDamaged, isStoreFailed, holds };
    }
    default:
      return { type: name } as CopyEvent;
  }
}

function shownValue(value: unknown): string {
  if (value instanceof Error) return `[${value.message}]`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Formats an effect in a line; of requests and answers only the parts on which the next step depends. */
function shownEffect(effect: CopyEffect): string {
  const { type, ...rest } = effect.type === 'work' ? { ...effect.work, type: `work ${effect.work.kind}` } : effect;
  const { kind: _kind, answer: _answer, group: _group, ...shown } = rest as Record<string, unknown>;
  return [type, ...Object.entries(shown).map(([key, value]) => `${key}=${shownValue(value)}`)].join(' ');
}

function shownPhase({ phase, holds, work }: CopyState): string {
  const stage = 'stage' in phase ? ` ${typeof phase.stage === 'string' ? phase.stage : phase.stage.name}` : '';
  const term = 'term' in phase ? ` term=${phase.term}` : '';
  return `${phase.name}${stage}${term} (holds ${holds}, ${work === null ? 'no work' : `at work: ${work}`})`;
}

scenarios(new URL('../../src/copy/testdata/', import.meta.url), () => {
  let state = newCopyState(replica);
  const take = (event: CopyEvent): string => {
    const next = step(state, event);
    assert.equal(brokenByStep(state, next.state, next.effects), null);
    state = next.state;
    return [shownPhase(state), ...next.effects.map((effect) => `  ${shownEffect(effect)}`)].join('\n');
  };
  return ({ name, words }) => {
    if (name !== 'copy') return take(eventOf(state, name, words));
    state = newCopyState(viewWith(replica, words));
    return take({ type: 'begin' });
  };
});

test('a recovery that failed 120 times in a row fails the copy with its last error', () => {
  let state = step(newCopyState(replica), { type: 'begin' }).state;
  for (let failures = 0; failures < RECOVERY_FAILURES_MAX; failures++) {
    state = step(state, eventOf(state, 'workFailed', [])).state;
    state = step(state, { type: 'retryTimer' }).state;
  }
  assert.equal(state.phase.name, 'recovering');
  const { state: last, effects } = step(state, eventOf(state, 'workFailed', []));
  assert.equal(last.phase.name, 'failed');
  assert.equal(effects.at(-1)!.type, 'reportFailed');
});

const WORK_ENDS: Record<NonNullable<CopyState['work']>, readonly string[]> = {
  lookAtRest: ['looked', 'looked closed-in-order'],
  clear: ['cleared'],
  open: ['opened', 'opened', 'workFailed damaged'],
  prepare: ['prepared'],
  lead: ['leads'],
  confirm: ['confirmed'],
  askRecovery: ['answered', 'answered files'],
  copyFiles: ['copied', 'workFailed holds=files'],
  awaitCounted: ['counted'],
  takeOver: ['tookOver'],
};
const OTHERS = [
  'view',
  'view started',
  'view primary',
  'view primary started term=2',
  'view primary started term=3',
  'view copies= in-sync=a1',
  'view copies=b1',
  'openDeferred',
  'handOff b1',
  'handedOff',
  'handOffFailed',
  'handOffTimer',
  'retryTimer',
  'failed',
];
const STARTS = ['', 'primary', 'primary source=EMPTY_STORE forced', 'primary source=EXISTING_STORE copies= in-sync=a1'];

/** Chooses an event by `pick`: mostly the end of the running work, else any. */
function anyEvent(state: CopyState, pick: number): CopyEvent {
  const ends = state.work === null ? [] : [...WORK_ENDS[state.work], 'workFailed'];
  const all = [...ends, ...ends, ...OTHERS];
  const [name, ...words] = all[pick % all.length]!.split(' ');
  return eventOf(state, name!, words);
}

test('whatever happens in whatever order, no rule is broken and everything is released once', () => {
  const picks = fc.array(fc.nat(1000), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.constantFrom(...STARTS), picks, (start, events) => {
      let state = newCopyState(viewWith(replica, start === '' ? [] : start.split(' ')));
      const released: CopyEffect[] = [];
      const take = (event: CopyEvent): void => {
        const next = step(state, event);
        assert.equal(brokenByStep(state, next.state, next.effects), null);
        released.push(...next.effects.filter(({ type }) => type === 'release'));
        state = next.state;
      };
      take({ type: 'begin' });
      for (const pick of events) take(anyEvent(state, pick));
      take({ type: 'close' });
      take({ type: 'close' });
      if (state.work !== null) take(eventOf(state, 'workFailed', []));
      assert.deepEqual(released, [{ type: 'release' }]);
    }),
    { numRuns: runs(500) },
  );
});

test('a step that would break a rule is told by its label', () => {
  const following: CopyState = { ...newCopyState(replica), phase: { name: 'following' }, holds: 'engine' };
  const lead: CopyEffect = { type: 'work', work: { kind: 'lead', term: 3 } };
  const leading: CopyState = { ...following, phase: { name: 'starting', term: 3 }, work: 'lead' };
  assert.equal(brokenByStep(following, leading, [lead]), null);
  assert.match(brokenByStep({ ...following, ledTerm: 3 }, leading, [lead])!, /^I15: /);
  assert.match(brokenByStep(following, { ...leading, holds: 'files' }, [lead])!, /^I14: /);
  const early: CopyState = { ...following, holds: 'nothing' };
  assert.match(brokenByStep(early, early, [{ type: 'reportStarted', term: 3 }])!, /^R7: /);
  assert.match(brokenByStep(leading, leading, [{ type: 'release' }])!, /under work/);
  const closed: CopyState = { ...following, phase: { name: 'closed' } };
  assert.match(brokenByStep(closed, following, [])!, /closed copy/);
  assert.match(brokenByStep({ ...following, phase: { name: 'failed' } }, following, [])!, /failed copy/);
});

test('parts that do not fit the phase are told', () => {
  const parts = { hasEngine: true, isFollowing: false, leadsTerm: 3, isServing: true };
  const at = (phase: CopyState['phase']): CopyState => ({ ...newCopyState(replica), phase, holds: 'engine' });
  assert.equal(brokenByParts(at({ name: 'primary', term: 3 }), parts), null);
  assert.match(brokenByParts(at({ name: 'primary', term: 4 }), parts)!, /^I15: /);
  assert.match(brokenByParts(at({ name: 'following' }), parts)!, /follows/);
  assert.match(brokenByParts(at({ name: 'handedOff', term: 3, to: 'b1' }), parts)!, /serves no recovery/);
  assert.match(brokenByParts(at({ name: 'resting', found: note }), parts)!, /at rest/);
  const waiting = { name: 'recovering', stage: { name: 'waiting' }, failures: 1 } as const;
  assert.match(brokenByParts({ ...at(waiting), holds: 'files' }, { ...parts, leadsTerm: null })!, /engine unless/);
  assert.equal(brokenByParts({ ...at({ name: 'primary', term: 4 }), work: 'lead' }, parts), null, 'work changes parts');
});
