import { errors } from '@shoal/errors';
import { MODE } from '../recovery-source.js';
import { type CopyView, identityOf, isAlone, isOwnStoreAtRest, mayRest, primaryIdentityOf } from './copy-view.js';
import type { CopyEffect, CopyEvent, CopyPhase, CopyState, CopyWork, RecoveryStage } from './state.js';

/** Number of failed attempts in a row after which the copy fails; the master then tries another node. */
export const RECOVERY_FAILURES_MAX = 120;

/** The state after an event, with the effects to perform. */
export interface CopyStep {
  readonly state: CopyState;
  readonly effects: readonly CopyEffect[];
}

type Event<T extends CopyEvent['type']> = T extends unknown ? Extract<CopyEvent, { type: T }> : never;
type Phase<T extends CopyPhase['name']> = Extract<CopyPhase, { name: T }>;

/**
 * One step of a copy. Pure and deterministic; the effects are performed in their order. An event that does not fit the
 * phase has no effects, such as the end of work that a failed copy had begun.
 */
export function step(state: CopyState, event: CopyEvent): CopyStep {
  const { phase } = state;
  if (phase.name === 'closed') return onEventOfClosed(state, event);
  if (event.type === 'close') return onClose(state);
  if (phase.name === 'failed') return stay(endsWork(event) ? withoutWork(state) : state);
  switch (event.type) {
    case 'failed':
      return fail(state, event.error);
    case 'view':
      return onView(state, event.view);
    case 'workFailed':
      return onWorkFailed(withoutWork(state, event.holds), event);
    case 'confirmed':
      return proceed(withoutWork(state));
    case 'leads':
      return phase.name === 'starting' ? onLeads(withoutWork(state), phase) : stay(state);
    case 'handOff':
    case 'handedOff':
    case 'handOffFailed':
    case 'handOffTimer':
      return onHandOffEvent(state, event);
    default:
      return onEventOfPhase(state, event);
  }
}

type HandOffEvent = Event<'handOff' | 'handedOff' | 'handOffFailed' | 'handOffTimer'>;
type EventOfPhase = Exclude<
  CopyEvent,
  HandOffEvent | Event<'failed' | 'view' | 'workFailed' | 'confirmed' | 'leads' | 'close'>
>;

function onEventOfPhase(state: CopyState, event: EventOfPhase): CopyStep {
  const { phase } = state;
  if (phase.name === 'opening') return onOpening(state, phase, event);
  if (phase.name === 'resting' && event.type === 'openDeferred') return openDeferred(state, phase);
  if (phase.name === 'waking' && event.type === 'opened') return lead(opened(state));
  if (phase.name === 'recovering') return onRecovering(state, phase, event);
  return event.type === 'begin' ? proceed(state) : stay(state);
}

// Parts of steps.

const stay = (state: CopyState): CopyStep => ({ state, effects: [] });

function go(state: CopyState, phase: CopyPhase, ...effects: CopyEffect[]): CopyStep {
  return { state: { ...state, phase }, effects };
}

function work(state: CopyState, phase: CopyPhase, next: CopyWork): CopyStep {
  return go({ ...state, work: next.kind }, phase, { type: 'work', work: next });
}

function withEffects(effects: readonly CopyEffect[], { state, effects: more }: CopyStep): CopyStep {
  return { state, effects: [...effects, ...more] };
}

const withoutWork = (state: CopyState, holds = state.holds): CopyState => ({ ...state, work: null, holds });

const opened = (state: CopyState): CopyState => withoutWork(state, 'engine');

/** Events that end the running work. */
const WORK_ENDS: ReadonlySet<CopyEvent['type']> = new Set([
  'looked',
  'cleared',
  'opened',
  'prepared',
  'leads',
  'confirmed',
  'answered',
  'copied',
  'counted',
  'tookOver',
  'workFailed',
]);

const endsWork = (event: CopyEvent): boolean => WORK_ENDS.has(event.type);

function fail(state: CopyState, error: unknown): CopyStep {
  return go(
    state,
    { name: 'failed' },
    { type: 'cancelTimers' },
    { type: 'stopLeading', error },
    { type: 'reportFailed', error },
  );
}

// Closing: at once, but for work that cannot be interrupted.

function onClose(state: CopyState): CopyStep {
  const ends: CopyEffect[] = [{ type: 'cancelTimers' }, { type: 'endRoles' }];
  if (state.work === null) ends.push({ type: 'release' });
  return go(state, { name: 'closed' }, ...ends);
}

function onEventOfClosed(state: CopyState, event: CopyEvent): CopyStep {
  return endsWork(event) ? { state: withoutWork(state), effects: [{ type: 'release' }] } : stay(state);
}

// The cluster state.

function onView(before: CopyState, view: CopyView): CopyStep {
  const state = { ...before, view };
  const { phase } = state;
  switch (phase.name) {
    case 'resting':
    case 'waking':
      return reportResting(state);
    case 'handedOff':
      if (!view.group.copies.some(({ allocationId }) => allocationId === phase.to))
        return fail(state, errors.illegalState('the copy that took over is gone'));
      return proceed(state);
    case 'starting':
    case 'primary':
    case 'handingOff':
      return withEffects([{ type: 'updateGroup', group: view.group }], proceed(state));
    default:
      return proceed(state);
  }
}

/** Does next what the cluster state asks for, unless work is running: its end leads here again. */
function proceed(state: CopyState): CopyStep {
  const { phase, view } = state;
  if (state.work !== null) return stay(state);
  switch (phase.name) {
    case 'opening':
      return open(state);
    case 'recovering':
      return proceedRecovering(state, phase);
    case 'following':
      return canConfirm(state) ? confirm(state) : view.isPrimary ? lead(state) : stay(state);
    case 'primary':
    case 'handingOff':
    case 'handedOff':
      if (canConfirm(state)) return confirm(state);
      // The copy is primary again in a higher term; this node has missed the states in between.
      return view.isPrimary && view.term > phase.term ? lead(state) : stay(state);
    default:
      return stay(state);
  }
}

const canConfirm = ({ view, isConfirmed }: CopyState): boolean => view.isStarted && !isConfirmed;

function confirm(state: CopyState): CopyStep {
  return work({ ...state, isConfirmed: true }, state.phase, { kind: 'confirm' });
}

// A primary from what is on disk.

function open(state: CopyState): CopyStep {
  const { view } = state;
  if (mayRest(view)) return work(state, { name: 'opening', stage: 'looking', isAlone: true }, { kind: 'lookAtRest' });
  const phase = { name: 'opening', isAlone: isAlone(view) } as const;
  if (view.isForced && view.recoverySource === 'EMPTY_STORE')
    return work(state, { ...phase, stage: 'clearing' }, { kind: 'clear' });
  return openStore(state, { ...phase, stage: 'opening' });
}

function openStore(state: CopyState, phase: Phase<'opening'>): CopyStep {
  const identity = primaryIdentityOf(state.view);
  return work(state, { ...phase, stage: 'opening' }, { kind: 'open', as: 'primary', identity, isAlone: phase.isAlone });
}

function onOpening(state: CopyState, phase: Phase<'opening'>, event: EventOfPhase): CopyStep {
  switch (event.type) {
    case 'begin':
      return proceed(state);
    case 'looked':
      if (isOwnStoreAtRest(state.view, event.found)) return deferOpen(withoutWork(state), event.found);
      return openStore(withoutWork(state), { ...phase, isAlone: isAlone(state.view) });
    case 'cleared':
      return openStore(withoutWork(state), phase);
    case 'opened':
      // No other copy is in sync: this store has all the data that exist.
      if (state.view.isStarted) return lead(opened(state));
      return work(opened(state), { ...phase, stage: 'preparing' }, { kind: 'prepare', term: state.view.term });
    case 'prepared':
      return lead(withoutWork(state));
    default:
      return stay(state);
  }
}

// A primary whose store stays closed.

function deferOpen(state: CopyState, found: Phase<'resting'>['found']): CopyStep {
  const resting = reportResting({ ...state, phase: { name: 'resting', found } });
  return {
    state: resting.state,
    effects: [{ type: 'recovered' }, ...resting.effects, { type: 'reportDeferred' }],
  };
}

/** Reports the copy as started, once in each term. It does not lead a term before its store is open (I15). */
function reportResting(state: CopyState): CopyStep {
  const { isPrimary, term } = state.view;
  if (!isPrimary || term <= state.restedTerm) return stay(state);
  return { state: { ...state, restedTerm: term }, effects: [{ type: 'reportStarted', term }] };
}

function openDeferred(state: CopyState, { found }: Phase<'resting'>): CopyStep {
  const identity = { ...identityOf(state.view), existing: 'own' } as const;
  return work(
    state,
    { name: 'waking', found },
    { kind: 'open', as: 'primary', identity, isAlone: isAlone(state.view) },
  );
}

// Leading.

/**
 * Begins to lead the term of the newest view. Fails a copy without an engine: as a primary it would lose the data
 * (I14).
 */
function lead(state: CopyState): CopyStep {
  const { term } = state.view;
  if (state.holds !== 'engine') return fail(state, errors.illegalState('the copy is primary and has no engine'));
  const leading = work({ ...state, ledTerm: term }, { name: 'starting', term }, { kind: 'lead', term });
  return withEffects([{ type: 'cancelTimers' }], leading);
}

function onLeads(state: CopyState, { term }: Phase<'starting'>): CopyStep {
  const effects: CopyEffect[] = [{ type: 'recovered' }, { type: 'offerShard' }];
  if (term > state.restedTerm) effects.push({ type: 'reportStarted', term });
  return withEffects(effects, proceed({ ...state, phase: { name: 'primary', term } }));
}

// Handing the role over (docs/internals/cluster.md §5.7).

function onHandOffEvent(state: CopyState, event: HandOffEvent): CopyStep {
  const { phase } = state;
  switch (event.type) {
    case 'handOff':
      if (phase.name !== 'primary') return stay(state);
      return go(state, { name: 'handingOff', term: phase.term, to: event.to }, { type: 'drain', to: event.to });
    case 'handedOff':
      if (phase.name !== 'handingOff') return stay(state);
      return go(
        state,
        { ...phase, name: 'handedOff' },
        { type: 'stopServing' },
        { type: 'setTimer', timer: 'handOffTimer' },
      );
    case 'handOffFailed':
      return phase.name === 'handingOff'
        ? proceed({ ...state, phase: { name: 'primary', term: phase.term } })
        : stay(state);
    case 'handOffTimer':
      if (phase.name !== 'handedOff') return stay(state);
      return fail(state, errors.illegalState('the copy that took over did not come to be primary'));
  }
}

// A replica (R0 to R7).

function recovering(state: CopyState, phase: Phase<'recovering'>, stage: RecoveryStage, next: CopyWork): CopyStep {
  return work(state, { ...phase, stage }, next);
}

function openReplica(state: CopyState, phase: Phase<'recovering'>): CopyStep {
  const next = { kind: 'open', as: 'replica', identity: identityOf(state.view), isAlone: false } as const;
  return recovering(state, phase, { name: 'opening' }, next);
}

function ask(state: CopyState, phase: Phase<'recovering'>, filesOnly: boolean): CopyStep {
  return recovering(state, phase, { name: 'asking' }, { kind: 'askRecovery', filesOnly });
}

/** Begins the first attempt; between two attempts, begins the term if the copy was promoted meanwhile. */
function proceedRecovering(state: CopyState, phase: Phase<'recovering'>): CopyStep {
  if (phase.stage.name !== 'waiting') return attempt(state, phase);
  return state.view.isPrimary ? lead(state) : stay(state);
}

function attempt(state: CopyState, phase: Phase<'recovering'>): CopyStep {
  if (state.holds === 'nothing') return openReplica(state, phase);
  return ask(state, phase, state.holds === 'files');
}

function onRecovering(state: CopyState, phase: Phase<'recovering'>, event: EventOfPhase): CopyStep {
  switch (event.type) {
    case 'begin':
      return proceed(state);
    case 'retryTimer':
      return phase.stage.name === 'waiting' ? attempt(state, phase) : stay(state);
    case 'opened':
      return onReplicaOpened(opened(state), phase);
    case 'answered':
      return onAnswered(withoutWork(state), phase, event);
    case 'copied':
      return onCopied(withoutWork(state, 'nothing'), phase);
    case 'counted':
      return onCounted(withoutWork(state), phase, event.term);
    case 'tookOver':
      return phase.stage.name === 'takingOver' ? recovered(withoutWork(state), phase.stage.term) : stay(state);
    default:
      return stay(state);
  }
}

function onReplicaOpened(state: CopyState, phase: Phase<'recovering'>): CopyStep {
  if (phase.stage.name !== 'reopening') return ask(state, phase, false);
  const { answer } = phase.stage;
  return recovering(state, phase, { name: 'askingAgain', answer }, { kind: 'askRecovery', filesOnly: false });
}

function onAnswered(state: CopyState, phase: Phase<'recovering'>, { answer }: Event<'answered'>): CopyStep {
  const { stage } = phase;
  const isAgain = stage.name === 'askingAgain';
  if (answer.mode !== MODE.files) {
    if (state.holds !== 'engine')
      return retry(state, phase, errors.illegalState('a copy without an engine was offered operations'));
    // The primary keeps files by the recovery that asked for them first.
    const { recoveryId } = isAgain ? stage.answer : answer;
    return recovering(state, phase, { name: 'counting' }, { kind: 'awaitCounted', recoveryId });
  }
  if (!isAgain) return recovering(state, phase, { name: 'copying', answer }, { kind: 'copyFiles', answer });
  const error = errors.illegalState('the primary no longer has the operations behind its files');
  return retry(state, phase, error);
}

function onCopied(state: CopyState, phase: Phase<'recovering'>): CopyStep {
  if (phase.stage.name !== 'copying') return stay(state);
  const { answer } = phase.stage;
  const identity = { ...identityOf(state.view), historyUuid: answer.historyUuid };
  const next = { kind: 'open', as: 'replica', identity, isAlone: false } as const;
  return recovering(state, phase, { name: 'reopening', answer }, next);
}

function onCounted(state: CopyState, phase: Phase<'recovering'>, term: number): CopyStep {
  if (!state.view.takesOver) return recovered(state, term);
  return recovering(state, phase, { name: 'takingOver', term }, { kind: 'takeOver', term });
}

function recovered(state: CopyState, term: number): CopyStep {
  const effects: CopyEffect[] = [{ type: 'recovered' }, { type: 'offerShard' }, { type: 'reportStarted', term }];
  return withEffects(effects, proceed({ ...state, phase: { name: 'following' } }));
}

// Work that failed.

function onWorkFailed(state: CopyState, event: Event<'workFailed'>): CopyStep {
  const { phase } = state;
  if (phase.name !== 'recovering' || event.isStoreFailed) return fail(state, event.error);
  if (phase.stage.name !== 'opening' || !event.isDamaged) return retry(state, phase, event.error);
  // The store cannot be used: it is replaced by files of the primary.
  return withEffects([{ type: 'logDamaged', error: event.error }], ask(state, phase, true));
}

/** Ends an attempt. A copy that was promoted meanwhile leads; any other tries again, until it has tried too often. */
function retry(state: CopyState, before: Phase<'recovering'>, error: unknown): CopyStep {
  if (before.failures >= RECOVERY_FAILURES_MAX) return fail(state, error);
  const phase = { ...before, stage: { name: 'waiting' }, failures: before.failures + 1 } as const;
  const log: CopyEffect = { type: 'logRetry', error };
  if (state.view.isPrimary) return withEffects([log], lead({ ...state, phase }));
  return go(state, phase, log, { type: 'setTimer', timer: 'retryTimer' });
}
