import type { BinnedTable } from './bins.js';
import type { GrownTree } from './grow.js';
import type { TrainedTrees } from './train.js';

type Json = Readonly<Record<string, unknown>>;

/** What a definition says besides its trees. */
export interface DefinitionParts {
  readonly names: readonly string[];
  readonly preprocessors: readonly Json[];
  readonly target: 'regression' | 'classification';
  readonly aggregation: 'weighted_sum' | 'logistic_regression' | 'exponent';
  readonly labels: readonly string[] | null;
  /** Weights of classes in their scores; null for 1. */
  readonly weights: readonly number[] | null;
  /** What values of leaves are multiplied by, and what the first tree adds. */
  readonly scale: number;
  readonly shift: number;
}

/** Returns the definition of a model in the form of 8.12: an ensemble of trees, the first being what all rows have. */
export function definitionOf(model: TrainedTrees, { cuts }: BinnedTable, parts: DefinitionParts): Json {
  const outputs = model.start.length;
  const leaf = (output: number, value: number): number | number[] => {
    if (outputs === 1) return value;
    const values = new Array<number>(outputs).fill(0);
    values[output] = value;
    return values;
  };
  const target = parts.target;
  const start = Array.from(model.start, (value) => value * parts.scale + parts.shift);
  const first = { node_index: 0, leaf_value: outputs === 1 ? start[0]! : start, number_samples: 0 };
  const trees = model.trees.map(({ tree, output, factor }) => {
    // A tree names the features that it splits on: all names in each of a thousand trees would be most of a definition.
    const used = [...new Set(tree.feature.filter((f) => f >= 0))].sort((x, y) => x - y);
    const places = new Map(used.map((f, i) => [f, i]));
    const nodes = nodesOf(tree, cuts, places, (value) => leaf(output, value * factor * parts.scale));
    return { tree: { feature_names: used.map((f) => parts.names[f]!), tree_structure: nodes, target_type: target } };
  });
  const body = {
    feature_names: parts.names,
    target_type: target,
    ...(parts.labels === null ? {} : { classification_labels: parts.labels }),
    ...(parts.weights === null ? {} : { classification_weights: parts.weights }),
    aggregate_output: { [parts.aggregation]: {} },
    trained_models: [{ tree: { feature_names: [], tree_structure: [first], target_type: target } }, ...trees],
  };
  return { preprocessors: parts.preprocessors, trained_model: { ensemble: body } };
}

function nodesOf(
  tree: GrownTree,
  cuts: readonly Float64Array[],
  places: ReadonlyMap<number, number>,
  leaf: (value: number) => number | number[],
): readonly Json[] {
  return tree.feature.map((feature, node) => {
    const own = { node_index: node, number_samples: tree.count[node]! };
    if (feature < 0) return { ...own, leaf_value: leaf(tree.value[node]!) };
    return {
      ...own,
      split_feature: places.get(feature)!,
      split_gain: tree.gain[node]!,
      threshold: cuts[feature]![tree.bin[node]!]!,
      decision_type: 'lt',
      default_left: tree.missingLeft[node]!,
      left_child: tree.left[node]!,
      right_child: tree.right[node]!,
    };
  });
}
