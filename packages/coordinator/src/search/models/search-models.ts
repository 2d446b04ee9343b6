import { errors } from '@shoal/errors';
import type { InferenceModels, Predictor, RankModel } from '@shoal/ingest';
import { isPlainObject, type JsonObject, parseJson, stringify } from '@shoal/json';
import { type ModelRescore, type ParseContext, parseRescore, type Rescore } from '@shoal/query';
import { compile } from '@shoal/script';
import type { CallContext } from '../../call.js';
import type { CoordinatorContext } from '../../context.js';
import { encodeUtf8 } from '../../json-bytes.js';
import type { SearchPlan } from '../parse/search-plan.js';

/** The action that whoever uses a model in a search may call. */
const GET_MODELS = 'cluster:monitor/xpack/ml/inference/get';

/** Trained models of a search, and its plan, whose body has the models that shards need. */
export interface ModelledSearch {
  readonly plan: SearchPlan;
  readonly models: ReadonlyMap<string, Predictor>;
}

const isModelled = (pass: Rescore): pass is ModelRescore => pass.kind === 'model';

/** Whether a search names trained models. */
export const namesModels = ({ aggregations, rescore }: SearchPlan): boolean =>
  (aggregations !== null && aggregations.modelIds.length > 0) || rescore.some(isModelled);

/**
 * Loads the trained models that a search names. Rejects with security_exception if the caller may not see them, with
 * resource_not_found_exception for one that is missing.
 */
export async function loadModels(
  context: CoordinatorContext,
  plan: SearchPlan,
  { subject }: CallContext,
  parsing: ParseContext,
): Promise<ModelledSearch> {
  if (!subject.permissions.allowsCluster(GET_MODELS)) throw subject.denied(GET_MODELS);
  const source = context.models;
  if (source === null) throw errors.illegalState('this node has no trained models', { status: 503 });
  const ids = plan.aggregations?.modelIds ?? [];
  const models = new Map(await Promise.all(ids.map(async (id) => [id, await source.predictor(id)] as const)));
  return { plan: plan.rescore.some(isModelled) ? await withRankModels(source, plan, parsing) : plan, models };
}

/** The plan with the models of its rescore passes, also in its body. */
async function withRankModels(source: InferenceModels, plan: SearchPlan, parsing: ParseContext): Promise<SearchPlan> {
  const given = plan.json['rescore'];
  const passes = (Array.isArray(given) ? given : [given]) as readonly JsonObject[];
  const rescore = await Promise.all(
    plan.rescore.map(async (pass, i) => {
      if (!isModelled(pass)) return passes[i]!;
      const model = rankJson(await source.rankModel(pass.modelId), pass.params);
      return { window_size: pass.windowSize, learning_to_rank: { model_id: pass.modelId, _model: model } };
    }),
  );
  const json = { ...plan.json, rescore };
  // As shards parse it: with what no client may give.
  const parsed = parseRescore(rescore, { ...parsing, storedScripts: undefined }, json);
  return { ...plan, body: encodeUtf8(stringify(json)), rescore: parsed };
}

/** A model for shards: its definition, and the queries of its features with their parameters put in. */
function rankJson({ id, version, definition, features, defaultParams }: RankModel, params: JsonObject): JsonObject {
  const all = { ...defaultParams, ...params };
  return {
    version: `${id}-${version}`,
    definition,
    features: features.map(({ name, query, defaultScore }) => ({
      name,
      query: withParams(name, query, all),
      default_score: defaultScore,
    })),
  };
}

function withParams(name: string, query: JsonObject, params: JsonObject): unknown {
  const source = stringify(query);
  if (!source.includes('{{')) return query;
  const template = { lang: 'mustache', source, id: null, params: {}, options: {} };
  const text = String(compile(template, 'template').call([params]));
  const rendered: unknown = parseOrNull(text);
  if (isPlainObject(rendered)) return rendered;
  throw errors.illegalArgument(`the query of the feature [${name}] is not JSON when its parameters are put in`);
}

function parseOrNull(text: string): unknown {
  try {
    return parseJson(encodeUtf8(text));
  } catch {
    return null;
  }
}
