import { errors } from '@shoal/errors';
import { bodyReader, isPlainObject, type JsonObject } from '@shoal/json';

/** What a model that ranks hits is asked: features that are scores of queries. */
export interface RankingConfig {
  readonly features: readonly RankFeature[];
  /** Parameters of the queries that a search need not give. */
  readonly defaultParams: JsonObject;
}

interface RankFeature {
  readonly name: string;
  /** Query whose texts are templates. */
  readonly query: JsonObject;
  readonly defaultScore: number;
}

/** A model that ranks hits, as searches get it. */
export interface RankModel extends RankingConfig {
  readonly id: string;
  readonly version: string;
  readonly definition: string;
}

/** Members of `learning_to_rank` in `inference_config`. */
export const RANKING_KEYS = ['feature_extractors', 'num_top_feature_importance_values', 'default_params'];
const FEATURES_MAX = 1000;

function parseFeature(json: unknown): RankFeature {
  if (!isPlainObject(json) || Object.keys(json).length !== 1 || !isPlainObject(json['query_extractor']))
    throw errors.illegalArgument('[feature_extractors] must have objects with one member, [query_extractor]');
  const reader = bodyReader('query_extractor', json['query_extractor']);
  reader.onlyKeys(['feature_name', 'query', 'default_score']);
  const name = reader.optionalText('feature_name') ?? '';
  if (name === '') throw errors.illegalArgument('[feature_name] must not be [null] or empty');
  const query = reader.optionalObject('query');
  if (query === null || Object.keys(query).length !== 1)
    throw errors.illegalArgument(`[query] of the feature [${name}] must be an object with one query`);
  const defaultScore = reader.optionalNumber('default_score') ?? 0;
  if (!(defaultScore >= 0)) throw errors.illegalArgument('[default_score] must be greater than or equal to [0]');
  return { name, query, defaultScore };
}

/** Parses `learning_to_rank` of `inference_config`. */
export function parseRanking(body: JsonObject): RankingConfig {
  const extractors = body['feature_extractors'] ?? [];
  if (!Array.isArray(extractors)) throw errors.illegalArgument('[feature_extractors] must be an array');
  if (extractors.length > FEATURES_MAX)
    throw errors.illegalArgument(`[feature_extractors] has more than [${FEATURES_MAX}] features`);
  const features = extractors.map(parseFeature);
  const names = new Set<string>();
  for (const { name } of features) {
    if (names.has(name))
      throw errors.illegalArgument(`[feature_extractors] contains duplicate feature names [${name}]`);
    names.add(name);
  }
  return { features, defaultParams: bodyReader('learning_to_rank', body).optionalObject('default_params') ?? {} };
}

/** Refuses a model whose features have no query. */
export function checkFeatures({ ranking }: { readonly ranking: RankingConfig | null }, names: readonly string[]): void {
  const known = new Set(ranking!.features.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw errors.illegalArgument(
      `features of the model have no extractor in [feature_extractors]: [${unknown.join(', ')}]`,
    );
}

/** A configuration as `GET` shows it. */
export const rankingJson = ({ features, defaultParams }: RankingConfig): JsonObject => ({
  feature_extractors: features.map(({ name, query, defaultScore }) => ({
    query_extractor: { feature_name: name, query, default_score: defaultScore },
  })),
  default_params: defaultParams,
});
