import type { JsonObject } from '@shoal/json';

/** What an analysis of a table of documents does, between two looks at whether to go on. */
export interface Analysis {
  /** Documents that are learnt from, that are only given results, and that cannot be analysed. */
  readonly counts: { readonly training: number; readonly test: number; readonly skipped: number };
  /** Bytes that are used at most. */
  readonly bytes: number;
  /** Goes on for a short time. */
  step(): AnalysisStep;
  /** Results of documents in their order; null for those that were not analysed. */
  results(from: number, to: number): readonly (JsonObject | null)[];
  /** What remains besides results: the model, and what is known of it. Null for none. */
  model(): AnalysisModel | null;
}

export interface AnalysisStep {
  readonly isDone: boolean;
  readonly phase: string;
  /** Share of the phase that is done, from 0 to 1. */
  readonly share: number;
  /** Statistics under the name of the analysis. */
  readonly stats: JsonObject;
}

/** A model as it is stored. */
export interface AnalysisModel {
  readonly definition: JsonObject;
  readonly inputs: readonly string[];
  readonly metadata: JsonObject;
  /** Type in which classes are shown. */
  readonly fieldType: 'string' | 'number' | 'boolean';
}
