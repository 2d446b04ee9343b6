import type { RolloverFacts } from '@shoal/cluster';
import type { JsonObject } from '@shoal/json';
import type { ClusterState, IndexMetadata, LifecycleExecution } from '@shoal/state';

/** Sizes of an index, measured on its shards. */
export type Measurements = RolloverFacts;

/** What a step decides by. */
export interface StepView {
  readonly state: ClusterState;
  readonly meta: IndexMetadata;
  readonly execution: LifecycleExecution;
  readonly policy: string;
  readonly nowMs: number;
  /** Null before they are measured. */
  readonly measured: Measurements | null;
}

/** Something that a step does outside of the lifecycle's own state. Doing it twice does no harm. */
export type Effect =
  | {
      readonly kind: 'task';
      /** Name and body of a task of the master. */
      readonly task: string;
      readonly body: Readonly<Record<string, unknown>>;
      /** Action and names that the author of the policy must be granted. */
      readonly action: string;
      readonly names: readonly string[];
    }
  | { readonly kind: 'force-merge'; readonly segmentsMax: number }
  /** Takes a snapshot of the index alone. */
  | { readonly kind: 'snapshot'; readonly repository: string; readonly snapshot: string }
  /** Mounts an index of a snapshot; does not wait for its shards. */
  | {
      readonly kind: 'mount';
      readonly repository: string;
      readonly snapshot: string;
      readonly index: string;
      readonly target: string;
      readonly isPartial: boolean;
    }
  /** Deletes the snapshot that the index alone is mounted from, before the index goes. */
  | { readonly kind: 'delete-snapshot'; readonly repository: string; readonly snapshot: string }
  /** Ends once the target has all buckets of the index. */
  | { readonly kind: 'downsample'; readonly target: string; readonly interval: string };

/** What a step decided. */
export type Verdict =
  /** Go on to the next step. */
  | { readonly kind: 'done'; readonly changes?: Partial<LifecycleExecution> }
  /** Leave out the rest of the action. */
  | { readonly kind: 'skip' }
  /** Go to another step of the action. */
  | { readonly kind: 'go'; readonly step: string }
  | { readonly kind: 'wait'; readonly info?: JsonObject }
  | { readonly kind: 'fail'; readonly reason: string }
  /** Do something, then go on to the next step. */
  | { readonly kind: 'effect'; readonly effect: Effect }
  /** Decide again with `measured`, at the next poll. */
  | { readonly kind: 'measure' };

/** A step of an action. Pure: everything that it does is its verdict. */
export interface Step {
  readonly name: string;
  decide(view: StepView): Verdict;
}

/** An action of a phase. */
export interface LifecycleActionType {
  readonly name: string;
  /** Returns the options as they are stored and shown. Throws errors of the API. */
  parse(options: JsonObject): JsonObject;
  /** Returns the steps in order. `options` are those that `parse` returned. */
  steps(options: JsonObject): readonly Step[];
  /** One sentence for a dry run. */
  describe(options: JsonObject): string;
}

export const DONE: Verdict = { kind: 'done' };

/** A wait with a message for `step_info`. */
export const waits = (message: string, more: JsonObject = {}): Verdict => ({
  kind: 'wait',
  info: { message, ...more },
});
