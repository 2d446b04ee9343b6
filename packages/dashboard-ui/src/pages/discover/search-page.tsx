import { useEffect, useMemo, useState } from 'preact/hooks';
import { breakdownFields } from '../../explore/chart-series.js';
import { widthsText, withWidth } from '../../explore/column-widths.js';
import { density } from '../../explore/density.js';
import { DocumentGrid } from '../../explore/document-grid.js';
import { type Field, isDateField } from '../../explore/fields.js';
import { FilterList } from '../../explore/filter-list.js';
import type { Filter } from '../../explore/filters.js';
import type { Hit } from '@shoal/values';
import { noteIndices, useIndexNames } from '../../explore/recent-indices.js';
import { LINES } from '../../explore/search-body.js';
import { readSearch, type SearchState, searchQuery } from '../../explore/search-state.js';
import { TimeChartFigure } from '../../explore/time-chart.js';
import { type Search, useSearch } from '../../explore/use-search.js';
import { formatAmount, formatCount, formatTime } from '../../state/format.js';
import { addressOf, goTo, place } from '../../state/router.js';
import { message } from '../../state/session.js';
import { Failure } from '../../widgets/failure.js';
import { DocumentDialog } from './document-dialog.js';
import { FieldDialog } from './field-dialog.js';
import { FieldsPanel } from './fields-panel.js';
import { SearchForm } from './search-form.js';
import { ToolRow } from './tool-row.js';
import { useLive } from './use-live.js';

/** All indices that are not hidden: what is searched until some are chosen. */
const EVERYTHING = '*';

/** Searches the documents of any indices. All of its state is in the address. */
export function SearchPage() {
  const { query } = place.value;
  const address = query.toString();
  const { state: chosen, ignored } = useMemo(() => readSearch(query), [address]);
  const names = useIndexNames();
  const state = { ...chosen, indices: chosen.indices ?? EVERYTHING };
  const search = useSearch(state);
  const change = (part: Partial<SearchState>): void => {
    if (part.indices) noteIndices(part.indices);
    const next = searchQuery({ ...chosen, ...part });
    if (next.toString() !== searchQuery(chosen).toString())
      goTo(next.size === 0 ? '/app/discover' : `/app/discover?${next}`);
    else search.again();
  };
  return (
    <div class="discover" aria-busy={search.result.isBusy}>
      <h1 tabIndex={-1}>Discover</h1>
      {ignored.length > 0 && (
        <p role="status" class="bar">
          Parts of the address cannot be read and are ignored: {ignored.join(', ')}.
        </p>
      )}
      <SearchForm state={state} names={names ?? []} result={search.result} onChange={change} />
      <FilterList filters={state.filters} fields={search.result.fields} onChange={(filters) => change({ filters })} />
      {names?.length === 0 && state.indices === EVERYTHING ? (
        <NoData />
      ) : (
        <Found state={state} search={search} onChange={change} />
      )}
    </div>
  );
}

function NoData() {
  return (
    <p>
      There are no indices yet, or none that you may read. <a href={addressOf('/app/home')}>Home</a> tells how to load
      data.
    </p>
  );
}

/** Props of what was found. */
interface FoundProps {
  readonly state: SearchState & { readonly indices: string };
  readonly search: Search;
  readonly onChange: (part: Partial<SearchState>) => void;
}

function Found({ state, search, onChange }: FoundProps) {
  const { result, again } = search;
  const live = useLive(again, result.isBusy);
  const { failure, chartFailure, chart } = result;
  const isOld = result.isBusy && result.at !== null;
  return (
    <>
      <ToolRow state={state} result={result} live={live} onChange={onChange} />
      <Matches result={result} />
      {failure !== null && <Failure answer={failure.answer} request={failure.request} again={() => again()} />}
      {failure === null && chartFailure !== null && (
        <Failure answer={chartFailure.answer} request={chartFailure.request} again={() => again()} />
      )}
      {failure === null && (
        <div class={isOld ? 'discover-body old-data' : 'discover-body'}>
          <Documents state={state} search={search} onChange={onChange}>
            {chart !== null && chart.buckets.length > 0 && (
              <TimeChartFigure
                chart={chart}
                breakdown={state.breakdown}
                fields={breakdownFields(result.fields, result.timeField)}
                onRange={(range) => onChange({ range })}
                onBreakdown={(breakdown) => onChange({ breakdown })}
              />
            )}
          </Documents>
        </div>
      )}
    </>
  );
}

function Matches({ result: { total, isBusy, at } }: Pick<Search, 'result'>) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isBusy) return setSlow(false);
    const timer = window.setTimeout(() => setSlow(true), 300);
    return () => window.clearTimeout(timer);
  }, [isBusy]);
  return (
    <div class="row">
      <strong role="status" aria-label="Matches">
        {total === null ? '' : formatAmount(total, 'document', 'documents')}
      </strong>
      {isSlow && <span>Loading{at !== null && `; what is shown is of ${formatTime(at)}`}</span>}
    </div>
  );
}

/** Fields, chart and lines, with what can be opened from them. */
function Documents({ state, search, onChange, children }: FoundProps & { readonly children: unknown }) {
  const { result, loadMore } = search;
  const { hits, timeField, fields, total, lines } = result;
  const [opened, setOpened] = useState<Hit | null>(null);
  const [field, setField] = useState<Field | null>(null);
  const sortable = useMemo(() => new Set(fields.filter((one) => one.isAggregatable).map(({ name }) => name)), [fields]);
  const dates = useMemo(() => new Set(fields.filter(isDateField).map(({ name }) => name)), [fields]);
  const { column, resize } = columnChanges(state, onChange);
  const filter = (added: Filter): void => onChange({ filters: [...state.filters, added] });
  const sort = state.sort ?? (timeField === null ? null : { field: timeField, isDown: true });
  const turn = (name: string): void =>
    onChange({ sort: { field: name, isDown: sort?.field === name ? !sort.isDown : false } });
  const count = Math.min(total ?? hits.length, LINES.most);
  return (
    <>
      <FieldsPanel fields={fields} columns={state.columns} onOpen={setField} onColumn={column} />
      <div class="discover-main">
        {children as never}
        {hits.length === 0 && !result.isBusy ? (
          <Empty state={state} result={result} onChange={onChange} />
        ) : (
          <>
            <DocumentGrid
              hits={hits}
              timeField={timeField}
              columns={state.columns}
              widths={state.widths}
              onWidth={resize}
              dates={dates}
              count={Math.max(count, hits.length)}
              density={density.value}
              sort={sort}
              canSort={(name) => sortable.has(name)}
              onSort={turn}
              onOpen={setOpened}
              onEnd={loadMore}
            />
            <Loaded search={search} />
          </>
        )}
      </div>
      {opened !== null && (
        <DocumentDialog
          hit={opened}
          timeField={timeField}
          columns={state.columns}
          acts={{ onFilter: filter, onColumn: column }}
          onClose={() => setOpened(null)}
        />
      )}
      {field !== null && lines !== null && (
        <FieldDialog
          field={field}
          fields={fields}
          indices={state.indices}
          query={lines.query}
          hits={hits}
          onFilter={filter}
          onClose={() => setField(null)}
        />
      )}
    </>
  );
}

/** What shows a field as a column or hides it, and what changes the width of one. */
function columnChanges({ columns, widths }: SearchState, onChange: FoundProps['onChange']) {
  const column = (name: string, isShown: boolean): void => {
    if (isShown) onChange({ columns: [...columns, name] });
    else onChange({ columns: columns.filter((other) => other !== name), widths: withWidth(widths, name, null) });
  };
  const resize = (name: string, px: number | null): void => {
    const next = withWidth(widths, name, px);
    if (widthsText(next) === widthsText(widths)) return;
    onChange({ widths: next });
    message.value =
      px === null ? `The column ${name} has its default width.` : `The column ${name} is ${next[name]} pixels wide.`;
  };
  return { column, resize };
}

/** How many lines are loaded, and a button for more. */
function Loaded({ search: { result, loadMore, isLoadingMore } }: Pick<FoundProps, 'search'>) {
  const { hits, total, hasMore } = result;
  return (
    <p class="evidence">
      {formatCount(hits.length)} of {formatAmount(total ?? hits.length, 'document', 'documents')} loaded.{' '}
      {hasMore && (
        <button type="button" disabled={isLoadingMore} onClick={loadMore}>
          Load more documents
        </button>
      )}
      {hits.length >= LINES.most && ' Narrow the search or export it for the rest.'}
    </p>
  );
}

/** Nothing was found: what else to try. */
function Empty({ state, result, onChange }: Pick<FoundProps, 'state' | 'onChange'> & Pick<Search, 'result'>) {
  if (result.problem !== null) return null;
  const isNarrow = result.range !== null && result.range !== 'all';
  const isFiltered = state.text.trim() !== '' || state.filters.length > 0;
  return (
    <div>
      <p>
        {isNarrow || isFiltered
          ? 'No document matches the query, the filters and the time range.'
          : `There are no documents in ${state.indices}.`}
      </p>
      <div class="row">
        {isNarrow && (
          <button type="button" onClick={() => onChange({ range: 'all' })}>
            Search all time
          </button>
        )}
        {isFiltered && (
          <button type="button" onClick={() => onChange({ text: '', filters: [] })}>
            Clear query and filters
          </button>
        )}
      </div>
    </div>
  );
}
