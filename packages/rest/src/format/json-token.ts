/** Name of a JSON value's first token in Elasticsearch's errors. */
export function tokenOf(value: unknown): string {
  if (value === null) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  if (typeof value === 'object') return 'START_OBJECT';
  return typeof value === 'string' ? 'VALUE_STRING' : typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'VALUE_NUMBER';
}
