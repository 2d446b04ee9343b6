/**
 * Runs work that drops most of its errors, such as a query with `lenient`: they do not record where they were thrown,
 * which takes longer than to make the rest of such a query.
 */
export function withoutStacks<T>(work: () => T): T {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = before;
  }
}
