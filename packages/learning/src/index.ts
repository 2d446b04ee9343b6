export { functionOf } from './functions/catalogue.js';
export type { DetectorRule, DetectorSpec, RuleCondition, SplitValues } from './job/detector.js';
export { Amounts } from './functions/gather.js';
export {
  type CalendarEvent,
  CATEGORY_FIELD,
  GAP_BUCKETS_MAX,
  JobModel,
  type JobSpec,
} from './job/job-model.js';
export type { JobRow } from './job/job-row.js';
export { readsState } from './job/state-format.js';
export type { ResultKind, ScoreMove } from './job/normaliser.js';
export type { BucketResult, InfluencerResult, ModelChange, PlotPoint, RecordResult } from './job/results.js';
export { rarityOf, scoreOf } from './job/score.js';
export { SeriesJudge } from './job/series-judge.js';
export { Categoriser, type Category, categoryGrok, categoryRegex, fixedTokens } from './text/categoriser.js';
export type { CategorizationSpec, CategorySizes, PartitionCategory, PartitionSizes } from './text/line-categories.js';
export { SERIES, type SeriesConstants } from './series/constants.js';
export { type Judgement, newJudgement } from './series/series-model.js';
export { seriesShape, type SeriesShape } from './series/shape.js';
export { SeriesSlab } from './series/slab.js';
export { type ClassShare, parseModel, type TreeModel } from './trees/model-json.js';
export { parseProcessors, processFeatures, type Processor, valueIn } from './trees/process-features.js';
export type { FeatureColumn } from './trees/fit-encoders.js';
export { TRAINER_VERSION, type TrainingBatch, TrainingLog } from './trees/training-log.js';
export { trainingBytes, type TrainedModel, trainModel, type TrainTarget } from './trees/train-model.js';
export type { TrainOptions, TrainPhase, TrainProgress } from './trees/train.js';
export { detectOutliers, outlierBytes, type OutlierOptions, type OutlierResult } from './outliers/detect.js';
export type { OutlierMethod } from './outliers/methods.js';
export { seededDraws } from './trees/draws.js';
export { Confusion } from './evaluation/confusion.js';
export { RegressionErrors } from './evaluation/regression-errors.js';
export { areaUnderRoc, type RocPoint } from './evaluation/roc.js';
export { type Change, CHANGE_VALUES_MIN, changePoint } from './change/change-point.js';
export { fTail, kolmogorovTail } from './change/distributions.js';
export { closedSets, type ItemSet, type Transactions } from './items/closed-sets.js';
export { LanguageModel } from './text/languages.js';
