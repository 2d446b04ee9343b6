/** Percent by which the heap may grow at least, and at most, before V8 collects all of it. */
const PERCENT_MIN = 50;
const PERCENT_MAX = 400;
/** Part of the budget up to which garbage may fill it. */
const FILL_SHARE = 0.5;

/**
 * By how much of its size, in percent, the heap may grow before the next collection of all garbage. V8 counts buffers
 * outside of the heap that came since the one before as growth: with 50 percent of 30 MB a load of 250,000 small
 * documents made 19 collections, a quarter of its processor time; with what is left of the budget as room it makes 3.
 * Close to the budget the least is right.
 */
export function heapGrowthPercent(budgetBytes: number, residentBytes: number, heapBytes: number): number {
  const room = budgetBytes * FILL_SHARE - residentBytes;
  const percent = Math.round((room / Math.max(heapBytes, 1)) * 4) * 25;
  return Math.max(PERCENT_MIN, Math.min(PERCENT_MAX, percent));
}
