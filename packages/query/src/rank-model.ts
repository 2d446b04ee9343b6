import { gunzipSync } from 'node:zlib';
import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, parseSource } from '@shoal/json';
import { parseModel, type TreeModel } from '@shoal/learning';
import { objectField, readDeclared, stringField } from './parse/declared.js';
import { parseQuery } from './parse/parse-query.js';
import type { ParseContext, ParsedQuery } from './parsed-query.js';
import type { Searcher } from './searcher.js';

/** A feature of a model that ranks: the score of a query. */
export interface RankFeature {
  readonly name: string;
  readonly query: ParsedQuery;
  /** Value for documents that do not match. */
  readonly defaultScore: number;
}

/** A pass in which a trained model ranks the best hits of a shard by the scores of queries. */
export interface ModelRescore {
  readonly kind: 'model';
  readonly windowSize: number;
  readonly modelId: string;
  /** Parameters of the queries, which the coordinator puts in. */
  readonly params: JsonObject;
  /** Null on the coordinator, which adds it to the body for the shards. */
  readonly model: RankModel | null;
}

/** A model in the body that shards get. */
export interface RankModel {
  /** Differs for all models. */
  readonly version: string;
  /** Gzip in base64. */
  readonly definition: string;
  readonly features: readonly RankFeature[];
}

/** Largest definition, inflated. */
const DEFINITION_BYTES_MAX = 64 * 1024 * 1024;

/** Parses `learning_to_rank` of a rescore pass. What the coordinator adds for shards is not taken from clients. */
export function parseModelRescore(body: JsonObject, context: ParseContext): Omit<ModelRescore, 'windowSize'> {
  const isOnShard = context.storedScripts === undefined;
  const given = readDeclared('learning_to_rank', body, {
    model_id: stringField(String),
    params: objectField((value) => value as JsonObject),
    ...(isOnShard ? { _model: objectField((value) => parseRankModel(value as JsonObject, context)) } : {}),
  }) as { readonly model_id?: string; readonly params?: JsonObject; readonly _model?: RankModel };
  if (given.model_id === undefined) throw errors.illegalArgument('Required [model_id]');
  return { kind: 'model', modelId: given.model_id, params: given.params ?? {}, model: given._model ?? null };
}

function parseRankModel(json: JsonObject, context: ParseContext): RankModel {
  const features = json['features'] as readonly JsonObject[];
  return {
    version: String(json['version']),
    definition: String(json['definition']),
    features: features.map(({ name, query, default_score: score }) => ({
      name: String(name),
      query: parseQuery(isPlainObject(query) ? query : {}, context),
      defaultScore: Number(score),
    })),
  };
}

/** The trees of a model, which are kept as long as the segments of a shard. */
export function treesOf({ version, definition }: RankModel, searcher: Searcher): TreeModel {
  return searcher.cache.get(`rank-model-${version}`, () => {
    const bytes = gunzipSync(Buffer.from(definition, 'base64'), { maxOutputLength: DEFINITION_BYTES_MAX });
    const model = parseModel(parseSource(bytes));
    return { value: model, bytes: model.bytes };
  });
}
