import { useEffect, useState } from 'preact/hooks';
import type { Hit } from '@shoal/values';
import { DocumentGrid } from '../../explore/document-grid.js';
import { readSavedSearch } from '../../explore/saved-search.js';
import { type SearchState, searchQuery } from '../../explore/search-state.js';
import { useSearch } from '../../explore/use-search.js';
import type { Answer } from '../../request/own-call.js';
import { readObject } from '../../request/saved-objects.js';
import { formatAmount } from '../../state/format.js';
import { addressOf, place } from '../../state/router.js';
import { Failure } from '../../widgets/failure.js';
import { DocumentDialog } from '../discover/document-dialog.js';
import type { Dashboard, Panel } from './panel.js';

type Shared = Pick<Dashboard, 'text' | 'language' | 'filters' | 'range'>;
type NamedSearch = SearchState & { readonly indices: string };

/** A saved search within the range, the filters and, where the search has none, the query of a dashboard. */
export function withShared(search: SearchState, { text, language, filters, range }: Shared): NamedSearch {
  const own = search.text.trim() === '' ? { text, language } : {};
  return {
    ...search,
    ...own,
    indices: search.indices ?? '*',
    filters: [...search.filters, ...filters],
    range: range === 'all' ? (search.range ?? 'all') : range,
  };
}

/** Lines of a saved search; the whole of it is one link away. */
export function SavedSearchPanel({ panel, shared }: { readonly panel: Panel; readonly shared: Shared }) {
  const [search, setSearch] = useState<SearchState | null>(null);
  const [failure, setFailure] = useState<Answer | null>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    readObject('search', panel.search, abort.signal).then(
      (answer) => {
        setFailure(answer.status === 200 ? null : answer);
        if (answer.status === 200)
          setSearch(readSavedSearch((answer.json as { attributes: Readonly<Record<string, unknown>> }).attributes));
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [panel.search, looks]);
  const request = `GET /api/saved_objects/search/${panel.search}`;
  if (failure !== null) return <Failure answer={failure} request={request} again={() => setLooks(looks + 1)} />;
  if (search === null) return <p>Loading</p>;
  return <Lines state={withShared(search, shared)} />;
}

function Lines({ state }: { readonly state: NamedSearch }) {
  const { result, again, loadMore } = useSearch(state);
  const { failure, problem, hits, total, timeField } = result;
  const [opened, setOpened] = useState<Hit | null>(null);
  if (failure !== null) return <Failure answer={failure.answer} request={failure.request} again={() => again()} />;
  if (problem !== null) return <p role="alert">{problem}</p>;
  return (
    <>
      <p>
        {total !== null && formatAmount(total, 'document', 'documents')}{' '}
        <a href={addressOf(`/app/discover?${searchQuery({ ...state, timeZone: place.value.query.get('tz') })}`)}>
          Open in Discover
        </a>
      </p>
      {hits.length > 0 && (
        <DocumentGrid
          hits={hits}
          timeField={timeField}
          columns={state.columns}
          widths={state.widths}
          count={Math.max(hits.length, Math.min(total ?? 0, 10_000))}
          sort={state.sort}
          canSort={() => false}
          onSort={() => undefined}
          onOpen={setOpened}
          onEnd={loadMore}
        />
      )}
      {opened !== null && (
        <DocumentDialog hit={opened} timeField={timeField} columns={[]} acts={null} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

/** The request that tells which search a panel shows. */
export const savedSearchRequest = ({ search }: Panel): string => `GET /api/saved_objects/search/${search}`;
