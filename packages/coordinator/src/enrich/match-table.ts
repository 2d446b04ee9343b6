import { isPlainObject, JsonText, type JsonObject } from '@shoal/json';
import { javaText } from '@shoal/ingest';

/** Documents by the values of one field, as a search for the value would find them: in the order of the index. */
export interface MatchTable {
  /** Returns the first `max` documents with a value, or with one of a list. */
  find(value: unknown, max: number): readonly JsonObject[];
  /** Documents of the table. */
  readonly count: number;
}

/** Makes the table of documents by a field; values of lists and of objects in lists count one by one. */
export function matchTable(documents: readonly JsonObject[], field: string): MatchTable {
  const path = field.split('.');
  const byValue = new Map<string, number[]>();
  documents.forEach((document, number) => {
    for (const value of new Set(valuesAt(document, path))) {
      const known = byValue.get(value);
      if (known) known.push(number);
      else byValue.set(value, [number]);
    }
  });
  const numbersOf = (value: unknown): readonly number[] => {
    if (!Array.isArray(value)) return byValue.get(javaText(value)) ?? [];
    const found = new Set(value.flatMap((item: unknown) => byValue.get(javaText(item)) ?? []));
    return [...found].sort((a, b) => a - b);
  };
  return {
    count: documents.length,
    find: (value, max) =>
      numbersOf(value)
        .slice(0, max)
        .map((number) => documents[number]!),
  };
}

/** Texts of the values at a path; also below names with dots. */
function valuesAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  if (value === null || value === undefined) return [];
  if (!isPlainObject(value) || value instanceof JsonText) return path.length === 0 ? [javaText(value)] : [];
  return path.flatMap((_part, i) => {
    const name = path.slice(0, i + 1).join('.');
    return Object.hasOwn(value, name) ? valuesAt(value[name], path.slice(i + 1)) : [];
  });
}
