/** Definitions of models as JSON → models that predict. Everything is checked once, here. */
import {
  type Aggregation,
  classProbabilities,
  CONDITIONS,
  type Forest,
  forestBytes,
  regressionValue,
} from './forest.js';
import { encodedFields, type Encoder, parseEncoder } from './encoders.js';
import { type Json, listOf, numberIn, numbersOf, objectOf, refuse, textOf, textsOf } from './json-values.js';
import { addMeanValue, addShares } from './shap.js';

/** Nodes and features of a model at most. */
const NODES_MAX = 2_000_000;
const FEATURES_MAX = 100_000;

/** A class with its probability and score. */
export interface ClassShare {
  readonly name: string;
  readonly probability: number;
  readonly score: number;
}

/** A model of trees, ready to predict. */
export interface TreeModel {
  readonly target: 'regression' | 'classification';
  readonly featureNames: readonly string[];
  readonly bytes: number;
  readonly operations: number;
  /** Value of a regression for the fields of a document. */
  value(read: (field: string) => unknown): number;
  /** Classes for the fields of a document, the best one first. */
  classes(read: (field: string) => unknown): readonly ClassShare[];
  /** Names of the classes; none for a regression. */
  readonly labels: readonly string[];
  /**
   * Shares that fields have in the sum of the trees for a document (docs: `shap.ts`), a number for each output; with
   * `baseline` they add up to it. Throws illegal_argument_exception for a model that does not say how many rows its
   * nodes had.
   */
  shares(read: (field: string) => unknown): ReadonlyMap<string, Float64Array>;
  /** Mean sum of the trees over the rows of training, by output. */
  baseline(): Float64Array;
}

function singleMember(value: unknown, what: string): readonly [name: string, body: Json] {
  const entries = Object.entries(objectOf(value, what));
  if (entries.length !== 1) throw refuse(`[${what}] must have one member, has [${entries.length}]`);
  return [entries[0]![0], objectOf(entries[0]![1], entries[0]![0])];
}

/** Parses a definition. Throws illegal_argument_exception for one that is no model, has cycles, or is too large. */
export function parseModel(definition: unknown): TreeModel {
  const { preprocessors = [], trained_model: trained } = objectOf(definition, 'definition') as {
    preprocessors?: unknown;
    trained_model?: unknown;
  };
  const encoders = listOf(preprocessors, 'preprocessors').map((one) =>
    parseEncoder(...singleMember(one, 'preprocessor')),
  );
  const fields = new Map(
    listOf(preprocessors, 'preprocessors').flatMap((one) => [...encodedFields(...singleMember(one, 'preprocessor'))]),
  );
  const [kind, body] = singleMember(trained, 'trained_model');
  if (kind !== 'tree' && kind !== 'ensemble')
    throw refuse(`[trained_model] of type [${kind}] is not supported: only [tree] and [ensemble] are`);
  const trees = kind === 'tree' ? [body] : listOf(body['trained_models'], 'trained_models').map(treeOf);
  if (trees.length === 0) throw refuse('[trained_models] must not be empty');
  const names = featureNames(kind === 'ensemble' ? (body['feature_names'] ?? []) : body['feature_names'], trees);
  const target = body['target_type'] ?? 'regression';
  if (target !== 'regression' && target !== 'classification')
    throw refuse(`unknown [target_type] [${textOf(target, 'target_type')}]`);
  const forest = buildForest(trees, names);
  const aggregation = kind === 'tree' ? { kind: 'tree' as const, weights: null } : parseAggregation(body, trees.length);
  const labels =
    body['classification_labels'] == null ? null : textsOf(body['classification_labels'], 'classification_labels');
  const weights =
    body['classification_weights'] == null ? null : numbersOf(body['classification_weights'], 'classification_weights');
  return modelOf({ forest, aggregation, encoders, fields, names, target, labels, weights });
}

function treeOf(value: unknown): Json {
  const [kind, body] = singleMember(value, 'trained_models');
  if (kind !== 'tree') throw refuse(`[trained_models] of type [${kind}] is not supported: only [tree] is`);
  return body;
}

function featureNames(given: unknown, trees: readonly Json[]): string[] {
  const names = textsOf(given ?? [], 'feature_names');
  const known = new Set(names);
  for (const tree of trees)
    for (const name of textsOf(tree['feature_names'] ?? [], 'feature_names'))
      if (!known.has(name)) {
        known.add(name);
        names.push(name);
      }
  if (names.length > FEATURES_MAX) throw refuse(`[feature_names] has more than [${FEATURES_MAX}] names`);
  return names;
}

function parseAggregation(body: Json, trees: number): Aggregation {
  if (body['aggregate_output'] === undefined) return { kind: 'weighted_sum', weights: null };
  const [kind, options] = singleMember(body['aggregate_output'], 'aggregate_output');
  if (!['weighted_sum', 'weighted_mode', 'logistic_regression', 'exponent'].includes(kind))
    throw refuse(`unknown [aggregate_output] [${kind}]`);
  const weights = options['weights'] == null ? null : numbersOf(options['weights'], 'weights');
  if (weights !== null && weights.length !== trees)
    throw refuse(
      `[aggregate_output] expects values array of size [${weights.length}] but number of models is [${trees}]`,
    );
  return { kind: kind as Aggregation['kind'], weights };
}

interface NodeJson {
  readonly node_index?: number;
  readonly split_feature?: number;
  readonly threshold?: number;
  readonly left_child?: number;
  readonly right_child?: number;
  readonly default_left?: boolean;
  readonly decision_type?: string;
  readonly leaf_value?: number | readonly number[];
  readonly number_samples?: number;
}

/** Members of a node that are whole numbers if they are there. */
const WHOLE = ['node_index', 'split_feature', 'left_child', 'right_child'] as const;

function nodeOf(value: unknown): NodeJson {
  const node = objectOf(value, 'tree_structure') as NodeJson;
  for (const key of WHOLE) {
    const number: unknown = node[key];
    if (number !== undefined && number !== null && !Number.isInteger(number))
      throw refuse(`[${key}] must be a whole number`);
  }
  return node;
}

function buildForest(trees: readonly Json[], names: readonly string[]): Forest {
  const all = trees.map((tree) => listOf(tree['tree_structure'], 'tree_structure').map(nodeOf));
  const total = all.reduce((sum, nodes) => sum + nodes.length, 0);
  if (total > NODES_MAX) throw refuse(`the model has [${total}] nodes, at most [${NODES_MAX}] are possible`);
  const width = widthOf(all);
  const forest: Forest = {
    roots: new Int32Array(all.length),
    feature: new Int32Array(total).fill(-1),
    threshold: new Float64Array(total),
    left: new Int32Array(total),
    right: new Int32Array(total),
    missingLeft: new Uint8Array(total),
    condition: new Uint8Array(total),
    values: new Float64Array(total * width),
    width,
    counts: new Float64Array(total),
  };
  const places = new Map(names.map((name, i) => [name, i]));
  let base = 0;
  all.forEach((nodes, tree) => {
    const own = textsOf(trees[tree]!['feature_names'] ?? names, 'feature_names').map((name) => places.get(name)!);
    forest.roots[tree] = base + addTree(forest, base, nodes, own);
    base += nodes.length;
  });
  return forest;
}

function widthOf(all: readonly (readonly NodeJson[])[]): number {
  let width = 0;
  for (const nodes of all)
    for (const { leaf_value: leaf, left_child: left } of nodes) {
      if (left !== undefined || leaf === undefined || leaf === null) continue;
      const own = leafOf(leaf).length;
      if (width !== 0 && own !== width) throw refuse('[leaf_value] must have the same size in all leaves');
      width = own;
    }
  return Math.max(1, width);
}

/** The numbers of a leaf. */
function leafOf(leaf: unknown): readonly number[] {
  const values = Array.isArray(leaf) ? (leaf as readonly unknown[]) : [leaf];
  if (values.length > 0 && values.every((value) => typeof value === 'number' && Number.isFinite(value)))
    return values as readonly number[];
  throw refuse('[leaf_value] must be a number, or numbers');
}

/** Writes the nodes of a tree; returns which of them is its root. */
function addTree(forest: Forest, base: number, nodes: readonly NodeJson[], features: readonly number[]): number {
  if (nodes.length === 0) throw refuse('[tree_structure] must not be empty');
  const at = new Map(nodes.map((node, i) => [node.node_index ?? i, i]));
  const seen = new Uint8Array(nodes.length);
  const root = at.get(0) ?? 0;
  const open = [root];
  while (open.length > 0) {
    const i = open.pop()!;
    if (seen[i] === 1) throw refuse(`[tree] contains cycle at node [${nodes[i]!.node_index ?? i}]`);
    seen[i] = 1;
    const children = addNode(forest, base + i, nodes[i]!, features);
    for (const child of children) {
      const place = at.get(child);
      if (place === undefined) throw refuse(`[tree] contains missing nodes [${child}]`);
      open.push(place);
    }
    if (children.length === 0) continue;
    forest.left[base + i] = base + at.get(children[0]!)!;
    forest.right[base + i] = base + at.get(children[1]!)!;
  }
  return root;
}

/** Writes a node; returns the numbers of its children. */
function addNode(forest: Forest, place: number, node: NodeJson, features: readonly number[]): readonly number[] {
  const { left_child: left, right_child: right, leaf_value: leaf, split_feature: split, threshold } = node;
  const isSplit = left !== undefined && left !== null && left >= 0;
  forest.counts[place] = Math.max(0, numberIn(node.number_samples ?? 0, 'number_samples'));
  if (!isSplit) {
    if (leaf === undefined || leaf === null)
      throw refuse(`node [${node.node_index ?? 0}] has neither a child nor a [leaf_value]`);
    forest.values.set(leafOf(leaf), place * forest.width);
    return [];
  }
  if (right === undefined || right === null) throw refuse(`node [${node.node_index ?? 0}] has no [right_child]`);
  if (split === undefined || features[split] === undefined)
    throw refuse(`[split_feature] [${split}] is not a feature of [feature_names]`);
  if (typeof threshold !== 'number' || Number.isNaN(threshold)) throw refuse('[threshold] must be a number');
  const decision = textOf(node.decision_type ?? 'lte', 'decision_type');
  const condition = CONDITIONS.indexOf(decision.toLowerCase());
  if (condition < 0) throw refuse(`unknown [decision_type] [${decision}]`);
  forest.feature[place] = features[split]!;
  forest.threshold[place] = threshold;
  forest.condition[place] = condition;
  forest.missingLeft[place] = node.default_left === true ? 1 : 0;
  return [left, right];
}

interface ModelParts {
  readonly forest: Forest;
  readonly aggregation: Aggregation;
  readonly encoders: readonly Encoder[];
  /** Field that a feature was made of, by feature. */
  readonly fields: ReadonlyMap<string, string>;
  readonly names: readonly string[];
  readonly target: 'regression' | 'classification';
  readonly labels: readonly string[] | null;
  readonly weights: Float64Array | null;
}

function modelOf(parts: ModelParts): TreeModel {
  const { forest, aggregation, encoders, names, target, labels, weights } = parts;
  const row = (read: (field: string) => unknown): Float64Array => {
    const made = new Map<string, unknown>();
    for (const encode of encoders) encode((field) => (made.has(field) ? made.get(field) : read(field)), made);
    return Float64Array.from(names, (name) => numberOf(made.has(name) ? made.get(name) : read(name)));
  };
  return {
    ...{ target, featureNames: names },
    bytes: forestBytes(forest) + 200 * names.length,
    operations: Math.ceil(Math.log2(2 + forest.feature.length / forest.roots.length) * forest.roots.length),
    value: (read) => regressionValue(forest, aggregation, row(read)),
    classes(read) {
      const shares = classProbabilities(forest, aggregation, labels?.length ?? 2, row(read));
      const found = Array.from(shares, (probability, i) => ({
        name: labels?.[i] ?? String(i),
        probability,
        score: probability * (weights?.[i] ?? 1),
      }));
      return found.sort((a, b) => b.score - a.score);
    },
    labels:
      target === 'regression' ? [] : (labels ?? Array.from({ length: Math.max(2, forest.width) }, (_, i) => `${i}`)),
    shares: (read) => sharesOf(parts, row(read)),
    baseline: () => baselineOf(parts),
  };
}

/** Shares of fields: those of the features that were made of a field are added up. */
function sharesOf({ forest, aggregation, names, fields }: ModelParts, row: Float64Array): Map<string, Float64Array> {
  checkCounts(forest);
  const { width } = forest;
  const all = new Float64Array(names.length * width);
  for (let tree = 0; tree < forest.roots.length; tree++)
    addShares(forest, tree, row, aggregation.weights?.[tree] ?? 1, all);
  const found = new Map<string, Float64Array>();
  names.forEach((name, f) => {
    const field = fields.get(name) ?? name;
    const own = found.get(field) ?? new Float64Array(width);
    for (let k = 0; k < width; k++) own[k] = own[k]! + all[f * width + k]!;
    found.set(field, own);
  });
  return found;
}

function baselineOf({ forest, aggregation }: ModelParts): Float64Array {
  checkCounts(forest);
  const out = new Float64Array(forest.width);
  for (let tree = 0; tree < forest.roots.length; tree++)
    addMeanValue(forest, tree, aggregation.weights?.[tree] ?? 1, out);
  return out;
}

function checkCounts({ roots, feature, counts }: Forest): void {
  if (roots.some((root) => feature[root]! >= 0 && counts[root] === 0))
    throw refuse('feature importance needs [number_samples] in all nodes of a model');
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Array.isArray(value)) return numberOf(value[0]);
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
