/**
 * Returns whether a text may name a user or a role: 1 to 507 printable ASCII characters, with no space at the ends. The
 * rule of Elasticsearch's `Validation`.
 */
export function isPrincipalName(name: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]{0,505}[\x21-\x7e])?$/.test(name);
}
