/** The name that Elasticsearch's errors give to the kind of a JSON value: that of the token it begins with. */
export function tokenOf(value: unknown): string {
  if (value === null) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  if (typeof value === 'object') return 'START_OBJECT';
  return typeof value === 'string' ? 'VALUE_STRING' : typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'VALUE_NUMBER';
}
