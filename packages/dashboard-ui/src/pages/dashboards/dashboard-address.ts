import { readSearch, type SearchState, searchQuery, EMPTY_SEARCH } from '../../explore/search-state.js';
import type { Dashboard } from './panel.js';

/** What the address of a dashboard has: what differs from what was saved, and whether it is changed. */
export type Shared = Pick<Dashboard, 'text' | 'language' | 'filters' | 'range'>;

/** Range, query and filters: those of the address, else those that were saved. */
export function readShared(
  query: URLSearchParams,
  saved: Shared,
): Shared & Pick<SearchState, 'timeZone'> & { readonly ignored: readonly string[] } {
  const { state, ignored } = readSearch(query);
  return {
    text: query.has('q') ? state.text : saved.text,
    language: query.has('lang') ? state.language : saved.language,
    range: state.range ?? saved.range,
    filters: query.has('f') ? state.filters : saved.filters,
    timeZone: state.timeZone,
    ignored,
  };
}

/** The query of an address with range, query and filters, as far as they differ from what was saved. */
export function writeShared(
  shared: Shared & Pick<SearchState, 'timeZone'>,
  saved: Shared,
  isEdited: boolean,
): URLSearchParams {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const query = searchQuery({
    ...EMPTY_SEARCH,
    range: same(shared.range, saved.range) ? null : shared.range,
    filters: shared.filters,
    timeZone: shared.timeZone,
  });
  if (same(shared.filters, saved.filters)) query.delete('f');
  else if (shared.filters.length === 0) query.set('f', '[]');
  if (shared.text !== saved.text) query.set('q', shared.text);
  if (shared.language !== saved.language) query.set('lang', shared.language);
  if (isEdited) query.set('edit', 'true');
  return query;
}
