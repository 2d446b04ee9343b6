import type { ValueQuery } from '@shoal/mapping';
import type { IntervalTree } from './execute/positions/interval-tree.js';
import type { SpanTree } from './execute/positions/span-tree.js';

/**
 * A query in primitives, after mapping and rewriting: the form that the shard executes. The DSL's queries
 * (`queries/<name>.ts`) produce plans; `execute/` runs them. `plans/` has the rest by kind: text in Lucene's notation,
 * explanation of scores, highlighting. `boost` multiplies the score; filters carry none.
 */
export type Plan =
  | { readonly kind: 'all'; readonly boost: number }
  | { readonly kind: 'none'; readonly reason: string }
  /** BM25 of one term. */
  | {
      readonly kind: 'term';
      readonly field: string;
      readonly term: string;
      readonly boost: number;
      readonly docFreq?: number;
    }
  /** Terms at one position scored as one. */
  | { readonly kind: 'synonym'; readonly field: string; readonly terms: readonly string[]; readonly boost: number }
  /** Any of the terms in any of the fields, scored as one field (BM25F). */
  | {
      readonly kind: 'combined';
      readonly fields: readonly { readonly field: string; readonly weight: number }[];
      readonly terms: readonly string[];
      readonly boost: number;
    }
  /** Any of many terms, constant score. */
  | { readonly kind: 'terms'; readonly field: string; readonly terms: readonly string[]; readonly boost: number }
  | {
      readonly kind: 'phrase';
      readonly field: string;
      readonly terms: readonly PhraseTerm[];
      readonly slop: number;
      readonly boost: number;
      readonly prefixLast: boolean;
      readonly maxExpansions: number;
    }
  /** Terms that match a predicate, found through the dictionary. */
  | {
      readonly kind: 'multiTerm';
      readonly field: string;
      readonly match: TermMatch;
      readonly rewrite: string;
      readonly boost: number;
    }
  /** Numbers, dates, booleans, or a range of terms (ip, keyword), constant score. */
  | {
      readonly kind: 'value';
      readonly field: string;
      readonly query: ValueQuery;
      readonly boost: number;
      /** Set for one value of a boolean, which is scored by BM25 like a term. */
      readonly isTerm?: true;
    }
  /** Any of many numbers. */
  | {
      readonly kind: 'numbers';
      readonly field: string;
      readonly values: readonly (number | bigint)[];
      readonly boost: number;
    }
  | { readonly kind: 'exists'; readonly field: string; readonly boost: number }
  | { readonly kind: 'ids'; readonly ids: readonly string[]; readonly boost: number }
  | { readonly kind: 'geo'; readonly field: string; readonly area: GeoArea; readonly boost: number }
  | {
      readonly kind: 'distanceFeature';
      readonly field: string;
      readonly origin: number | readonly [lat: number, lon: number];
      readonly pivot: number;
      readonly boost: number;
    }
  | {
      readonly kind: 'bool';
      readonly must: readonly Plan[];
      readonly filter: readonly Plan[];
      readonly should: readonly Plan[];
      readonly mustNot: readonly Plan[];
      readonly minimumShouldMatch: number;
      readonly boost: number;
    }
  | { readonly kind: 'disMax'; readonly plans: readonly Plan[]; readonly tieBreaker: number; readonly boost: number }
  | { readonly kind: 'constant'; readonly plan: Plan; readonly boost: number }
  | {
      readonly kind: 'boosting';
      readonly positive: Plan;
      readonly negative: Plan;
      readonly negativeBoost: number;
      readonly boost: number;
    }
  | {
      readonly kind: 'functionScore';
      readonly plan: Plan;
      readonly functions: readonly ScoreFunction[];
      readonly scoreMode: string;
      readonly boostMode: string;
      readonly maxBoost: number;
      readonly minScore: number | null;
      readonly boost: number;
    }
  /** Documents (roots, or nested documents of `parentPath`) that have matching nested documents of `path`. */
  | {
      readonly kind: 'nested';
      readonly path: string;
      readonly parentPath: string | null;
      readonly plan: Plan;
      readonly scoreMode: 'avg' | 'sum' | 'min' | 'max' | 'none';
      readonly boost: number;
    }
  /** Documents that match at least as many of the plans as the number in their field `minimumField` says. */
  | {
      readonly kind: 'covering';
      readonly plans: readonly Plan[];
      readonly minimumField: string;
      readonly boost: number;
    }
  | { readonly kind: 'slice'; readonly id: number; readonly max: number }
  | { readonly kind: 'intervals'; readonly field: string; readonly tree: IntervalTree; readonly boost: number }
  | { readonly kind: 'span'; readonly field: string; readonly tree: SpanTree; readonly boost: number }
  /** A plan with the DSL's `_name`, for matched_queries. */
  | { readonly kind: 'named'; readonly name: string; readonly plan: Plan };

/** One position of a phrase; `position` counts tokens from the beginning of the phrase. */
export interface PhraseTerm {
  /** Alternative terms at this position. */
  readonly terms: readonly string[];
  readonly position: number;
}

/** A predicate on the terms of a field. `flags` are the bits of REGEXP_FLAGS. */
export type TermMatch =
  | { readonly kind: 'prefix'; readonly prefix: string; readonly caseInsensitive: boolean }
  | { readonly kind: 'wildcard'; readonly pattern: string; readonly caseInsensitive: boolean }
  | {
      readonly kind: 'regexp';
      readonly pattern: string;
      readonly flags: number;
      readonly caseInsensitive: boolean;
      readonly maxDeterminizedStates: number;
    }
  | {
      readonly kind: 'fuzzy';
      readonly term: string;
      readonly maxEdits: number;
      readonly prefixLength: number;
      readonly transpositions: boolean;
      readonly maxExpansions: number;
    };

/**
 * An area of geo points, in degrees of latitude and longitude. `plane` measures distances on a plane instead of a
 * sphere.
 */
export type GeoArea =
  | {
      readonly kind: 'distance';
      readonly lat: number;
      readonly lon: number;
      readonly meters: number;
      readonly plane: boolean;
    }
  /** A box with left > right crosses the date line. */
  | {
      readonly kind: 'box';
      readonly top: number;
      readonly left: number;
      readonly bottom: number;
      readonly right: number;
    }
  | { readonly kind: 'polygon'; readonly points: readonly (readonly [lat: number, lon: number])[] };

/** One function of function_score. `filter` null applies it to every match; `weight` null means 1. */
export interface ScoreFunction {
  readonly filter: Plan | null;
  readonly weight: number | null;
  readonly function:
    | { readonly kind: 'weight' }
    | {
        readonly kind: 'fieldValueFactor';
        readonly field: string;
        readonly factor: number;
        readonly modifier: string;
        readonly missing: number | null;
      }
    | { readonly kind: 'random'; readonly seed: number | null; readonly field: string | null }
    | {
        readonly kind: 'decay';
        readonly shape: 'gauss' | 'exp' | 'linear';
        readonly field: string;
        readonly origin: number | readonly [lat: number, lon: number];
        readonly scale: number;
        readonly offset: number;
        readonly decay: number;
        readonly multiValueMode: string;
      };
}
