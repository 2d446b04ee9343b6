import { type ExactJson, plainText } from '@shoal/values';

type Node = ReadonlyMap<string, ExactJson>;

const isNode = (value: ExactJson | undefined): value is Node => value instanceof Map;

/** The value below some keys of an exact answer. */
export const at = (value: ExactJson | undefined, ...keys: readonly string[]): ExactJson | undefined =>
  keys.reduce<ExactJson | undefined>((node, key) => (isNode(node) ? node.get(key) : undefined), value);

/** The list below some keys; empty if there is none. */
export const listAt = (value: ExactJson | undefined, ...keys: readonly string[]): readonly ExactJson[] => {
  const found = at(value, ...keys);
  return Array.isArray(found) ? (found as readonly ExactJson[]) : [];
};

/** The number below some keys; null if there is none. */
export function numberAt(value: ExactJson | undefined, ...keys: readonly string[]): number | null {
  const found = at(value, ...keys);
  return found === undefined || found === null ? null : Number(String(found));
}

/** The key of a bucket, as it is shown. */
export const keyText = (bucket: ExactJson): string =>
  plainText(at(bucket, 'key_as_string') ?? at(bucket, 'key') ?? null);
