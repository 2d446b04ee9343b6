/** Returns the name of the token that a JSON value begins with, as Elasticsearch's messages have it. */
export function tokenOf(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  if (typeof value === 'object') return 'START_OBJECT';
  if (typeof value === 'string') return 'VALUE_STRING';
  return typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'VALUE_NUMBER';
}
