import type { Measure } from '../functions/catalogue.js';
import { Gather, type GatherJson, type Observation } from '../functions/gather.js';

/** Values of an influencer field that a series keeps for a bucket; further ones are not named. */
const VALUES_MAX = 1000;
/** Beyond this many values only measures whose parts can be subtracted are compared. */
const MERGED_MAX = 64;
/** Share of a deviation that a value has to explain to be named, as in Elasticsearch. */
export const INFLUENCE_LEAST = 0.4;

/** Gathers by value, for each field. */
export type InfluencerJson = [value: string, gather: GatherJson][][];

/** The documents of a series and a bucket by the values of the influencer fields. */
export class InfluencerGather {
  readonly #measure: Measure;
  readonly #fields: readonly Map<string, Gather>[];

  constructor(measure: Measure, fields: number) {
    this.#measure = measure;
    this.#fields = Array.from({ length: fields }, () => new Map<string, Gather>());
  }

  toJson(): InfluencerJson {
    return this.#fields.map((map) => [...map].map(([value, gather]) => [value, gather.toJson()]));
  }

  static fromJson(measure: Measure, json: InfluencerJson): InfluencerGather {
    const made = new InfluencerGather(measure, json.length);
    json.forEach((entries, i) => {
      for (const [value, kept] of entries) made.#fields[i]!.set(value, Gather.fromJson(measure, kept));
    });
    return made;
  }

  add(observation: Observation, values: readonly (string | null)[]): void {
    values.forEach((value, field) => {
      const map = this.#fields[field]!;
      if (value === null) return;
      let gather = map.get(value);
      if (gather === undefined) {
        if (map.size >= VALUES_MAX) return;
        map.set(value, (gather = new Gather(this.#measure)));
      }
      gather.add(observation);
    });
  }

  /**
   * Returns the values of a field that explain a deviation, with their shares: how much nearer the value of the bucket
   * would be to the typical one without the documents that have the value. A single value explains all.
   */
  explain(
    field: number,
    whole: Gather,
    typical: number,
  ): readonly { readonly value: string; readonly share: number }[] {
    const map = this.#fields[field]!;
    if (map.size === 0) return [];
    if (map.size === 1) return [{ value: [...map.keys()][0]!, share: 1 }];
    const deviation = Math.abs(whole.value() - typical);
    const found: { value: string; share: number }[] = [];
    for (const [value, part] of map) {
      const without = this.#without(map, value, part, whole);
      const left = Number.isFinite(without) ? Math.abs(without - typical) : 0;
      const share = deviation > 0 ? Math.max(0, Math.min(1, 1 - left / deviation)) : 0;
      if (share >= INFLUENCE_LEAST) found.push({ value, share });
    }
    return found.sort((a, b) => b.share - a.share || (a.value < b.value ? -1 : 1));
  }

  #without(map: ReadonlyMap<string, Gather>, value: string, part: Gather, whole: Gather): number {
    const count = whole.count - part.count;
    switch (this.#measure) {
      case 'count':
      case 'nonZeroCount':
        return count;
      case 'sum':
      case 'nonNullSum':
        return whole.sum - part.sum;
      case 'mean':
        return count > 0 ? (whole.sum - part.sum) / count : Number.NaN;
      case 'varp':
        return count > 1 ? (whole.squares - part.squares) / count - ((whole.sum - part.sum) / count) ** 2 : Number.NaN;
      case 'min':
      case 'max':
        return extremeWithout(map, value, this.#measure);
      default:
        return map.size <= MERGED_MAX ? mergedWithout(map, value, this.#measure) : whole.value();
    }
  }
}

function extremeWithout(map: ReadonlyMap<string, Gather>, value: string, measure: 'min' | 'max'): number {
  let extreme = Number.NaN;
  for (const [other, gather] of map) {
    if (other === value) continue;
    const candidate = measure === 'min' ? gather.least : gather.most;
    if (Number.isNaN(extreme) || (measure === 'min' ? candidate < extreme : candidate > extreme)) extreme = candidate;
  }
  return extreme;
}

function mergedWithout(map: ReadonlyMap<string, Gather>, value: string, measure: Measure): number {
  const rest = new Gather(measure);
  for (const [other, gather] of map) if (other !== value) rest.merge(gather);
  return rest.count === 0 ? Number.NaN : rest.value();
}
