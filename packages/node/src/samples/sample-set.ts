import { type Random, seededRandom } from '@shoal/doors';

/** One document of a sample set. */
export interface SampleDocument {
  readonly id: string;
  readonly source: Readonly<Record<string, unknown>>;
}

/** A set of documents that `shoal sample-data` loads into an index of its own. */
export interface SampleSet {
  /** Name of the index. */
  readonly index: string;
  /** What the documents are, for the list of sets. */
  readonly about: string;
  /** Number of documents. */
  readonly size: number;
  /** `properties` of the mapping. */
  readonly properties: Readonly<Record<string, unknown>>;
  /**
   * Makes the documents, the same ones for the same `nowMs`. Times lie before `nowMs` (milliseconds since 1970), so
   * that "the last week" finds something.
   */
  documents(nowMs: number): Iterable<SampleDocument>;
}

/** Draws from lists and ranges, repeatable from a seed. */
export interface Draw {
  /** A whole number in [from, to]. */
  whole(from: number, to: number): number;
  /** Whether something of the given probability happens. */
  chance(probability: number): boolean;
  one<T>(list: readonly T[]): T;
  /** One of a list whose first items are the most frequent: item k has a weight of 1/(k+1) (Zipf's law). */
  often<T>(list: readonly T[]): T;
  /** `count` different items of a list, in random order. */
  some<T>(list: readonly T[], count: number): T[];
}

/** Returns draws from a seed. */
export function drawFrom(seed: number): Draw {
  const random: Random = seededRandom(seed);
  const whole = (from: number, to: number): number => from + Math.floor(random.next() * (to - from + 1));
  const one = <T>(list: readonly T[]): T => list[whole(0, list.length - 1)]!;
  return {
    whole,
    one,
    chance: (probability) => random.next() < probability,
    often: (list) => list[zipfIndex(list.length, random.next())]!,
    some: (list, count) => {
      const rest = [...list];
      return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(whole(0, rest.length - 1), 1)[0]!);
    },
  };
}

/** Index for a uniform `part` in [0, 1): the weights 1/(k+1) add up to about the logarithm of the length. */
const zipfIndex = (length: number, part: number): number => Math.min(length - 1, Math.floor((length + 1) ** part) - 1);

/** Mapping of a text that is also sorted and counted as a whole, by its field `raw`. */
export const textAndRaw = { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 256 } } };
/** Mapping of a value that is matched as a whole. */
export const keyword = { type: 'keyword' };
