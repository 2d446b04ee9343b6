import type { VectorColumn, VectorGraph } from '@shoal/segments';

/** Nearest rows for which the recall of graphs was measured. */
const MEASURED_NEAREST = 10;
/** Limit of candidates that a wanted recall may choose. */
const CHOSEN_MAX = 10_000;

/** Recall of a graph with so many candidates for ten results, between the measured points. */
function recallAt({ recall }: VectorGraph, candidates: number): number | null {
  const last = recall.at(-1);
  if (last === undefined) return null;
  let before = { candidates: 0, recall: 0 };
  for (const point of recall) {
    if (candidates <= point.candidates) {
      const part = (candidates - before.candidates) / (point.candidates - before.candidates);
      return before.recall + part * (point.recall - before.recall);
    }
    before = point;
  }
  return last.recall;
}

/** Candidates with which a graph has the recall for ten results; null if no measured number has it. */
function candidatesFor({ recall }: VectorGraph, wanted: number): number | null {
  let before = { candidates: 0, recall: 0 };
  for (const point of recall) {
    if (point.recall >= wanted) {
      const rise = point.recall - before.recall;
      const part = rise <= 0 ? 1 : (wanted - before.recall) / rise;
      return Math.ceil(before.candidates + part * (point.candidates - before.candidates));
    }
    before = point;
  }
  return null;
}

/** What was measured is for ten results: more results need more candidates in proportion. */
const scaleOf = (k: number): number => Math.max(1, k / MEASURED_NEAREST);

/**
 * Returns the candidates with which each graph of a column has the wanted recall of the `k` nearest. Returns null if
 * all rows have to be compared: a graph has no measurement, or did not reach the recall.
 */
export function chooseCandidates({ graphs }: VectorColumn, wanted: number, k: number): number | null {
  let most = k;
  for (const graph of graphs ?? []) {
    const candidates = candidatesFor(graph, wanted);
    if (candidates === null || candidates * scaleOf(k) > CHOSEN_MAX) return null;
    most = Math.max(most, Math.ceil(candidates * scaleOf(k)));
  }
  return most;
}

/** Returns the recall of the `k` nearest that walks with so many candidates have; null if it was not measured. */
export function estimateRecall({ graphs }: VectorColumn, candidates: number, k: number): number | null {
  let rows = 0;
  let sum = 0;
  for (const graph of graphs ?? []) {
    const recall = recallAt(graph, candidates / scaleOf(k));
    if (recall === null) return null;
    sum += recall * graph.rows;
    rows += graph.rows;
  }
  return rows === 0 ? 1 : sum / rows;
}
