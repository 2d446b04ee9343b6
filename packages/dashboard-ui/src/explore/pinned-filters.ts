import { signal } from '@preact/signals';
import { type Filter, filterName } from './filters.js';

/** Filters that go along from page to page, as long as this browser tab shows the dashboard. */
export const pinnedFilters = signal<readonly Filter[]>([]);

/** Keeps those of the filters of a page that are pinned. */
export const keepPinned = (filters: readonly Filter[]): void =>
  void (pinnedFilters.value = filters.filter(({ isPinned }) => isPinned));

/** The filters that a page begins with: its own, and the pinned ones that are not among them. */
export function withPinned(filters: readonly Filter[], pinned: readonly Filter[]): readonly Filter[] {
  const names = new Set(filters.map(filterName));
  return [...filters, ...pinned.filter((filter) => !names.has(filterName(filter)))];
}
