import type { JsonObject } from '@shoal/json';
import type { AnalyticsProgress } from './stored-analytics.js';
import type { AnalysisSpec } from './analytics-config.js';

/** A part of an analysis whose progress is shown. */
export type Phase =
  | 'reindexing'
  | 'loading_data'
  | 'feature_selection'
  | 'coarse_parameter_search'
  | 'fine_tuning_parameters'
  | 'final_training'
  | 'computing_outliers'
  | 'writing_results'
  | 'inference';

const OUTLIERS: readonly Phase[] = ['reindexing', 'loading_data', 'computing_outliers', 'writing_results'];
const TREES: readonly Phase[] = [
  ...(['reindexing', 'loading_data', 'feature_selection', 'coarse_parameter_search'] as const),
  ...(['fine_tuning_parameters', 'final_training', 'writing_results', 'inference'] as const),
];

/** Phases whose work outlives a run; loading of documents, which is done again, is shown as done beside them. */
const KEPT: ReadonlySet<Phase> = new Set([
  ...(['reindexing', 'loading_data', 'feature_selection', 'coarse_parameter_search'] as const),
  ...(['fine_tuning_parameters', 'final_training'] as const),
]);

/** Phases of an analysis in the order in which they are shown. */
export const phasesOf = ({ kind }: AnalysisSpec): readonly Phase[] => (kind === 'outlier_detection' ? OUTLIERS : TREES);

/** How far an analysis is. Progress of a phase never falls, and phases before it are complete. */
export class ProgressOf {
  readonly #percents: Map<Phase, number>;
  readonly startedMs: number;
  counts: JsonObject = { training_docs_count: 0, test_docs_count: 0, skipped_docs_count: 0 };
  peakBytes = 0;
  stats: JsonObject = {};

  constructor(phases: readonly Phase[], startedMs: number) {
    this.#percents = new Map(phases.map((phase) => [phase, 0]));
    this.startedMs = startedMs;
  }

  /** Begins where an earlier run was, as far as its work is kept: with its copy, and what it has trained. */
  resume({ phases }: AnalyticsProgress): void {
    for (const [phase, percent] of phases)
      if (KEPT.has(phase as Phase) && this.#percents.has(phase as Phase)) this.#percents.set(phase as Phase, percent);
  }

  /** Begins anew: what an earlier run had is gone. */
  restart(): void {
    for (const phase of this.#percents.keys()) this.#percents.set(phase, 0);
  }

  set(phase: Phase, share: number): void {
    if (!this.#percents.has(phase)) return;
    for (const [before, percent] of this.#percents) {
      if (before === phase) break;
      if (percent < 100) this.#percents.set(before, 100);
    }
    const percent = Math.min(100, Math.max(0, Math.floor(100 * share)));
    this.#percents.set(phase, Math.max(percent, this.#percents.get(phase)!));
  }

  finish(): void {
    for (const phase of this.#percents.keys()) this.#percents.set(phase, 100);
  }

  json(nowMs: number): AnalyticsProgress {
    const { counts, peakBytes, stats, startedMs } = this;
    return { phases: [...this.#percents], counts, peakBytes, stats, startedMs, elapsedMs: nowMs - startedMs };
  }
}
