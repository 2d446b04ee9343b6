import { ByteReader, ByteWriter } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { type CategorizationSpec, LineCategories } from '../text/line-categories.js';
import type { DetectorSpec, Finding, Plotter, RuleVerdict } from './detector.js';
import { DetectorModel, type SplitKeys } from './detector-model.js';
import type { FrequentJson } from './frequent.js';
import { type JobRow, numberOf, observationsOf, splitKeys, textOf } from './job-row.js';
import { type LateDocument, LateDocuments } from './late-documents.js';
import { Normaliser, type NormaliserJson, type ResultKind, type ScoreMove } from './normaliser.js';
import {
  type BucketResult,
  DEVIATIONS,
  type InfluencerResult,
  type ModelChange,
  type NamedInfluencer,
  type PlotPoint,
  type RecordResult,
} from './results.js';
import { noteInfluencer } from './note-influencer.js';
import { ruleVerdict } from './rules.js';
import { rarestOf, scoreOf } from './score.js';
import { FORMAT, FORMAT_FIRST, isReadable } from './state-format.js';

/** Records of a bucket that are written; further ones are dropped, the least rare first. */
export const RECORDS_MAX = 10_000;
/** Points of plots of a bucket that are written; further series are not. */
const PLOTS_MAX = 10_000;
/** Buckets between two looks at what earlier results are worth. */
const REVIEW_EVERY = 32;
/** Buckets between two looks for series that have had no documents for long. */
const PRUNE_EVERY = 32;
/** Buckets without documents in a row that are judged; what is left of a longer gap is skipped. */
export const GAP_BUCKETS_MAX = 100_000;
/** Share of the memory limit from which the job says so. */
const SOFT_SHARE = 0.8;

/** Share of the memory limit that documents that wait for `latency` may take. */
const LATE_SHARE = 0.5;

/** Times in which nothing is judged or learnt, in seconds. */
export interface CalendarEvent {
  readonly description: string;
  readonly from: number;
  readonly to: number;
}

/** What a job judges. */
export interface JobSpec {
  readonly spanS: number;
  readonly detectors: readonly DetectorSpec[];
  readonly influencers: readonly string[];
  /** Field with the number of documents that an input stands for. */
  readonly summaryCount: string | null;
  readonly categorization: CategorizationSpec | null;
  /** Buckets after which a series without documents is forgotten. */
  readonly pruneBuckets: number;
  readonly memoryLimitBytes: number;
  /** Seconds for which buckets stay open. */
  readonly latencyS: number;
  readonly calendar: readonly CalendarEvent[];
  /** Of which series the expected values are told: values of by or partition fields, all for null; absent: of none. */
  readonly plot?: { readonly terms: ReadonlySet<string> | null };
}

/** Field of the category of a line. */
export const CATEGORY_FIELD = 'mlcategory';

/** Numbers of documents that a job has not used, and of what it has. */
export interface JobCounts {
  outOfOrder: number;
  buckets: number;
  emptyBuckets: number;
  sparseBuckets: number;
  missingFields: number;
}

export type MemoryStatus = 'ok' | 'soft_limit' | 'hard_limit';

/** An anomaly detection job as pure state: documents in order of time go in, results of buckets come out. */
export class JobModel {
  readonly #spec: JobSpec;
  #calendar: readonly CalendarEvent[];
  readonly #detectors: readonly DetectorModel[];
  readonly #verdicts: readonly ((time: number) => RuleVerdict)[];
  readonly #lines: LineCategories | null;
  /** Seconds of the first open bucket; NaN before the first document. */
  #open = Number.NaN;
  #events = 0;
  /** Documents that wait for the end of `latency`. */
  readonly #late = new LateDocuments();
  readonly #normaliser = new Normaliser();
  readonly #results: BucketResult[] = [];
  /** Buckets and records that wait to be taken. */
  #waiting = 0;
  #plots: PlotPoint[] = [];
  counts: JobCounts = { outOfOrder: 0, buckets: 0, emptyBuckets: 0, sparseBuckets: 0, missingFields: 0 };
  /** Seconds of the last bucket with and without enough documents; NaN for none. */
  latest = { bucket: Number.NaN, empty: Number.NaN, sparse: Number.NaN };
  peakBytes = 0;
  /** Results that rules have suppressed, and buckets within events of calendars. */
  skipped = { results: 0, buckets: 0 };

  constructor(spec: JobSpec) {
    this.#spec = spec;
    this.#calendar = spec.calendar;
    this.#detectors = spec.detectors.map((one) => new DetectorModel(one, spec.spanS));
    this.#verdicts = this.#detectors.map((one) => ruleVerdict(one));
    this.#lines = spec.categorization === null ? null : new LineCategories(spec.categorization);
  }

  get bytes(): number {
    let bytes = this.#late.bytes + (this.#lines?.bytes ?? 0);
    for (const one of this.#detectors) bytes += one.bytes;
    bytes += this.#normaliser.bytes;
    this.peakBytes = Math.max(this.peakBytes, bytes);
    return bytes;
  }

  get memoryStatus(): MemoryStatus {
    if (this.#detectors.some(({ refused }) => refused > 0)) return 'hard_limit';
    return this.bytes > SOFT_SHARE * this.#spec.memoryLimitBytes ? 'soft_limit' : 'ok';
  }

  get refused(): number {
    return this.#detectors.reduce((sum, { refused }) => sum + refused, 0);
  }

  get fieldCounts(): { by: number; over: number; partition: number } {
    const total = { by: 0, over: 0, partition: 0 };
    for (const { fieldCounts } of this.#detectors) {
      total.by += fieldCounts.by;
      total.over += fieldCounts.over;
      total.partition += fieldCounts.partition;
    }
    return total;
  }

  /** Categories of lines; null for a job without. */
  get lines(): LineCategories | null {
    return this.#lines;
  }

  get detectors(): readonly DetectorModel[] {
    return this.#detectors;
  }

  /** End of the last bucket that is finished, in seconds; NaN before the first document. */
  get finalizedEnd(): number {
    return this.#open;
  }

  set calendar(events: readonly CalendarEvent[]) {
    this.#calendar = events;
  }

  /** Adds a document. Returns false if its bucket is finished already. */
  add(time: number, row: JobRow): boolean {
    const { spanS, latencyS } = this.#spec;
    const start = Math.floor(time / spanS) * spanS;
    if (Number.isNaN(this.#open)) this.#open = start;
    if (start < this.#open) {
      this.counts.outOfOrder++;
      return false;
    }
    if (latencyS === 0) {
      this.#advance(start);
      this.#gather(time, row, this.#weightOf(row), 1);
      return true;
    }
    this.#late.add(time, row);
    this.#advance(this.#opening(time));
    if (this.#late.bytes > LATE_SHARE * this.#spec.memoryLimitBytes) this.#makeRoom();
    return true;
  }

  /**
   * Documents that wait do not fit: those of the first open bucket are gathered before its end, and if that is not
   * enough, buckets end before `latency` has passed.
   */
  #makeRoom(): void {
    const { spanS, memoryLimitBytes } = this.#spec;
    this.#gatherLate(this.#open + spanS);
    while (this.#late.bytes > LATE_SHARE * memoryLimitBytes) {
      this.#finish();
      this.#open += spanS;
      this.#gatherLate(this.#open + spanS);
    }
  }

  /** Whether buckets are to be finished before a document is added. */
  isBehind(time: number): boolean {
    return this.#opening(time) > this.#open;
  }

  /**
   * Finishes the buckets that are to be finished before a document is added, one a step; `add` would finish them at
   * once. Of a gap of more than `GAP_BUCKETS_MAX` buckets the first are judged, the others skipped.
   */
  finishing(time: number): Generator<void> {
    return this.#finishing(this.#opening(time));
  }

  /** Start of the first bucket that is open still once a document is added. */
  #opening(time: number): number {
    const { spanS, latencyS } = this.#spec;
    return Math.floor((time - latencyS) / spanS) * spanS;
  }

  /**
   * Adds documents of one bucket that have the same values of all fields, but for those whose values are `Amounts`.
   * Only for functions of counts, sums, extremes and distinct values, and jobs without `latency`. Returns false if the
   * bucket is finished already.
   */
  addGroup(time: number, row: JobRow, documents: number): boolean {
    const { spanS } = this.#spec;
    const start = Math.floor(time / spanS) * spanS;
    if (Number.isNaN(this.#open)) this.#open = start;
    if (start < this.#open) {
      this.counts.outOfOrder += documents;
      return false;
    }
    this.#advance(start);
    this.#gather(time, row, documents, documents);
    return true;
  }

  /** Finishes all buckets that end by `time` in seconds, those with documents that wait for `latency` too. */
  advanceTo(time: number): void {
    const steps = this.advancing(time);
    while (steps.next().done !== true);
  }

  /** The same, one bucket a step. */
  *advancing(time: number): Generator<void> {
    const { spanS } = this.#spec;
    const start = Math.floor(time / spanS) * spanS;
    if (Number.isNaN(this.#open)) this.#open = start;
    else yield* this.#finishing(start);
  }

  /** Goes to a bucket without judging those before it. */
  skipTo(time: number): void {
    const { spanS } = this.#spec;
    const start = Math.floor(time / spanS) * spanS;
    if (!(start > this.#open) && !Number.isNaN(this.#open)) return;
    for (const one of this.#detectors) one.clear();
    this.#late.keepFrom(start);
    this.#events = 0;
    this.#open = start;
  }

  /** Buckets and records that were not taken yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Returns results that were not taken yet. */
  takeResults(): BucketResult[] {
    this.#waiting = 0;
    return this.#results.splice(0);
  }

  /** Returns the result of the open bucket as it is now; null if there is none. */
  interim(): BucketResult | null {
    if (Number.isNaN(this.#open) || this.#scheduled(this.#open).length > 0) return null;
    const findings = this.#detectors.map(() => [] as Finding[]);
    this.#detectors.forEach((one, i) => one.peek(this.#open, (finding) => findings[i]!.push(finding)));
    return this.#resultOf(findings, true);
  }

  #advance(start: number): void {
    if (!(start > this.#open)) return;
    const steps = this.#finishing(start);
    while (steps.next().done !== true);
  }

  *#finishing(start: number): Generator<void> {
    const { spanS, latencyS } = this.#spec;
    const judgedTo = Math.min(start, this.#open + GAP_BUCKETS_MAX * spanS);
    while (this.#open < judgedTo) {
      if (latencyS > 0) this.#gatherLate(this.#open + spanS);
      this.#finish();
      this.#open += spanS;
      yield;
    }
    this.skipTo(start);
  }

  #gatherLate(before: number): void {
    for (const { time, row } of this.#late.takeBefore(before)) this.#gather(time, row, this.#weightOf(row), 1);
  }

  #scheduled(time: number): readonly string[] {
    return this.#calendar.filter(({ from, to }) => time >= from && time < to).map(({ description }) => description);
  }

  #finish(): void {
    const scheduled = this.#scheduled(this.#open);
    const { counts } = this;
    counts.buckets++;
    this.latest.bucket = this.#open;
    if (this.#events === 0) {
      counts.emptyBuckets++;
      this.latest.empty = this.#open;
    }
    const findings = this.#detectors.map(() => [] as Finding[]);
    if (scheduled.length > 0) {
      this.skipped.buckets++;
      for (const one of this.#detectors) one.clear();
    } else this.#judge(findings);
    const result = this.#pending(findings, scheduled);
    this.#waiting += 1 + result.records.length;
    this.#results.push(result);
    if (counts.buckets % PRUNE_EVERY === 0) {
      const isTight = this.memoryStatus !== 'ok';
      const before = counts.buckets - Math.ceil(this.#spec.pruneBuckets / (isTight ? 2 : 1));
      if (before > 0) for (const one of this.#detectors) one.prune(before);
    }
    this.#events = 0;
  }

  #judge(findings: readonly Finding[][]): void {
    let roomBytes = this.#spec.memoryLimitBytes - this.bytes;
    this.#detectors.forEach((one, i) => {
      const report = (finding: Finding): void => void findings[i]!.push(finding);
      const before = one.bytes;
      const verdict = this.#counted(this.#verdicts[i]!(this.#open));
      one.finish(this.#open, roomBytes, verdict, report, this.#plotterOf(one, i));
      roomBytes -= one.bytes - before;
    });
  }

  /** A verdict that counts the values that its rules keep from being results. */
  #counted(verdict: RuleVerdict): RuleVerdict {
    return (series, actual, typical) => {
      const said = verdict(series, actual, typical);
      if (!said.report) this.skipped.results++;
      return said;
    };
  }

  #plotterOf(one: DetectorModel, detector: number): Plotter | undefined {
    const { plot } = this.#spec;
    if (plot === undefined) return undefined;
    const { terms } = plot;
    const names = (value: string | null): boolean => value !== null && terms!.has(value);
    return {
      wants: ({ by, partition }) => this.#plots.length < PLOTS_MAX && (terms === null || names(by) || names(partition)),
      plot: ({ series, ...values }) => this.#plots.push({ detector, splits: one.splitsOf(series), ...values }),
    };
  }

  #pending(findings: readonly (readonly Finding[])[], scheduled: readonly string[]): BucketResult {
    const result = this.#resultOf(findings, false);
    for (const one of this.#detectors) one.clear();
    const plots = this.#plots;
    this.#plots = [];
    const moves = this.#noteScores(result);
    return { ...result, scheduledEvents: scheduled, changes: this.#changes(), plots, moves };
  }

  /** Counts a bucket by the rarest of its results of each kind; now and then looks what earlier ones are worth. */
  #noteScores({ records, influencers, rarity }: BucketResult): ScoreMove[] {
    const bucket = this.counts.buckets;
    const rarest = new Map<string, { kind: ResultKind; rarity: number }>();
    const add = (key: string, kind: ResultKind, own: number): void => {
      if ((rarest.get(key)?.rarity ?? 0) < own) rarest.set(key, { kind, rarity: own });
    };
    for (const one of records) add(`r${one.splits.partition ?? ''}`, kindOf(one.splits), one.rarity);
    for (const one of influencers) add(`i${one.field}`, { type: 'influencer', field: one.field }, one.rarity);
    if (records.length > 0) add('b', { type: 'bucket' }, rarity);
    for (const { kind, rarity: own } of rarest.values()) this.#normaliser.note(kind, own, bucket);
    return bucket % REVIEW_EVERY === 0 ? this.#normaliser.review(bucket) : [];
  }

  #changes(): ModelChange[] {
    return this.#detectors.flatMap((one, detector) =>
      (one.judge.takeChanges?.() ?? []).map(({ series, kind, amount }) => ({
        ...{ detector, splits: one.splitsOf(series), kind, amount },
      })),
    );
  }

  #resultOf(findings: readonly (readonly Finding[])[], isInterim: boolean): BucketResult {
    const records: RecordResult[] = [];
    const influencers = new Map<string, InfluencerResult>();
    let rarity = 0;
    this.#detectors.forEach((one, i) => {
      const own = findings[i]!;
      if (own.length === 0) return;
      for (const finding of own) records.push(this.#recordOf(one, i, finding, influencers));
      const rarest = own.reduce((most, finding) => Math.max(most, finding.rarity), 0);
      rarity = Math.max(rarity, rarestOf(rarest, Math.max(1, one.judged)));
    });
    if (records.length > RECORDS_MAX) {
      records.sort((a, b) => b.rarity - a.rarity);
      records.length = RECORDS_MAX;
    }
    const jointRarity = rarestOf(rarity, this.#detectors.length);
    const score = records.length === 0 ? 0 : scoreOf(jointRarity);
    return {
      time: this.#open,
      events: this.#events,
      score,
      ranked: this.#normaliser.scoreOf({ type: 'bucket' }, jointRarity, score),
      rarity: jointRarity,
      probability: 10 ** -Math.min(300, jointRarity),
      isInterim,
      records,
      influencers: [...influencers.values()].map((one) => ({
        ...one,
        ranked: this.#normaliser.scoreOf({ type: 'influencer', field: one.field }, one.rarity, one.score),
      })),
      scheduledEvents: [],
      changes: [],
      plots: [],
      moves: [],
    };
  }

  #recordOf(
    one: DetectorModel,
    detector: number,
    finding: Finding,
    influencers: Map<string, InfluencerResult>,
  ): RecordResult {
    const named: NamedInfluencer[] = [];
    this.#spec.influencers.forEach((field, i) => {
      const found = this.#explain(one, finding, field, i);
      if (found.length === 0) return;
      named.push({ field, values: found.map(({ value }) => value) });
      for (const { value, share } of found) noteInfluencer(influencers, field, value, share, finding);
    });
    const { rarity, probability, typical, actual, multiBucket, usualChange, isSpike } = finding;
    const score = scoreOf(rarity);
    const splits = one.splitsOf(finding.series);
    const ranked = this.#normaliser.scoreOf(kindOf(splits), rarity, score);
    return {
      ...{ detector, splits, rarity, score, ranked, probability, typical, actual },
      ...{ multiBucket, usualChange, isSpike, influencers: named, periodS: finding.periodS ?? 0 },
      part: finding.part === undefined ? null : (DEVIATIONS[finding.part] ?? null),
      ...{ hasStates: finding.hasStates ?? false, isFirst: finding.isFirst ?? false },
    };
  }

  #explain(
    one: DetectorModel,
    { series, typical }: Finding,
    field: string,
    i: number,
  ): readonly { readonly value: string; readonly share: number }[] {
    const splits = one.splitsOf(series);
    const { spec } = one;
    const own =
      field === spec.partition
        ? splits.partition
        : field === spec.by
          ? splits.by
          : field === spec.over
            ? splits.over
            : null;
    if (own !== null) return [{ value: own, share: 1 }];
    const gather = one.gatherOf(series);
    if (gather === null) return [];
    return one.influenceOf(series)?.explain(i, gather, typical[0] ?? 0) ?? [];
  }

  #gather(time: number, row: JobRow, weight: number, documents: number): void {
    this.#events += documents;
    const mayGrow = this.bytesAllowGrowth();
    const category = this.#categoryOf(row, mayGrow);
    const field = (name: string): unknown => (name === CATEGORY_FIELD ? category : row[name]);
    const influencers = this.#spec.influencers.map((name) => textOf(field(name)));
    const { influencers: names } = this.#spec;
    for (const one of this.#detectors) {
      const keys = splitKeys(one.spec, field);
      if (keys === null) {
        this.counts.missingFields += documents;
        continue;
      }
      for (const observation of observationsOf(one.spec, time, field, weight)) {
        const gather = one.add(keys, observation, this.counts.buckets, mayGrow);
        if (gather !== null && names.length > 0) one.addInfluence(keys, observation, influencers);
      }
    }
  }

  #grows = true;
  #untilLook = 0;

  /** Whether there is memory for new series beside what the known ones need; looked at every 64 documents. */
  bytesAllowGrowth(): boolean {
    if (this.#untilLook-- <= 0) {
      this.#untilLook = 64;
      const reserved = this.#detectors.reduce((sum, { judge }) => sum + (judge.reservedBytes ?? 0), 0);
      this.#grows = this.bytes + reserved < this.#spec.memoryLimitBytes;
    }
    return this.#grows;
  }

  #categoryOf(row: JobRow, mayGrow: boolean): string | null {
    if (this.#lines === null) return null;
    const { field, partition } = this.#spec.categorization!;
    const line = row[field];
    if (typeof line !== 'string' || line === '') return null;
    const own = partition == null ? '' : (textOf(row[partition]) ?? '');
    const hadStopped = this.#lines.hasStopped(own);
    const category = this.#lines.of(line, own, mayGrow);
    if (!hadStopped && this.#lines.hasStopped(own)) this.#giveUp(own);
    return category === null ? null : String(category.id);
  }

  /** Forgets the series of a partition that are split by category: without lines they would look like outages. */
  #giveUp(partition: string): void {
    for (const one of this.#detectors) {
      const { by, over, partition: field } = one.spec;
      if (field === this.#spec.categorization!.partition && [by, over].includes(CATEGORY_FIELD))
        one.forgetPartition(partition);
    }
  }

  #weightOf(row: JobRow): number {
    if (this.#spec.summaryCount === null) return 1;
    const count = numberOf(row[this.#spec.summaryCount]);
    return count >= 0 ? count : 0;
  }

  /** Bytes of all that the job has learnt, and of the documents of the buckets that are open. */
  encode(): Uint8Array {
    const out = new ByteWriter(65_536);
    this.encodeTo(out);
    return out.finish();
  }

  /** Writes what `encode` returns. */
  encodeTo(out: ByteWriter): void {
    out.u32(FORMAT);
    out.f64(this.#open);
    const { counts, peakBytes } = this;
    const latest = Object.values(this.latest).map((time) => (Number.isNaN(time) ? null : time));
    const growth = { grows: this.#grows, untilLook: this.#untilLook };
    out.string(JSON.stringify({ counts, peakBytes, latest, events: this.#events, late: this.#late.documents, growth }));
    out.string(JSON.stringify(this.#lines?.toJson() ?? null));
    for (const one of this.#detectors) one.encode(out);
    out.string(
      JSON.stringify({
        detectors: this.#detectors.map((one) => one.extraJson()),
        scores: this.#normaliser.toJson(),
      } satisfies ExtrasJson),
    );
  }

  /** Reads what `encode` wrote for the same specification. Throws for another format. */
  decode(state: Uint8Array | ByteReader): void {
    const from = state instanceof ByteReader ? state : new ByteReader(state);
    const format = from.u32();
    if (!isReadable(format)) throw errors.illegalState('the state of the job has a format of another version');
    this.#open = from.f64();
    const kept = JSON.parse(from.string()) as KeptJson;
    this.counts = kept.counts;
    this.#events = kept.events;
    this.#late.restore(kept.late);
    this.peakBytes = kept.peakBytes;
    this.#grows = kept.growth?.grows ?? true;
    this.#untilLook = kept.growth?.untilLook ?? 0;
    const [bucket, empty, sparse] = kept.latest.map((v) => v ?? Number.NaN);
    this.latest = { bucket: bucket!, empty: empty!, sparse: sparse! };
    const categories: unknown = JSON.parse(from.string());
    if (categories !== null) this.#lines?.restore(categories);
    for (const one of this.#detectors) one.decode(from);
    if (format === FORMAT_FIRST) return;
    const extras = JSON.parse(from.string()) as ExtrasJson;
    this.#detectors.forEach((one, i) => one.restoreExtra(extras.detectors[i] ?? null));
    this.#normaliser.restore(extras.scores ?? []);
    this.skipped = { ...this.skipped, ...extras.skipped };
  }
}

/** What is kept at the end of a state. */
interface ExtrasJson {
  readonly detectors: readonly (FrequentJson | null)[];
  readonly scores?: NormaliserJson;
  readonly skipped?: JobModel['skipped'];
}

/** State of a job besides its detectors and categories. */
interface KeptJson {
  readonly counts: JobCounts;
  readonly peakBytes: number;
  readonly latest: (number | null)[];
  readonly events: number;
  readonly late: readonly LateDocument[];
  /** Whether there was room for new series, and documents until the next look; absent in states of before. */
  readonly growth?: { readonly grows: boolean; readonly untilLook: number };
}

const kindOf = ({ partition }: SplitKeys): ResultKind => ({ type: 'record', partition });
