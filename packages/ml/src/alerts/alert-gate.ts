import type { JsonObject } from '@shoal/json';
import type { BucketResult, RecordResult } from '@shoal/learning';
import type { JobConfig } from '../jobs/job-config.js';
import { recordWhy } from '../results/explanation.js';
import type { ResultDocument } from '../results/result-lines.js';
import { valueId } from '../results/value-id.js';
import type { AlertConfig } from './alert-config.js';

/** Groups that have had an alert and are remembered; the oldest are forgotten first. */
const GROUPS_MAX = 10_000;
/** Records that an alert lists. */
const RECORDS_SHOWN = 5;

/** A result that may become an alert. */
interface Candidate {
  readonly score: number;
  readonly group: JsonObject;
  readonly records: readonly RecordResult[];
  readonly text: string;
}

/**
 * Decides which results become alerts: those that score enough and whose group has had none for a while. It follows
 * from the data alone: a bucket that is judged again gives the alerts of the same ids.
 */
export class AlertGate {
  readonly #job: JobConfig;
  readonly #config: AlertConfig;
  /** Seconds of the last alert of each group, the oldest first. */
  #last = new Map<string, number>();

  constructor(job: JobConfig, config: AlertConfig) {
    this.#job = job;
    this.#config = config;
  }

  /** Returns the alerts of a bucket. */
  take(result: BucketResult): ResultDocument[] {
    const { cooldownS, score: least } = this.#config;
    const best = new Map<string, Candidate>();
    for (const one of this.#candidates(result)) {
      const key = JSON.stringify(one.group);
      if (one.score >= least && one.score > (best.get(key)?.score ?? 0)) best.set(key, one);
    }
    const alerts: ResultDocument[] = [];
    for (const [key, one] of best) {
      const last = this.#last.get(key);
      if (last !== undefined && result.time - last < cooldownS) continue;
      this.#last.delete(key);
      this.#last.set(key, result.time);
      alerts.push(this.#document(result, key, one));
    }
    while (this.#last.size > GROUPS_MAX) this.#last.delete(this.#last.keys().next().value!);
    return alerts;
  }

  toJson(): [string, number][] {
    return [...this.#last];
  }

  restore(kept: readonly (readonly [string, number])[]): void {
    this.#last = new Map(kept);
  }

  *#candidates(result: BucketResult): Generator<Candidate> {
    const { on } = this.#config;
    const top = [...result.records].sort((a, b) => b.rarity - a.rarity);
    if (on === 'bucket') {
      const text = `score of the bucket ${result.score.toFixed(1)}`;
      yield { score: result.score, group: {}, records: top, text: top.length === 0 ? text : this.#why(top[0]!) };
    } else if (on === 'record')
      for (const one of top)
        yield { score: one.score, group: this.#groupOf(one), records: [one], text: this.#why(one) };
    else
      for (const { field, value, score } of result.influencers) {
        if (this.#config.groupBy !== null && !this.#config.groupBy.includes(field)) continue;
        const records = top.filter(({ influencers }) =>
          influencers.some((one) => one.field === field && one.values.includes(value)),
        );
        const text = records.length === 0 ? `${field} ${value}` : `${field} ${value}: ${this.#why(records[0]!)}`;
        yield { score, group: { [field]: value }, records, text };
      }
  }

  #why(record: RecordResult): string {
    return recordWhy(this.#job.detectors[record.detector]!.functionName, record);
  }

  #groupOf(record: RecordResult): JsonObject {
    const { spec } = this.#job.detectors[record.detector]!;
    const { partition, by, over } = record.splits;
    const splits = [
      [spec.partition, partition],
      [spec.by, by],
      [spec.over, over],
    ] as const;
    const values: Record<string, unknown> = {};
    const { groupBy } = this.#config;
    for (const [field, value] of splits)
      if (field !== null && (groupBy === null || groupBy.includes(field))) values[field] = value;
    for (const { field, values: found } of record.influencers)
      if (groupBy?.includes(field) === true && values[field] === undefined) values[field] = found[0];
    return values;
  }

  #document({ time }: BucketResult, key: string, { score, group, records, text }: Candidate): ResultDocument {
    const { id: job, spanS } = this.#job;
    const { on, score: threshold, webhook } = this.#config;
    const id = `${job}_alert_${time * 1000}_${on}_${valueId([key])}`;
    const source = {
      ...{ alert_id: id, job_id: job, timestamp: time * 1000, end_timestamp: (time + spanS) * 1000 },
      ...{ on, score, threshold, group, message: `job [${job}]: ${text}` },
      records: records.slice(0, RECORDS_SHOWN).map((one) => this.#shown(one)),
      ...(webhook === null ? {} : { webhook: { status: 'pending' } }),
    };
    return { id, source };
  }

  #shown({ detector, splits, score, typical, actual }: RecordResult): JsonObject {
    const { functionName, spec } = this.#job.detectors[detector]!;
    const named = (name: string, field: string | null, value: string | null): JsonObject =>
      field === null ? {} : { [`${name}_field_name`]: field, [`${name}_field_value`]: value ?? '' };
    return {
      ...{ detector_index: detector, function: functionName, record_score: score, typical, actual },
      ...(spec.field === null ? {} : { field_name: spec.field }),
      ...named('partition', spec.partition, splits.partition),
      ...named('by', spec.by, splits.by),
      ...named('over', spec.over, splits.over),
    };
  }
}
