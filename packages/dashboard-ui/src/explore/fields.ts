/** A field of the searched indices. */
export interface Field {
  readonly name: string;
  /** Its type; `conflict` if indices differ. */
  readonly type: string;
  readonly isSearchable: boolean;
  readonly isAggregatable: boolean;
  /** Whether it is another form of a field that documents have, `message.keyword`. */
  readonly isVariant: boolean;
}

interface FieldCaps {
  readonly fields?: Readonly<
    Record<string, Readonly<Record<string, { searchable?: boolean; aggregatable?: boolean; metadata_field?: boolean }>>>
  >;
}

const CONTAINERS: ReadonlySet<string> = new Set(['object', 'nested']);
const DATES: ReadonlySet<string> = new Set(['date', 'date_nanos']);

/** Fields of an answer of `_field_caps` by name, without those of the cluster itself. */
export function fieldsOf(answer: unknown): readonly Field[] {
  const fields = (answer as FieldCaps | null)?.fields ?? {};
  const isLeaf = (name: string): boolean => {
    const types = fields[name];
    return types !== undefined && Object.keys(types).every((type) => !CONTAINERS.has(type));
  };
  return Object.entries(fields)
    .filter(([, types]) => Object.values(types).every((type) => type.metadata_field !== true))
    .map(([name, types]): Field => {
      const known = Object.entries(types).filter(([type]) => type !== 'unmapped');
      const parent = name.slice(0, Math.max(0, name.lastIndexOf('.')));
      return {
        name,
        type: known.length === 1 ? known[0]![0] : 'conflict',
        isSearchable: known.every(([, type]) => type.searchable === true),
        isAggregatable: known.every(([, type]) => type.aggregatable === true),
        isVariant: parent !== '' && isLeaf(parent),
      };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Fields that documents have values in. */
export const isLeafField = ({ type }: Field): boolean => !CONTAINERS.has(type);

export const isDateField = ({ type }: Field): boolean => DATES.has(type);

/** Types by name. */
export const typesOf = (fields: readonly Field[]): ReadonlyMap<string, string> =>
  new Map(fields.map(({ name, type }) => [name, type]));

/**
 * The field that documents are ordered by in time: the one asked for, `@timestamp`, the only date, the first date named
 * like one; null if there is none.
 */
export function timeFieldOf(fields: readonly Field[], wanted: string | null): string | null {
  const dates = fields.filter(isDateField).map(({ name }) => name);
  if (wanted !== null && (wanted === '' || dates.includes(wanted))) return wanted === '' ? null : wanted;
  if (dates.includes('@timestamp')) return '@timestamp';
  if (dates.length === 1) return dates[0]!;
  return dates.find((name) => /time|date|created|(?:^|[._])at$|_at$/i.test(name)) ?? null;
}

/** The field whose terms can be counted for a field: itself, or a variant of it; null if there is none. */
export function countedField(fields: readonly Field[], name: string): Field | null {
  const field = fields.find((one) => one.name === name);
  if (field === undefined || field.isAggregatable) return field ?? null;
  return fields.find((one) => one.isVariant && one.isAggregatable && one.name.startsWith(`${name}.`)) ?? null;
}
