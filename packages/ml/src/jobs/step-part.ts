import type { JobModel } from '@shoal/learning';

/** Milliseconds after which a part of a step ends: then it is the turn of another job. */
const PART_MS = 20;
/** Buckets and records whose results are written together. */
const PART_RESULTS_MAX = 2000;
/** Documents between two looks at the clock. */
const LOOK_EVERY = 64;

/** A part of a step of a job: how much is done at a time. Where parts end changes no result. */
export class StepPart {
  readonly #monotonic: () => number;
  #startedMs = 0;
  #documents = 0;

  /** `monotonic` tells milliseconds. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Begins the next part. */
  begin(): void {
    this.#startedMs = this.#monotonic();
  }

  get tookMs(): number {
    return this.#monotonic() - this.#startedMs;
  }

  /** Whether the part is to end after a bucket. */
  endsAfterBucket(model: JobModel): boolean {
    return model.waiting >= PART_RESULTS_MAX || this.tookMs > PART_MS;
  }

  /** Whether the part is to end after a document. */
  endsAfterDocument(): boolean {
    return ++this.#documents % LOOK_EVERY === 0 && this.tookMs > PART_MS;
  }
}

/** Finishes the buckets before a document of `time`, in seconds; yields where the part is to end. */
export function* finishBefore(model: JobModel, time: number, part: StepPart): Generator<void> {
  if (model.isBehind(time)) yield* inParts(model, model.finishing(time), part);
  if (part.endsAfterDocument()) yield;
}

/** Finishes buckets one after the other; yields where the part is to end. */
export function* inParts(model: JobModel, buckets: Generator<void>, part: StepPart): Generator<void> {
  while (buckets.next().done !== true) if (part.endsAfterBucket(model)) yield;
}
