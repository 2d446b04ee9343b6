import { compareTerms } from '@shoal/values';

/** Direction of one sort key, for merging what shards sorted. */
export interface SortOrder {
  readonly descending: boolean;
  readonly missingFirst: boolean;
}

const ASCENDING: SortOrder = { descending: false, missingFirst: false };

function orderOf(field: string, options: unknown): SortOrder {
  if (typeof options === 'string') return { descending: options.toLowerCase() === 'desc', missingFirst: false };
  const settings = (options ?? {}) as { order?: unknown; missing?: unknown };
  const order = settings.order === undefined ? (field === '_score' ? 'desc' : 'asc') : String(settings.order).toLowerCase();
  return { descending: order === 'desc', missingFirst: settings.missing === '_first' };
}

function ordersOfEntry(entry: unknown): SortOrder[] {
  if (typeof entry === 'string') {
    const [field = '', order] = entry.split(':', 2);
    return [order === undefined ? orderOf(field, {}) : orderOf(field, order)];
  }
  return Object.entries(entry as Record<string, unknown>).map(([field, options]) => orderOf(field, options));
}

/** Whether a sort is by score alone, best first: then there are no sort values. */
function isPlainScore(sort: unknown): boolean {
  const entries = Array.isArray(sort) ? sort : [sort];
  if (entries.length !== 1) return false;
  const [entry] = entries as unknown[];
  if (entry === '_score') return true;
  if (typeof entry !== 'object' || entry === null) return false;
  const keys = Object.keys(entry);
  return keys.length === 1 && keys[0] === '_score' && orderOf('_score', (entry as Record<string, unknown>)['_score']).descending;
}

/** Orders of a body's `sort`, already checked; null when hits are ordered by score. With a point in time `_shard_doc` breaks ties. */
export function sortOrders(sort: unknown, withPointInTime: boolean): readonly SortOrder[] | null {
  if (sort === undefined || isPlainScore(sort) || (Array.isArray(sort) && sort.length === 0)) return null;
  const orders = (Array.isArray(sort) ? sort : [sort]).flatMap(ordersOfEntry);
  return withPointInTime ? [...orders, ASCENDING] : orders;
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTerms(a, b);
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}

function compareKey(a: unknown, b: unknown, order: SortOrder): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === order.missingFirst ? -1 : 1;
  }
  const compared = compareValues(a, b);
  return order.descending ? -compared : compared;
}

/** Compares sort values of two hits key by key. */
export function compareSortValues(a: readonly unknown[], b: readonly unknown[], orders: readonly SortOrder[]): number {
  for (let i = 0; i < orders.length; i++) {
    const compared = compareKey(a[i] ?? null, b[i] ?? null, orders[i]!);
    if (compared !== 0) return compared;
  }
  return 0;
}
