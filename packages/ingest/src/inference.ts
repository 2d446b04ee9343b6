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

/** Trained models, which machine learning provides. */
export interface InferenceModels {
  /**
   * Returns an object of results for fields, or one for each text; `predicted_value` is the member that stands for the
   * whole. Rejects with resource_not_found_exception for an unknown model.
   */
  infer(request: InferenceRequest): Promise<readonly JsonObject[]>;
}
