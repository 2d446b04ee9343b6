import { type ApiError, renderCause } from '@shoal/errors';
import { stringify } from '@shoal/json';
import type { JsonAnswer } from '../call.js';

/** What an asynchronous search has come to: its answer, or the error that ended it. */
export type AsyncOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** JSON of the search's answer. */
      readonly chunks: readonly Uint8Array[];
      readonly completedAtMs: number;
    }
  | {
      readonly kind: 'error';
      readonly status: number;
      /** The cause in the form of the API. */
      readonly error: unknown;
    };

/** State of an asynchronous search. Times are in UTC milliseconds. */
export interface AsyncState {
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  /** Shards that are searched. */
  readonly shards: number;
  /** Null while the search runs. */
  readonly outcome: AsyncOutcome | null;
}

/** Returns the outcome of a search that failed. */
export function failedOutcome(error: ApiError): AsyncOutcome {
  return { kind: 'error', status: error.status, error: renderCause(error) };
}

const NO_SHARDS = { successful: 0, skipped: 0, failed: 0 };

/** The answer of a search that runs: shards are not reduced before all have answered. */
const runningResponse = ({ startedAtMs, shards }: AsyncState, nowMs: number): object => ({
  took: Math.max(0, Math.round(nowMs - startedAtMs)),
  timed_out: false,
  terminated_early: false,
  num_reduce_phases: 0,
  _shards: { total: shards, ...NO_SHARDS },
  hits: { total: { value: 0, relation: 'gte' }, max_score: null, hits: [] },
});

/** Members before the answer or the error; without `id` for a search that is not kept. */
function head(id: string | null, state: AsyncState): Record<string, unknown> {
  const { startedAtMs, expiresAtMs, outcome } = state;
  return {
    ...(id === null ? {} : { id }),
    is_partial: outcome?.kind !== 'response',
    is_running: outcome === null,
    start_time_in_millis: startedAtMs,
    expiration_time_in_millis: expiresAtMs,
  };
}

const withMember = (members: object, name: string, chunks: readonly Uint8Array[]): readonly Uint8Array[] => [
  Buffer.from(`${stringify(members).slice(0, -1)},"${name}":`),
  ...chunks,
  Buffer.from('}'),
];

/** Returns the answer of `_async_search`. */
export function asyncAnswer(id: string | null, state: AsyncState, nowMs: number): JsonAnswer {
  const { outcome } = state;
  const members = head(id, state);
  if (outcome === null)
    return {
      status: 200,
      chunks: withMember(members, 'response', [Buffer.from(stringify(runningResponse(state, nowMs)))]),
    };
  if (outcome.kind === 'error')
    return { status: outcome.status, chunks: withMember(members, 'error', [Buffer.from(stringify(outcome.error))]) };
  const completed = { ...members, completion_time_in_millis: outcome.completedAtMs };
  return { status: outcome.status, chunks: withMember(completed, 'response', outcome.chunks) };
}

/** Returns the answer of `_async_search/status`. `shards`: `_shards` of the search's answer, null if there is none. */
export function asyncStatus(id: string, state: AsyncState, shards: unknown): object {
  const { outcome } = state;
  return {
    ...head(id, state),
    ...(outcome?.kind === 'response' ? { completion_time_in_millis: outcome.completedAtMs } : {}),
    _shards: shards ?? { total: state.shards, ...NO_SHARDS },
    ...(outcome === null ? {} : { completion_status: outcome.status }),
  };
}
