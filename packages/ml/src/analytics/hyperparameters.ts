import { errors } from '@shoal/errors';
import type { BodyReader, JsonObject } from '@shoal/json';
import type { TrainOptions } from '@shoal/learning';

type Fixed = TrainOptions['fixed'];

/** A parameter of training as the API names it. */
interface Hyperparameter {
  readonly key: string;
  readonly setting: keyof Fixed;
  readonly least: number;
  readonly most: number;
}

/** Parameters of training, with the ranges of 8.12. */
const HYPERPARAMETERS: readonly Hyperparameter[] = [
  { key: 'alpha', setting: 'alpha', least: 0, most: Infinity },
  { key: 'lambda', setting: 'lambda', least: 0, most: Infinity },
  { key: 'gamma', setting: 'gamma', least: 0, most: Infinity },
  { key: 'eta', setting: 'eta', least: 0.001, most: 1 },
  { key: 'eta_growth_rate_per_tree', setting: 'etaGrowth', least: 0.5, most: 2 },
  { key: 'feature_bag_fraction', setting: 'featureBag', least: Number.MIN_VALUE, most: 1 },
  { key: 'soft_tree_depth_limit', setting: 'softDepthLimit', least: 0, most: Infinity },
  { key: 'soft_tree_depth_tolerance', setting: 'softDepthTolerance', least: 0.01, most: Infinity },
  { key: 'downsample_factor', setting: 'downsample', least: Number.MIN_VALUE, most: 1 },
];
const TREES_MOST = 2000;
const ROUNDS_MOST = 20;

/** Parses the parameters that a request fixes. */
export function hyperparametersIn(reader: BodyReader): {
  readonly fixed: Fixed;
  readonly treesMost: number | null;
  readonly fineRounds: number | null;
  readonly json: JsonObject;
} {
  const fixed: Record<string, number> = {};
  const json: Record<string, number> = {};
  for (const { key, setting, least, most } of HYPERPARAMETERS) {
    const value = reader.optionalNumber(key);
    if (value === null) continue;
    if (!(value >= least && value <= most))
      throw errors.illegalArgument(
        most === Infinity
          ? `[${key}] must be a non-negative double`
          : `[${key}] must be a double in [${least}, ${most}]`,
      );
    fixed[setting] = value;
    json[key] = value;
  }
  const whole = (key: string, most: number, least: number): number | null => {
    const value = reader.optionalNumber(key);
    if (value === null) return null;
    if (!Number.isInteger(value) || value < least || value > most)
      throw errors.illegalArgument(`[${key}] must be an integer in [${least}, ${most}]`);
    json[key] = value;
    return value;
  };
  const treesMost = whole('max_trees', TREES_MOST, 1);
  const fineRounds = whole('max_optimization_rounds_per_hyperparameter', ROUNDS_MOST, 0);
  return { fixed: fixed as Fixed, treesMost, fineRounds, json };
}

/** The parameters of a trained model as the API names them. */
export function hyperparametersJson(settings: Required<Fixed>, trees: number): JsonObject {
  const known = HYPERPARAMETERS.map(({ key, setting }) => [key, settings[setting]] as const);
  return { ...Object.fromEntries(known), max_trees: trees };
}
