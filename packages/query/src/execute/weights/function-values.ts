/**
 * Computes one function of function_score in a segment: a value for each of `count` ascending documents. `scores` are
 * those of the documents, if the function uses them.
 */
export type FunctionValues = (docs: Int32Array, count: number, out: Float64Array, scores: Float64Array | null) => void;
