/** Kinds of analyses with the words for them. */
export const ANALYSES = {
  outlier_detection: 'Outliers: how unusual each document is',
  regression: 'Regression: a number by the other fields',
  classification: 'Classification: one of a few values by the other fields',
} as const;

/** Name of a kind. */
export type AnalysisKind = keyof typeof ANALYSES;

/** Whether a text names a kind. */
export const isAnalysis = (name: string): name is AnalysisKind => Object.hasOwn(ANALYSES, name);

/** An analysis as its form has it. */
export interface AnalysisForm {
  readonly id: string;
  readonly indices: string;
  readonly dest: string;
  readonly kind: AnalysisKind;
  /** Field to predict; not for outliers. */
  readonly field: string;
  /** Part of the documents that are learnt from, in percent; the others measure what was learnt. */
  readonly percent: string;
}

/** What is missing in a form, a sentence; null if nothing is. `isNamed`: whether name and target are asked for too. */
export function analysisProblem(
  { id, indices, dest, kind, field, percent }: AnalysisForm,
  isNamed = true,
): string | null {
  if (isNamed && !/^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/.test(id))
    return 'The name has small letters, digits, hyphens and underscores, and begins and ends with a letter or digit.';
  if (indices.trim() === '') return 'Choose indices.';
  if (isNamed && dest.trim() === '') return 'Name the index for the results.';
  if (kind === 'outlier_detection') return null;
  if (field === '') return 'Choose the field to predict.';
  return Number(percent) >= 1 && Number(percent) <= 100 ? null : 'Between 1 and 100 percent are learnt from.';
}

/** The definition of a form. */
export function analysisBody({ indices, dest, kind, field, percent }: AnalysisForm): object {
  const options = kind === 'outlier_detection' ? {} : { dependent_variable: field, training_percent: Number(percent) };
  return {
    source: { index: indices.split(',').map((name) => name.trim()) },
    dest: { index: dest.trim() === '' ? 'results' : dest.trim() },
    analysis: { [kind]: options },
  };
}

/** An analysis as the cluster keeps it. */
export interface Analysis {
  readonly id: string;
  readonly kind: string;
  readonly source: readonly string[];
  readonly dest: string;
  readonly resultsField: string;
  /** Field that is predicted; null for outliers. */
  readonly field: string | null;
}

interface AnalysisJson {
  readonly id: string;
  readonly source: { readonly index: string | readonly string[] };
  readonly dest: { readonly index: string; readonly results_field?: string };
  readonly analysis: Readonly<Record<string, { readonly dependent_variable?: string }>>;
}

/** Analyses of an answer. */
export function readAnalyses(answer: unknown): readonly Analysis[] {
  const { data_frame_analytics: all = [] } = (answer ?? {}) as {
    readonly data_frame_analytics?: readonly AnalysisJson[];
  };
  return all.map(({ id, source, dest, analysis }) => {
    const [kind, options] = Object.entries(analysis)[0] ?? ['', {}];
    return {
      ...{ id, kind, source: [source.index].flat(), dest: dest.index, resultsField: dest.results_field ?? 'ml' },
      field: options.dependent_variable ?? null,
    };
  });
}

/** How far an analysis is. */
export interface AnalysisStats {
  readonly id: string;
  readonly state: string;
  readonly failure_reason?: string;
  readonly progress?: readonly { readonly phase: string; readonly progress_percent: number }[];
}

/** Statistics of an answer by the id of the analysis. */
export function readStats(answer: unknown): ReadonlyMap<string, AnalysisStats> {
  const { data_frame_analytics: all = [] } = (answer ?? {}) as {
    readonly data_frame_analytics?: readonly AnalysisStats[];
  };
  return new Map(all.map((one) => [one.id, one]));
}

/** The phase that an analysis is in, with its percents; `done` behind the last, empty before the first. */
export function phaseText({ progress = [] }: Pick<AnalysisStats, 'progress'>): string {
  if (progress.every(({ progress_percent: percent }) => percent === 0)) return '';
  const open = progress.find(({ progress_percent: percent }) => percent < 100);
  return open === undefined ? 'done' : `${open.phase.replaceAll('_', ' ')} ${open.progress_percent} %`;
}

/**
 * The call that measures predictions by documents that were not learnt from; null for outliers, whose truth nobody
 * knows.
 */
export function evaluationBody({ kind, dest, resultsField, field }: Analysis): object | null {
  if (field === null || !isAnalysis(kind)) return null;
  return {
    index: dest,
    query: { term: { [`${resultsField}.is_training`]: false } },
    evaluation: { [kind]: { actual_field: field, predicted_field: `${resultsField}.${field}_prediction` } },
  };
}

/** A figure of an evaluation. */
export interface Figure {
  readonly name: string;
  readonly value: number;
}

/** Figures of an evaluation: each metric that is a number or has an average. */
export function readFigures(answer: unknown): readonly Figure[] {
  const [metrics] = Object.values((answer ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>);
  return Object.entries(metrics ?? {}).flatMap(([name, value]) => {
    const {
      value: plain,
      avg_precision: precision,
      avg_recall: recall,
      overall_accuracy: accuracy,
    } = (value ?? {}) as Readonly<Record<string, unknown>>;
    const found = [plain, precision, recall, accuracy].find((one) => typeof one === 'number');
    return found === undefined ? [] : [{ name: name.replaceAll('_', ' '), value: found as number }];
  });
}

/** How much a field counts in what a model says. */
export interface Importance {
  readonly field: string;
  readonly mean: number;
}

/** Importances of a trained model, greatest first; of several classes the sum. */
export function readImportances(answer: unknown): readonly Importance[] {
  interface Magnitude {
    readonly mean_magnitude: number;
  }
  const { trained_model_configs: models = [] } = (answer ?? {}) as {
    readonly trained_model_configs?: readonly {
      readonly metadata?: {
        readonly total_feature_importance?: readonly {
          readonly feature_name: string;
          readonly importance?: Magnitude;
          readonly classes?: readonly { readonly importance: Magnitude }[];
        }[];
      };
    }[];
  };
  return (models[0]?.metadata?.total_feature_importance ?? [])
    .map(({ feature_name: field, importance, classes = [] }) => ({
      field,
      mean: importance?.mean_magnitude ?? classes.reduce((sum, one) => sum + one.importance.mean_magnitude, 0),
    }))
    .toSorted((a, b) => b.mean - a.mean);
}
