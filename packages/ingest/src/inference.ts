import type { JsonObject } from '@shoal/json';

/** What a model is asked: the fields of a document, or texts. */
export type InferenceInput =
  | { readonly kind: 'fields'; readonly fields: JsonObject }
  | { readonly kind: 'texts'; readonly texts: readonly string[] };

/** One question to a model. */
export interface InferenceRequest {
  readonly modelId: string;
  readonly input: InferenceInput;
  /** `inference_config` of the processor: one member, named for the kind of task; null for that of the model. */
  readonly config: JsonObject | null;
}

/** A model that is loaded. */
export interface Predictor {
  /** The member of an `inference_config` for it. */
  readonly kind: string;
  /** Returns the results for fields; `config` as in `InferenceRequest`. */
  infer(fields: JsonObject, config: JsonObject | null): JsonObject;
}

/** A model that ranks hits, with the queries that its features are the scores of. */
export interface RankModel {
  readonly id: string;
  /** Differs for models of one id. */
  readonly version: string;
  /** Gzip in base64. */
  readonly definition: string;
  readonly features: readonly RankFeature[];
  /** Parameters of the queries that a search need not give. */
  readonly defaultParams: JsonObject;
}

/** A feature of a model that ranks: the score of a query, whose texts are templates. */
export interface RankFeature {
  readonly name: string;
  readonly query: JsonObject;
  /** Value for documents that do not match. */
  readonly defaultScore: number;
}

/** Trained models, which machine learning provides. */
export interface InferenceModels {
  /**
   * Returns an object of results for fields, or one for each text; `predicted_value` is the member that stands for the
   * whole. Rejects with resource_not_found_exception for an unknown model.
   */
  infer(request: InferenceRequest): Promise<readonly JsonObject[]>;
  /** Loads a model or an alias. Rejects as `infer` does. */
  predictor(modelId: string): Promise<Predictor>;
  /** Loads a model that ranks. Rejects with illegal_argument_exception for another kind. */
  rankModel(modelId: string): Promise<RankModel>;
}
