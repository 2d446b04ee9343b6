import type { CopyEffect, CopyPhase, CopyState } from './state.js';

/** Parts that the driver has, to be compared with the phase. */
export interface CopyParts {
  readonly hasEngine: boolean;
  readonly isFollowing: boolean;
  /** Term of the newest `Primary`; null if there is none. */
  readonly leadsTerm: number | null;
  readonly isServing: boolean;
}

/**
 * Returns the rule that a step has broken (docs/internals/cluster.md §14), or null. Every step is checked, in
 * production too, as events of a copy are rare: a few for each change of its shard. The driver fails a copy that breaks
 * a rule.
 */
export function brokenByStep(before: CopyState, after: CopyState, effects: readonly CopyEffect[]): string | null {
  return (
    brokenByEnd(before.phase, after.phase) ??
    effects.map((effect) => brokenByEffect(before, after, effect)).find((rule) => rule !== null) ??
    null
  );
}

function brokenByEnd(before: CopyPhase, after: CopyPhase): string | null {
  if (before.name === 'closed' && after.name !== 'closed') return 'a closed copy stays closed';
  if (before.name === 'failed' && after.name !== 'failed' && after.name !== 'closed')
    return 'a failed copy stays failed';
  return null;
}

function brokenByEffect(before: CopyState, after: CopyState, effect: CopyEffect): string | null {
  switch (effect.type) {
    case 'work':
      if (after.work !== effect.work.kind) return 'work that begins is the work under way';
      if (effect.work.kind !== 'lead') return null;
      // n1 hands term 3 over to n2. Were n1 to lead term 3 again, both would assign number 8 in it.
      if (effect.work.term <= before.ledTerm) return 'I15: a copy leads a term at most once';
      return after.holds === 'engine' ? null : 'I14: a copy without its data leads nothing';
    case 'reportStarted':
      if (after.phase.name === 'resting' || after.phase.name === 'waking') return null;
      return after.holds === 'engine' ? null : 'R7: a copy is reported as started once it has everything';
    case 'release':
      return after.work === null ? null : 'nothing is closed under work';
    default:
      return null;
  }
}

/**
 * Returns which part of the driver does not fit the phase, or null. Call it between steps only, as work may change the
 * parts.
 */
export function brokenByParts({ phase, work, holds }: CopyState, parts: CopyParts): string | null {
  if (work !== null) return null;
  switch (phase.name) {
    case 'resting':
      return parts.hasEngine ? 'a copy at rest has no engine' : null;
    case 'following':
      return parts.isFollowing && parts.leadsTerm === null
        ? null
        : 'a copy that follows takes operations, and leads not';
    case 'primary':
    case 'handingOff':
      return parts.leadsTerm === phase.term && parts.isServing && !parts.isFollowing
        ? null
        : 'I15: a primary acts in the term of its phase, and follows nobody';
    case 'handedOff':
      return parts.isServing ? 'a primary that handed over serves no recovery' : null;
    case 'recovering':
      return (holds === 'engine') === parts.hasEngine && parts.leadsTerm === null
        ? null
        : 'a recovering copy has an engine unless its files are replaced';
    default:
      return null;
  }
}
