import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededDraws } from './draws.js';
import { parseModel } from './model-json.js';

const FEATURES = 4;

interface Node {
  readonly node_index: number;
  readonly number_samples: number;
  readonly split_feature?: number;
  readonly threshold?: number;
  readonly left_child?: number;
  readonly right_child?: number;
  readonly decision_type?: string;
  readonly default_left?: boolean;
  readonly leaf_value?: number;
}

/** A tree with splits drawn from a seed, on the same features again and again. */
function treeOf(seed: number): Node[] {
  const draw = seededDraws(seed);
  const nodes: Node[] = [];
  const add = (depth: number, samples: number): number => {
    const index = nodes.length;
    if (depth === 0 || samples < 2) {
      nodes.push({ node_index: index, number_samples: samples, leaf_value: draw() * 10 - 5 });
      return index;
    }
    nodes.push({ node_index: index, number_samples: samples });
    const left = 1 + Math.floor(draw() * (samples - 1));
    const split = { split_feature: Math.floor(draw() * FEATURES), threshold: draw(), decision_type: 'lt' };
    const children = { left_child: add(depth - 1, left), right_child: add(depth - 1, samples - left) };
    nodes[index] = { ...nodes[index]!, ...split, ...children, default_left: draw() < 0.5 };
    return index;
  };
  add(4, 40);
  return nodes;
}

/** Value of a tree if only some features are known: others send rows both ways as in training. */
function expected(nodes: readonly Node[], row: readonly number[], known: number, at = 0): number {
  const { split_feature: f, left_child: left, right_child: right, ...node } = nodes[at]!;
  if (f === undefined) return node.leaf_value!;
  const goesLeft = Number.isNaN(row[f]!) ? node.default_left! : row[f]! < node.threshold!;
  if (known & (1 << f)) return expected(nodes, row, known, goesLeft ? left! : right!);
  const share = (child: number): number => nodes[child]!.number_samples / node.number_samples;
  return [left!, right!].reduce((sum, child) => sum + share(child) * expected(nodes, row, known, child), 0);
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

function shapley(nodes: readonly Node[], row: readonly number[], f: number): number {
  let sum = 0;
  for (let known = 0; known < 1 << FEATURES; known++) {
    if (known & (1 << f)) continue;
    const size = [...known.toString(2)].filter((bit) => bit === '1').length;
    const weight = (factorial(size) * factorial(FEATURES - size - 1)) / factorial(FEATURES);
    sum += weight * (expected(nodes, row, known | (1 << f)) - expected(nodes, row, known));
  }
  return sum;
}

test('shares of features are the Shapley values over all subsets of them', () => {
  const names = ['p', 'q', 'r', 's'];
  for (let seed = 1; seed <= 40; seed++) {
    const nodes = treeOf(seed);
    const tree = { feature_names: names, tree_structure: nodes, target_type: 'regression' };
    const model = parseModel({ trained_model: { tree } });
    const draw = seededDraws(seed + 1000);
    const row = names.map(() => (draw() < 0.1 ? Number.NaN : draw()));
    const shares = model.shares((field) => {
      const value = row[names.indexOf(field)]!;
      return Number.isNaN(value) ? undefined : value;
    });
    names.forEach((name, f) => {
      const [found, wanted] = [shares.get(name)![0]!, shapley(nodes, row, f)];
      assert.ok(Math.abs(found - wanted) < 1e-9, `seed ${seed}, ${name}: ${found}, ${wanted}`);
    });
    assert.ok(Math.abs(model.baseline()[0]! - expected(nodes, row, 0)) < 1e-9);
  }
});
