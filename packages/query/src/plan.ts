import type { Geometry, ShapeRelation } from '@shoal/values';
import type { FieldType, ValueQuery } from '@shoal/mapping';
import type { FieldLayout } from '@shoal/segments';
import type { IntervalTree } from './execute/positions/interval-tree.js';
import type { CoveringMinimum } from './execute/covering-minimum.js';
import type { Percolation } from './percolate/percolation-api.js';
import type { SearchScript } from './scripts/segment-script.js';
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
      /** Counts to score by instead of the term's own, where frequencies are blended. */
      readonly docFreq?: number;
      readonly totalTermFreq?: number;
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
  /** Shapes with a relation to a shape; constant score. */
  | {
      readonly kind: 'shape';
      readonly field: string;
      /** Field of the cells that cover the shapes; null if there are none. */
      readonly cellsField: string | null;
      readonly shape: Geometry;
      /** Whether outer rings run counterclockwise. */
      readonly isRight: boolean;
      readonly relation: ShapeRelation;
      readonly boost: number;
    }
  | {
      readonly kind: 'distanceFeature';
      readonly field: string;
      /** Column of nanoseconds of the field. */
      readonly nanosField?: string;
      /** Milliseconds since 1970, nanoseconds if it is a bigint, or a point; `pivot` in the same unit, or in meters. */
      readonly origin: number | bigint | readonly [lat: number, lon: number];
      readonly pivot: number;
      readonly boost: number;
    }
  /** Documents with a feature, scored by its value. */
  | {
      readonly kind: 'rankFeature';
      /** Column of the values of a `rank_feature` field, and of features in segments of earlier builds. */
      readonly field: string;
      /** Field and feature as Lucene's FeatureField names them. */
      readonly of: readonly [field: string, feature: string];
      readonly score: FeatureFunction;
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
      /** Whether Elasticsearch does not look into the clauses for fields of nested objects: more_like_this. */
      readonly isOpaque?: true;
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
  /** The documents whose vectors are nearest to a vector, scored by how near they are. */
  | {
      readonly kind: 'nearest';
      readonly field: string;
      readonly layout: FieldLayout;
      /** The vector as a row of the field. */
      readonly vector: Uint8Array;
      /** Number of documents that match on this shard. */
      readonly k: number;
      /** How many of them are taken, those with the lowest numbers; null for all. */
      readonly first: number | null;
      /** Number of documents of each segment to choose from. */
      readonly candidates: number;
      /** Share of the nearest documents to find: each segment chooses its candidates by it. Null for `candidates`. */
      readonly recall: number | null;
      /** Whether all vectors are compared. */
      readonly isExact: boolean;
      /** The only documents to choose from; those around the nested objects that have the field. Null for all. */
      readonly filter: Plan | null;
      /** Similarity below which a document does not match; null for none. */
      readonly similarity: number | null;
      /** Whether the field is of nested objects, of which the best of each document matches. */
      readonly isNested: boolean;
      /** Whether the documents are those of a search over all shards (`knn` of a body), and not of a query. */
      readonly isGlobal: boolean;
      readonly boost: number;
    }
  /** Documents for which a script says true. */
  | { readonly kind: 'script'; readonly script: SearchScript; readonly boost: number }
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
  /** Documents whose id in a field is that of at least `minMatches` and at most `maxMatches` matches of a plan. */
  | {
      readonly kind: 'join';
      /** Field of the ids, which parents and their children have. */
      readonly field: string;
      readonly plan: Plan;
      /** The documents among which those with the ids match. */
      readonly targets: Plan;
      readonly scoreMode: 'avg' | 'sum' | 'min' | 'max' | 'none';
      readonly minMatches: number;
      readonly maxMatches: number | null;
      readonly boost: number;
    }
  /** Documents whose stored query matches one of the documents that are given, scored by the best of them. */
  | {
      readonly kind: 'percolate';
      /** Field of type `percolator`. */
      readonly field: string;
      readonly percolation: Percolation<Plan>;
      /** Distinguishes the positions of matching documents that hits show; null for none. */
      readonly name: string | null;
      readonly boost: number;
    }
  /** Documents that match at least as many of the plans as `minimum` says. */
  | {
      readonly kind: 'covering';
      readonly plans: readonly Plan[];
      readonly minimum: CoveringMinimum;
      readonly boost: number;
    }
  | { readonly kind: 'slice'; readonly id: number; readonly max: number }
  | { readonly kind: 'intervals'; readonly field: string; readonly tree: IntervalTree; readonly boost: number }
  | { readonly kind: 'span'; readonly field: string; readonly tree: SpanTree; readonly boost: number }
  /** A condition on a runtime field, which is tested on the values of one document after the other; constant score. */
  | { readonly kind: 'runtime'; readonly plan: RuntimeLeaf; readonly boost: number }
  /** A plan with the DSL's `_name`, for matched_queries. */
  | { readonly kind: 'named'; readonly name: string; readonly plan: Plan };

/** Kinds of plans that are conditions on the values of one field. */
export type RuntimeLeaf = Extract<
  Plan,
  { readonly kind: 'term' | 'terms' | 'multiTerm' | 'value' | 'numbers' | 'exists' | 'geo' }
>;

/** How the value of a feature becomes a score. A saturation without a pivot takes the mean value of the shard. */
export type FeatureFunction =
  | { readonly kind: 'saturation'; readonly pivot: number | null }
  | { readonly kind: 'log'; readonly scalingFactor: number }
  | { readonly kind: 'sigmoid'; readonly pivot: number; readonly exponent: number }
  | { readonly kind: 'linear' };

/** One position of a phrase; `position` counts tokens from the beginning of the phrase. */
export interface PhraseTerm {
  /** Alternative terms at this position. */
  readonly terms: readonly string[];
  readonly position: number;
}

/** A predicate on the terms of a field. `flags` are the bits of REGEXP_FLAGS. */
export type TermMatch =
  | { readonly kind: 'prefix'; readonly prefix: string; readonly caseInsensitive: boolean }
  /** Inputs of a completion field that are analysed to any of some texts, which ascend. */
  | { readonly kind: 'inputs'; readonly analysed: readonly string[] }
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

/** An area of geo points, in degrees of latitude and longitude; distances are measured on a sphere. */
export type GeoArea =
  | {
      readonly kind: 'distance';
      readonly lat: number;
      readonly lon: number;
      readonly meters: number;
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
    | {
        readonly kind: 'random';
        /** Mixed with the index and the shard. */
        readonly seed: number;
        /** As given, for explanations. */
        readonly givenSeed: number;
        readonly field: string | null;
        /** Of a mapped field; null without one. */
        readonly valueKind: FieldType['valueKind'] | null;
      }
    | {
        readonly kind: 'decay';
        readonly shape: 'gauss' | 'exp' | 'linear';
        readonly field: string;
        readonly origin: number | readonly [lat: number, lon: number];
        readonly scale: number;
        readonly offset: number;
        readonly decay: number;
        readonly multiValueMode: string;
      }
    | {
        readonly kind: 'script';
        readonly script: SearchScript;
        /** Whether the script reads the score of the document. */
        readonly usesScore: boolean;
        /** Whether it stands alone, as the query `script_score`, and not among functions. */
        readonly isQuery: boolean;
      };
}
