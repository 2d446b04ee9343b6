import { useEffect, useRef, useState } from 'preact/hooks';
import { KqlError } from '../kql/parse-kql.js';
import { type Answer, clusterCall } from '../request/own-call.js';
import { clock } from '../state/browser-clock.js';
import { reloads } from '../state/session.js';
import { shownZone } from '../state/shown-zone.js';
import { breakdownFields, type ChartSeries, readSeries } from './chart-series.js';
import { type Field, fieldsOf, timeFieldOf } from './fields.js';
import { type Hit, hitsOf } from '@shoal/values';
import { areMarked } from './marks.js';
import {
  askedFields,
  chartBody,
  type ChartBucket,
  countBody,
  firstRange,
  firstRangeBody,
  KEEP_ALIVE,
  LINES,
  linesBody,
  type LinesRequest,
  nextLines,
  readChart,
  sortClause,
  wholeQuery,
} from './search-body.js';
import type { SearchState } from './search-state.js';
import { type ChartStep, intervalOf, spanOf, type TimeRange, type TimeSpan } from './time-range.js';

/** A call that failed, and how it was made. */
export interface FailedCall {
  readonly answer: Answer;
  readonly request: string;
}

/** Documents over time. */
export interface TimeChart {
  readonly buckets: readonly ChartBucket[];
  readonly span: TimeSpan;
  readonly step: ChartStep;
  /** Null without a field that breaks it down. */
  readonly series: ChartSeries | null;
}

/** What a search found, part by part as it comes. Parts of the search before stay until then. */
export interface SearchResult {
  readonly fields: readonly Field[];
  readonly timeField: string | null;
  /** The range that is searched; null until it is chosen. */
  readonly range: TimeRange | null;
  readonly lines: LinesRequest | null;
  readonly hits: readonly Hit[];
  /** Whether there is a line after the last one, as far as is known. */
  readonly hasMore: boolean;
  readonly total: number | null;
  readonly chart: TimeChart | null;
  readonly failure: FailedCall | null;
  readonly chartFailure: FailedCall | null;
  /** Why the text is no query. */
  readonly problem: string | null;
  readonly isBusy: boolean;
  /** When the lines came, in milliseconds since 1970. */
  readonly at: number | null;
}

const NOTHING: SearchResult = {
  fields: [],
  timeField: null,
  range: null,
  lines: null,
  hits: [],
  hasMore: false,
  total: null,
  chart: null,
  failure: null,
  chartFailure: null,
  problem: null,
  isBusy: true,
  at: null,
};

/** Path of indices. */
export const indicesPath = (indices: string): string => `/${encodeURIComponent(indices)}`;

/** Thrown within a search for a call that failed. */
class CallFailure extends Error {
  readonly failed: FailedCall;
  constructor(failed: FailedCall) {
    super('a call failed');
    this.failed = failed;
  }
}

/** Whether an error is a call that failed. */
export const isFailedCall = (error: unknown): error is { readonly failed: FailedCall } => error instanceof CallFailure;

/** Calls of one search: cancelled together; one that fails is thrown. */
export interface SearchCalls {
  readonly signal: AbortSignal;
  readonly isPolling: boolean;
}

/** A call whose good answer is wanted; another one is thrown (`isFailedCall`). A text as body is JSON already. */
export async function goodCall(
  { signal, isPolling }: SearchCalls,
  method: string,
  path: string,
  body?: object | string,
): Promise<Answer> {
  const isRaw = typeof body === 'string';
  const answer = await clusterCall(method, path, { signal, isPolling, isRaw, ...(body === undefined ? {} : { body }) });
  if (answer.status >= 200 && answer.status < 300) return answer;
  const text = body === undefined ? '' : `\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}`;
  throw new CallFailure({ answer, request: `${method} ${path}${text}` });
}

/** Reads the fields of indices. */
export async function readFields(calls: SearchCalls, indices: string): Promise<readonly Field[]> {
  const answer = await goodCall(calls, 'GET', `${indicesPath(indices)}/_field_caps?fields=*`);
  return fieldsOf(answer.json);
}

/** Runs a search; `update` gets each part. Returns the id of the point in time of the lines; null without one. */
async function runSearch(
  state: SearchState & { readonly indices: string },
  calls: SearchCalls,
  update: (part: Partial<SearchResult>) => void,
): Promise<string | null> {
  const now = clock.now();
  const path = indicesPath(state.indices);
  const fields = await readFields(calls, state.indices);
  const timeField = timeFieldOf(fields, state.timeField);
  update({ fields, timeField });
  const range = timeField === null ? 'all' : (state.range ?? (await chooseRange(calls, path, timeField, now)));
  const span = range === 'all' ? null : spanOf(range, now);
  const query = wholeQuery(
    state,
    { fields, timeZone: shownZone.value },
    span === null || timeField === null ? null : { field: timeField, span },
  );
  const sort = sortClause(state.sort, timeField, fields, state.text.trim() !== '');
  const isMarked = state.text.trim() !== '' && areMarked(fields.map(({ type }) => type));
  const lines: LinesRequest = { query, sort, fields: askedFields(state.columns, timeField, fields), isMarked };
  update({ range, lines, problem: null });
  const opening = readLines(calls, path, lines, update);
  try {
    const { breakdown } = state;
    const series = breakdown !== null && breakdownFields(fields, timeField).includes(breakdown) ? breakdown : null;
    await Promise.all([opening, readCounts(calls, path, lines, timeField, span, series).then(update)]);
  } catch (error) {
    void opening.then(closePit, () => undefined);
    throw error;
  }
  return opening;
}

async function chooseRange(calls: SearchCalls, path: string, timeField: string, now: number): Promise<TimeRange> {
  const answer = await goodCall(calls, 'POST', `${path}/_search`, firstRangeBody(timeField, now));
  return firstRange(answer.json);
}

/** Reads the first lines over a new point in time and returns its id; one that nobody wants any more is closed. */
async function readLines(
  calls: SearchCalls,
  path: string,
  lines: LinesRequest,
  update: (part: Partial<SearchResult>) => void,
): Promise<string> {
  // Not cancelled: a point in time whose id did not arrive would stay open until it is too old.
  const opening = { ...calls, signal: new AbortController().signal };
  const opened = await goodCall(opening, 'POST', `${path}/_pit?keep_alive=${KEEP_ALIVE}`);
  const pit = (opened.json as { id: string }).id;
  try {
    calls.signal.throwIfAborted();
    const page = { pit, size: LINES.first, after: null };
    let hits = hitsOf((await goodCall(calls, 'POST', '/_search', linesBody(lines, page))).text);
    // An index without stored documents still has the values of its columns.
    if (hits.length > 0 && hits.every(({ source }) => source === null)) {
      const withFields = { ...lines, fields: ['*'] };
      update({ lines: withFields });
      hits = hitsOf((await goodCall(calls, 'POST', '/_search', linesBody(withFields, page))).text);
    }
    update({ hits, hasMore: hits.length === LINES.first, at: clock.now() });
    return pit;
  } catch (error) {
    closePit(pit);
    throw error;
  }
}

/** The total, and the chart where there is a time; a failure is a part too, so that lines stay. */
async function readCounts(
  calls: SearchCalls,
  path: string,
  { query }: LinesRequest,
  timeField: string | null,
  chosen: TimeSpan | null,
  breakdown: string | null,
): Promise<Partial<SearchResult>> {
  try {
    let span = chosen;
    if (span === null || timeField === null) {
      const counted = await goodCall(calls, 'POST', `${path}/_search`, countBody(query, timeField));
      const { total, ends } = readChart(counted.json);
      if (timeField === null || ends === null) return { total, chart: null, chartFailure: null };
      span = ends;
    }
    const body = chartBody(query, timeField, span, shownZone.value, breakdown);
    const answer = await goodCall(calls, 'POST', `${path}/_search`, body);
    const { total, buckets } = readChart(answer.json);
    const series = breakdown === null ? null : readSeries(answer.text, buckets);
    return { total, chart: { buckets, span, step: intervalOf(span), series }, chartFailure: null };
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    return { chart: null, total: null, chartFailure: error.failed };
  }
}

const closePit = (id: string): void => {
  void clusterCall('DELETE', '/_pit', { body: { id }, isPolling: true, isKeptAlive: true }).catch(() => undefined);
};

/** A search that follows its state. */
export interface Search {
  readonly result: SearchResult;
  /** Searches anew; `isPolling` if nobody asked for it. */
  readonly again: (isPolling?: boolean) => void;
  /** Loads further lines; nothing happens while some are loaded. */
  readonly loadMore: () => void;
  readonly isLoadingMore: boolean;
}

/** What of a state a search depends on; widths of columns are none of it. */
const searched = (state: SearchState): string => JSON.stringify({ ...state, widths: undefined });

/** Searches whenever the state changes. */
export function useSearch(state: SearchState & { readonly indices: string }): Search {
  const [result, setResult] = useState<SearchResult>(NOTHING);
  const [look, setLook] = useState({ count: 0, isPolling: false });
  const [isLoadingMore, setLoadingMore] = useState(false);
  const pit = useRef<string | null>(null);
  const more = useRef<AbortController | null>(null);
  const { indices } = state;
  useEffect(() => {
    const abort = new AbortController();
    const update = (part: Partial<SearchResult>): void => {
      if (!abort.signal.aborted) setResult((before) => ({ ...before, ...part }));
    };
    more.current?.abort();
    update({ isBusy: true, failure: null, problem: null });
    runSearch(state, { signal: abort.signal, isPolling: look.isPolling }, update).then(
      (id) => {
        if (abort.signal.aborted) return void (id !== null && closePit(id));
        if (pit.current !== null) closePit(pit.current);
        pit.current = id;
        update({ isBusy: false });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        if (error instanceof KqlError) update({ isBusy: false, problem: error.message });
        else if (error instanceof CallFailure)
          update({ isBusy: false, failure: error.failed, hits: [], total: null, chart: null, hasMore: false });
        else throw error;
      },
    );
    return () => abort.abort();
  }, [indices, searched(state), shownZone.value, look, reloads.value]);
  useEffect(() => {
    const leave = (): void => {
      more.current?.abort();
      if (pit.current !== null) closePit(pit.current);
      pit.current = null;
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  const loadMore = (): void => {
    const { hits, lines, hasMore } = result;
    const chars = hits.reduce((sum, hit) => sum + (hit.source ?? hit.fields ?? '').length, 0);
    const size = nextLines(hits.length, chars);
    if (isLoadingMore || !hasMore || lines === null || pit.current === null || size === 0) return;
    const abort = (more.current = new AbortController());
    const calls = { signal: abort.signal, isPolling: false };
    setLoadingMore(true);
    goodCall(calls, 'POST', '/_search', linesBody(lines, { pit: pit.current, size, after: hits.at(-1)!.sort }))
      .then(
        ({ text: answer }) => {
          const next = hitsOf(answer);
          setResult((before) => ({ ...before, hits: [...hits, ...next], hasMore: next.length === size }));
        },
        (error: unknown) => {
          if (error instanceof CallFailure) setResult((before) => ({ ...before, failure: error.failed }));
        },
      )
      .finally(() => setLoadingMore(false));
  };
  const again = (isPolling = false): void => setLook(({ count }) => ({ count: count + 1, isPolling }));
  return { result, again, loadMore, isLoadingMore };
}
