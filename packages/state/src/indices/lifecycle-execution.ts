/** A step of a lifecycle policy: its phase, its action there, and its name in the action. */
export interface StepKey {
  readonly phase: string;
  readonly action: string;
  readonly name: string;
}

/** A phase of a lifecycle policy: earliest age, and options of its actions. */
export interface LifecyclePhase {
  /** As given, such as `30d`. */
  readonly min_age: string;
  readonly actions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Body of a lifecycle policy. */
export interface LifecyclePolicy {
  readonly phases: Readonly<Record<string, LifecyclePhase>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Entry of the section `lifecyclePolicies`. */
export interface StoredPolicy {
  readonly policy: LifecyclePolicy;
  /** 1 for a new policy, plus one for each change. */
  readonly version: number;
  readonly modifiedMs: number;
  /** Who stored the policy; its effects need the privileges of that user. Null while security is off. */
  readonly authentication: unknown;
}

/** The phase that an index is in, as its policy was when the index entered the phase. */
export interface PhaseDefinition {
  readonly policy: string;
  readonly version: number;
  readonly modifiedMs: number;
  /** Null before the first phase. */
  readonly phase: LifecyclePhase | null;
}

/** Where an index is in its lifecycle policy. Times are milliseconds since 1970. */
export interface LifecycleExecution {
  readonly phase: string;
  readonly action: string;
  /** `ERROR` after a failure of `failedStep`. */
  readonly step: string;
  readonly phaseTimeMs: number;
  readonly actionTimeMs: number;
  readonly stepTimeMs: number;
  /** Start of the age of the index: its rollover, or else its creation. */
  readonly lifecycleDateMs: number;
  readonly definition: PhaseDefinition;
  readonly failedStep?: string;
  /** Attempts after the first one. */
  readonly retries?: number;
  /** What the step waits for, or why it failed. */
  readonly stepInfo?: Readonly<Record<string, unknown>>;
  readonly shrinkIndexName?: string;
  /** Snapshot that the action `searchable_snapshot` took, its repository, and the name of the index in it. */
  readonly snapshotName?: string;
  readonly snapshotRepository?: string;
  readonly snapshotIndexName?: string;
}
