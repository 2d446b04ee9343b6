/** Returns a property of a record whose keys users choose; undefined for inherited ones such as `constructor`. */
export function ownProperty<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
