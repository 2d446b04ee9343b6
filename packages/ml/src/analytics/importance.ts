import type { JsonObject } from '@shoal/json';
import type { TreeModel } from '@shoal/learning';

type Shares = ReadonlyMap<string, Float64Array>;
type Typed = (name: string) => unknown;

/** Shares by class: of two classes the second has what the first lacks. */
function byClass(shares: Float64Array): Float64Array {
  return shares.length === 1 ? Float64Array.of(-shares[0]!, shares[0]!) : shares;
}

const magnitude = (shares: Float64Array): number => shares.reduce((sum, share) => sum + Math.abs(share), 0);

/** The fields that matter most in a prediction, as results show them. */
export function importanceJson(model: TreeModel, shares: Shares, count: number, typed: Typed): JsonObject[] {
  const ordered = [...shares].sort((a, b) => magnitude(b[1]) - magnitude(a[1]));
  return ordered.slice(0, count).map(([name, own]) => {
    if (model.target === 'regression') return { feature_name: name, importance: own[0]! };
    const classes = Array.from(byClass(own), (importance, k) => ({ class_name: typed(model.labels[k]!), importance }));
    return { feature_name: name, classes };
  });
}

interface Total {
  rows: number;
  readonly sums: Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/** How much fields matter over all documents that were learnt from. */
export class ImportanceTotals {
  readonly #totals = new Map<string, Total>();

  add(shares: Shares): void {
    for (const [name, own] of shares) {
      let total = this.#totals.get(name);
      if (total === undefined) {
        const width = own.length;
        total = { rows: 0, sums: new Float64Array(width), least: own.slice(), most: own.slice() };
        this.#totals.set(name, total);
      }
      total.rows++;
      for (let k = 0; k < own.length; k++) {
        total.sums[k] = total.sums[k]! + Math.abs(own[k]!);
        total.least[k] = Math.min(total.least[k]!, own[k]!);
        total.most[k] = Math.max(total.most[k]!, own[k]!);
      }
    }
  }

  /** Totals as `GET _ml/trained_models?include=total_feature_importance` shows them. */
  json(model: TreeModel, typed: Typed): JsonObject[] {
    return [...this.#totals].map(([name, { rows, sums, least, most }]) => {
      const of = (k: number): JsonObject => ({ mean_magnitude: sums[k]! / rows, min: least[k]!, max: most[k]! });
      if (model.target === 'regression') return { feature_name: name, importance: of(0) };
      const two = (k: number): JsonObject =>
        k === 0 ? { mean_magnitude: sums[0]! / rows, min: -most[0]!, max: -least[0]! } : of(0);
      const classes = model.labels.map((label, k) => ({
        class_name: typed(label),
        importance: sums.length === 1 ? two(k) : of(k),
      }));
      return { feature_name: name, classes };
    });
  }
}
