import type { ByteReader, ByteWriter } from '@shoal/codec';
import { Gather, type GatherJson, type Observation } from '../functions/gather.js';
import type { DetectorBucket, DetectorSpec, Finding, Judge, Plotter, RuleVerdict, SplitValues } from './detector.js';
import { Frequent, type FrequentJson } from './frequent.js';
import { InfluencerGather, type InfluencerJson } from './influence.js';
import { PopulationJudge } from './population-judge.js';
import { profileJudge } from './profile-judges.js';
import { RareJudge } from './rare-judge.js';
import { SeriesJudge } from './series-judge.js';

/** Bytes of the key of a series, besides its text. */
const KEY_BYTES = 120;
const SEPARATOR = '\u0000';
/** Values of a split field that is absent. */
const ABSENT = '\u0001';

function judgeOf(spec: DetectorSpec, spanS: number): Judge {
  const { model } = spec.function;
  if (model === 'rare') return new RareJudge(spec);
  if (model !== 'series') return profileJudge(spec);
  return spec.over === null ? new SeriesJudge(spec, spanS) : new PopulationJudge(spec, spanS);
}

/** Values of the split fields of a document; null for a field that the detector has not. */
export interface SplitKeys {
  readonly partition: string | null;
  readonly by: string | null;
  readonly over: string | null;
}

/** What the open bucket has gathered, by series. */
interface OpenJson {
  readonly gathered: [number, GatherJson][];
  readonly influence: [number, InfluencerJson][];
}

/** One detector: its series by the values of the split fields, what the open bucket has gathered, and its judge. */
export class DetectorModel {
  readonly spec: DetectorSpec;
  readonly judge: Judge;
  readonly #series = new Map<string, number>();
  readonly #splits = new Map<number, SplitValues>();
  /** The only split field: its value is the key of a series. Null for none or several. */
  readonly #onlySplit: keyof SplitKeys | null;
  /** Number of the last bucket in which a series had documents; NaN for none. */
  #lastSeen = new Float64Array(16).fill(Number.NaN);
  #next = 0;
  #keyBytes = 0;
  #gathered = new Map<number, Gather>();
  #influence = new Map<number, InfluencerGather>();
  /** Distinct values of the split fields. */
  readonly #values = { by: new Set<string>(), over: new Set<string>(), partition: new Set<string>() };
  /** Null where frequent values are judged as all others. */
  readonly #frequent: Frequent | null;
  /** Documents that were refused a series, and values that were not judged, because there is no memory for them. */
  refused = 0;

  constructor(spec: DetectorSpec, spanS: number) {
    this.spec = spec;
    this.judge = judgeOf(spec, spanS);
    this.#onlySplit = onlySplitOf(spec);
    this.#frequent = spec.excludeFrequent === 'none' ? null : new Frequent(spec);
  }

  get bytes(): number {
    return this.judge.bytes + this.#keyBytes + (this.#frequent?.bytes ?? 0);
  }

  /** Numbers of distinct values of the split fields. */
  get fieldCounts(): { readonly by: number; readonly over: number; readonly partition: number } {
    const { by, over, partition } = this.#values;
    return { by: by.size, over: over.size, partition: partition.size };
  }

  /** Adds a document to the open bucket. `mayGrow`: whether there is memory for a new series. */
  add(keys: SplitKeys, observation: Observation, bucket: number, mayGrow: boolean): Gather | null {
    const series = this.#numberOf(keys, mayGrow);
    if (series < 0) {
      this.refused++;
      return null;
    }
    this.#lastSeen[series] = bucket;
    let gather = this.#gathered.get(series);
    if (gather === undefined) this.#gathered.set(series, (gather = new Gather(this.spec.function.measure)));
    gather.add(observation);
    return gather;
  }

  /** Notes which values of influencer fields the document that was added last had. */
  addInfluence(keys: SplitKeys, observation: Observation, values: readonly (string | null)[]): void {
    const series = this.#series.get(this.#keyOf(keys));
    if (series === undefined) return;
    let influence = this.#influence.get(series);
    if (influence === undefined) {
      influence = new InfluencerGather(this.spec.function.measure, values.length);
      this.#influence.set(series, influence);
    }
    influence.add(observation, values);
  }

  /**
   * Judges and learns the open bucket; what it gathered stays until `clear`. `roomBytes`: by how much the models may
   * grow.
   */
  finish(
    time: number,
    roomBytes: number,
    verdict: RuleVerdict,
    report: (finding: Finding) => void,
    plotter?: Plotter,
  ): void {
    this.judge.roomBytes = roomBytes;
    this.#judge(time, verdict, report, plotter);
    this.refused += this.judge.takeRefused?.() ?? 0;
  }

  #judge(time: number, verdict: RuleVerdict, report: (finding: Finding) => void, plotter?: Plotter): void {
    const bucket = this.#bucket(time);
    const frequent = this.#frequent;
    if (frequent === null) return this.judge.step(bucket, verdict, report, plotter);
    frequent.step([...this.#gathered.keys()].map((series) => this.#splits.get(series)!));
    const reportOthers = (finding: Finding): void => {
      if (!frequent.has(this.#splits.get(finding.series)!)) report(finding);
    };
    this.judge.step(this.spec.over === null ? bucket : this.#others(bucket, frequent), verdict, reportOthers, plotter);
  }

  /** A bucket of a population without frequent members and values: they neither count as peers nor are judged. */
  #others(bucket: DetectorBucket, frequent: Frequent): DetectorBucket {
    const others = [...bucket.gathered].filter(([series]) => !frequent.has(this.#splits.get(series)!));
    return { ...bucket, gathered: new Map(others) };
  }

  /** Judges the open bucket and learns nothing. */
  peek(time: number, report: (finding: Finding) => void): void {
    const frequent = this.#frequent;
    this.judge.peek(this.#bucket(time), (finding) => {
      if (frequent === null || !frequent.has(this.#splits.get(finding.series)!)) report(finding);
    });
  }

  /** Begins the next bucket without a judgement. */
  clear(): void {
    this.#gathered = new Map();
    this.#influence = new Map();
  }

  /** Counts events of the series of some values; false if it is not known, or its judge remembers no events. */
  countEvents(keys: SplitKeys, surprise: number, times: number): boolean {
    const series = this.#series.get(this.#keyOf(keys));
    return series !== undefined && (this.judge.countEvents?.(series, surprise, times) ?? false);
  }

  influenceOf(series: number): InfluencerGather | null {
    return this.#influence.get(series) ?? null;
  }

  gatherOf(series: number): Gather | null {
    return this.#gathered.get(series) ?? null;
  }

  splitsOf(series: number): SplitValues {
    return this.#splits.get(series)!;
  }

  /** Numbers of the series that had documents in the open bucket, or that count as zero in it. */
  get judged(): number {
    return this.spec.function.countsEmpty ? this.#series.size : this.#gathered.size;
  }

  all(): Iterable<number> {
    return this.#splits.keys();
  }

  /** Forgets series without documents since bucket `before`. */
  prune(before: number): void {
    for (const [key, series] of this.#series) {
      if (this.#lastSeen[series]! < before) this.#forget(key, series);
    }
  }

  /** Forgets the series of a partition, with what the open bucket has gathered of them. */
  forgetPartition(partition: string): void {
    for (const [key, series] of this.#series) {
      if (this.#splits.get(series)!.partition !== partition) continue;
      this.#gathered.delete(series);
      this.#influence.delete(series);
      this.#forget(key, series);
    }
  }

  #forget(key: string, series: number): void {
    const splits = this.#splits.get(series)!;
    this.#series.delete(key);
    this.#frequent?.remove(splits);
    this.#splits.delete(series);
    this.#lastSeen[series] = Number.NaN;
    this.judge.remove(series);
    this.#keyBytes -= KEY_BYTES + 2 * keyOf(splits).length;
  }

  encode(out: ByteWriter): void {
    out.varint(this.#next);
    out.varint(this.#series.size);
    for (const series of this.#series.values()) {
      const seen = this.#lastSeen[series]!;
      out.string(keyOf(this.#splits.get(series)!));
      out.varint(series);
      out.f64(Number.isNaN(seen) ? 0 : seen);
    }
    out.varint(this.refused);
    const gathered = [...this.#gathered].map(([series, gather]) => [series, gather.toJson()]);
    const influence = [...this.#influence].map(([series, gather]) => [series, gather.toJson()]);
    out.string(JSON.stringify({ gathered, influence }));
    this.judge.encode(out);
  }

  decode(from: ByteReader): void {
    this.#next = from.varint();
    for (let n = from.varint(); n > 0; n--) {
      const key = from.string();
      const series = from.varint();
      this.#register(splitsOf(key), series);
      this.#lastSeen[series] = from.f64();
    }
    this.refused = from.varint();
    const { gathered, influence } = JSON.parse(from.string()) as OpenJson;
    const { measure } = this.spec.function;
    for (const [series, kept] of gathered) this.#gathered.set(series, Gather.fromJson(measure, kept));
    for (const [series, kept] of influence) this.#influence.set(series, InfluencerGather.fromJson(measure, kept));
    this.judge.decode(from);
  }

  /** What is kept besides the series, as JSON: which values are frequent. */
  extraJson(): FrequentJson | null {
    return this.#frequent?.toJson() ?? null;
  }

  restoreExtra(kept: FrequentJson | null): void {
    if (kept !== null) this.#frequent?.restore(kept);
  }

  #bucket(time: number): DetectorBucket {
    return {
      time,
      gathered: this.#gathered,
      splits: (series) => this.#splits.get(series)!,
      all: () => this.#splits.keys(),
    };
  }

  #numberOf(keys: SplitKeys, mayGrow: boolean): number {
    const known = this.#series.get(this.#keyOf(keys));
    if (known !== undefined) return known;
    if (!mayGrow) return -1;
    const series = this.#next++;
    this.#register(splitsOf(keyOf(keys)), series);
    return series;
  }

  #keyOf(keys: SplitKeys): string {
    return this.#onlySplit === null ? keyOf(keys) : cleaned(keys[this.#onlySplit]);
  }

  #register(splits: SplitValues, series: number): void {
    this.#series.set(this.#keyOf(splits), series);
    if (series >= this.#lastSeen.length) {
      const grown = new Float64Array(2 * series).fill(Number.NaN);
      grown.set(this.#lastSeen);
      this.#lastSeen = grown;
    }
    this.#splits.set(series, splits);
    this.#frequent?.add(splits);
    if (splits.by !== null) this.#values.by.add(splits.by);
    if (splits.over !== null) this.#values.over.add(splits.over);
    if (splits.partition !== null) this.#values.partition.add(splits.partition);
    this.#keyBytes += KEY_BYTES + 2 * keyOf(splits).length;
  }
}

function cleaned(value: string | null): string {
  if (value === null) return ABSENT;
  return value.includes(SEPARATOR) ? value.replaceAll(SEPARATOR, ' ') : value;
}

const keyOf = ({ partition, by, over }: SplitKeys): string =>
  cleaned(partition) + SEPARATOR + cleaned(by) + SEPARATOR + cleaned(over);

/** Values of the split fields of what `keyOf` returned. */
function splitsOf(key: string): SplitValues {
  const [partition, by, over] = key.split(SEPARATOR).map((part) => (part === ABSENT ? null : part));
  return { partition: partition ?? null, by: by ?? null, over: over ?? null };
}

function onlySplitOf(spec: DetectorSpec): keyof SplitKeys | null {
  const used = (['partition', 'by', 'over'] as const).filter((split) => spec[split] !== null);
  return used.length === 1 ? used[0]! : null;
}
