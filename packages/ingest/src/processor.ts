import type { JsonObject } from '@shoal/json';
import type { IngestDocument } from './document.js';
import type { IngestCounters } from './ingest-counters.js';
import type { IngestScript } from './scripts.js';

/** Result of work that mostly ends at once: undefined when it has ended, a promise while it goes on. */
export type Pending = void | Promise<void>;

/** Surroundings of a run over one document. */
export interface IngestRun {
  /** Monotonic time in milliseconds. */
  monotonic(): number;
  /** Returns a promise to wait for if the thread is due to others, else null. Asked between two processors. */
  pause(): Promise<void> | null;
  /** Runs the processors and notes what each does, for `_simulate?verbose`; null otherwise. */
  readonly trace: ProcessorTrace | null;
  /** Counters of the pipelines and processors that have begun on the document and not ended. */
  readonly running: IngestCounters[];
  /** The caller of the request as `set_security_user` shows it; null if security is off. */
  readonly user: JsonObject | null;
}

/** Runs processors and notes their results. */
export interface ProcessorTrace {
  run(processor: Processor, document: IngestDocument, run: IngestRun): Pending;
}

/**
 * One processor on one document: changes it in place, throws an `ApiError`, or drops it (`isDropped`). A promise only
 * where something must be asked elsewhere. `run` is for processors that run others.
 */
export type Step = (document: IngestDocument, run: IngestRun) => Pending;

/** A processor of a pipeline, compiled. */
export interface Processor {
  readonly type: string;
  readonly tag: string | null;
  readonly description: string | null;
  /** Name in statistics. */
  readonly label: string;
  /** Runs before the processor and decides whether it runs; null if it always runs. */
  readonly condition: IngestScript | null;
  readonly step: Step;
  readonly ignoreFailure: boolean;
  /** Run instead of failing the document. */
  readonly onFailure: readonly Processor[];
  readonly counters: IngestCounters;
}

/** A pipeline, compiled. */
export interface Pipeline {
  readonly id: string;
  readonly processors: readonly Processor[];
  readonly onFailure: readonly Processor[];
  readonly counters: IngestCounters;
}
