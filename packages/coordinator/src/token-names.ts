/** Returns the name of the first token of a JSON value, as parser errors print it. */
export function tokenName(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  switch (typeof value) {
    case 'object':
      return 'START_OBJECT';
    case 'string':
      return 'VALUE_STRING';
    case 'boolean':
      return 'VALUE_BOOLEAN';
    default:
      return 'VALUE_NUMBER';
  }
}
