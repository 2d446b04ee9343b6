import type { JsonObject } from '@shoal/json';
import type { BucketResult, RecordResult } from '@shoal/learning';
import type { JobConfig } from '../jobs/job-config.js';
import { recordWhy } from '../results/explanation.js';

const THRESHOLDS = [25, 50, 75, 90];
/** Records that are shown. */
const RECORDS_SHOWN = 10;
/** Buckets without a result of a score after which the next one is an alarm of its own. */
const QUIET_BUCKETS = 12;

/** Counts what results of each score a job would have given, and keeps the most surprising ones. */
export class Tally {
  readonly #job: JobConfig;
  readonly #rows = THRESHOLDS.map((score) => ({ score, alarms: 0, buckets: 0, records: 0, lastTime: Number.NaN }));
  #top: { readonly time: number; readonly record: RecordResult }[] = [];
  #buckets = 0;
  #records = 0;

  constructor(job: JobConfig) {
    this.#job = job;
  }

  note({ time, score, records }: BucketResult): void {
    this.#buckets++;
    this.#records += records.length;
    for (const row of this.#rows) {
      const count = records.filter((record) => record.score >= row.score).length;
      row.records += count;
      if (score >= row.score) row.buckets++;
      if (count === 0) continue;
      if (!(time - row.lastTime <= QUIET_BUCKETS * this.#job.spanS)) row.alarms++;
      row.lastTime = time;
    }
    for (const record of records) this.#top.push({ time, record });
    if (this.#top.length > 20 * RECORDS_SHOWN) this.#sort();
  }

  #sort(): void {
    this.#top.sort((a, b) => b.record.rarity - a.record.rarity || a.time - b.time);
    this.#top.length = Math.min(this.#top.length, RECORDS_SHOWN);
  }

  toJson(): JsonObject {
    this.#sort();
    return {
      ...{ buckets: this.#buckets, records: this.#records },
      alarms: this.#rows.map(({ score, alarms, buckets, records }) => ({ score, alarms, buckets, records })),
      most_surprising: this.#top.map(({ time, record }) => this.#shown(time, record)),
    };
  }

  #shown(time: number, record: RecordResult): JsonObject {
    const { functionName, spec } = this.#job.detectors[record.detector]!;
    const { partition, by, over } = record.splits;
    const splits: Record<string, unknown> = {};
    for (const [field, value] of [
      [spec.partition, partition],
      [spec.by, by],
      [spec.over, over],
    ] as const)
      if (field !== null) splits[field] = value;
    return {
      ...{ timestamp: time * 1000, detector_index: record.detector, record_score: record.score, splits },
      why: recordWhy(functionName, record),
    };
  }
}
