import { type Hit, hitsOf, rawAt } from '@shoal/values';
import type { Refusal } from '../guard/refusal.js';
import type { ExportRequest } from './export-request.js';

/** Thrown when the cluster refuses; the caller gets its words. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** An answer of the cluster; null if it was larger than what was asked for at most. */
export interface ExportAnswer {
  readonly status: number;
  readonly text: string;
}

/** Calls the cluster as the user. */
export type ExportCall = (
  method: string,
  path: string,
  body: string | null,
  bytesMax: number,
) => Promise<ExportAnswer | null>;

/** Documents that an answer has at first and at most, and bytes that it is meant to have. */
const SIZE = { first: 500, most: 10_000 } as const;
const BYTES = { wanted: 4 * 2 ** 20, most: 16 * 2 ** 20, oneDocument: 128 * 2 ** 20 } as const;
/** How long the point in time is kept between two pages: so long may a browser pause. */
const KEEP_ALIVE = '10m';

interface ErrorAnswer {
  readonly error?: { readonly reason?: string; readonly root_cause?: readonly { readonly reason?: string }[] } | string;
}

/** The cluster's refusal as ours: its words, its status if the caller is at fault, else 503. */
export function refusalOfCluster({ status, text }: ExportAnswer): Refusal {
  let message = `The cluster answered with the status ${status}.`;
  try {
    const { error } = JSON.parse(text) as ErrorAnswer;
    if (typeof error === 'string') message = error;
    else message = error?.root_cause?.[0]?.reason ?? error?.reason ?? message;
  } catch {
    // The status has to do.
  }
  return { status: status >= 400 && status < 500 ? status : 503, message };
}

/** Documents of the next page, for the bytes that the last one had. */
export function nextSize(size: number, bytes: number): number {
  const fitting = Math.floor((size * BYTES.wanted) / Math.max(1, bytes));
  return Math.max(1, Math.min(SIZE.most, fitting, size * 4));
}

/** A page of documents, and the text of its answer's total; null where none was asked for. */
interface Page {
  readonly hits: readonly Hit[];
  readonly total: number | null;
  readonly size: number;
  readonly bytes: number;
}

/**
 * Returns the function that asks for a page of a point in time: documents behind `after`, or the first ones; fewer than
 * `size` at once if they are large, or if the result window of an index is smaller: later pages are not larger then.
 * `fixed`: members of the request that all pages have.
 */
function pageReader(call: ExportCall, fixed: string): (size: number, after: string | null) => Promise<Page> {
  let most: number = SIZE.most;
  return async (sizeWanted, after) => {
    const place = after === null ? '"track_total_hits":true' : `"track_total_hits":false,"search_after":${after}`;
    for (let size = Math.min(most, sizeWanted); ; ) {
      const bytesMax = size === 1 ? BYTES.oneDocument : BYTES.most;
      const answer = await call('POST', '/_search', `{"size":${size},${place},${fixed}}`, bytesMax);
      if (answer !== null && size > 1 && isBeyondWindow(answer)) {
        most = Math.floor(size / 2);
        size = most;
        continue;
      }
      const text = textOf(answer);
      if (text !== null) {
        const total = after === null ? rawAt(text, ['hits', 'total', 'value']) : null;
        return { hits: hitsOf(text), total: total === null ? null : Number(total), size, bytes: text.length };
      }
      if (size === 1) throw new ExportError({ status: 413, message: 'A document is too large to be exported.' });
      size = Math.max(1, Math.floor(size / 8));
    }
  };
}

const WINDOW = '[index.max_result_window]';

/**
 * Whether a page is larger than `index.max_result_window` of an index. Of several indices one may refuse: the failures
 * of its shards come before the documents of the others, and its own documents are missing.
 */
function isBeyondWindow(answer: ExportAnswer): boolean {
  const { status, text } = answer;
  if (status === 400) return refusalOfCluster(answer).message.includes(WINDOW);
  return status < 300 && text.slice(0, Math.max(0, text.indexOf('"hits"'))).includes(WINDOW);
}

function textOf(answer: ExportAnswer | null): string | null {
  if (answer !== null && answer.status >= 300) throw new ExportError(refusalOfCluster(answer));
  return answer === null ? null : answer.text;
}

async function goodText(call: ExportCall, ...request: Parameters<ExportCall>): Promise<string | null> {
  return textOf(await call(...request));
}

/**
 * All documents of a request over a point in time, a page at a time; the first page is told the total. The cluster
 * searches for the next page while one is written. Large documents come in smaller pages. Throws ExportError.
 */
export async function* exportPages(
  call: ExportCall,
  { index, query, sort }: ExportRequest,
  fields: readonly string[],
): AsyncGenerator<{ readonly hits: readonly Hit[]; readonly total: number | null }> {
  const path = `/${encodeURIComponent(index)}/_pit?keep_alive=${KEEP_ALIVE}`;
  const opened = (await goodText(call, 'POST', path, null, BYTES.most)) ?? '{}';
  const pit = JSON.stringify((JSON.parse(opened) as { id: string }).id);
  const asked = fields.length === 0 ? '' : `,"fields":${JSON.stringify(fields)}`;
  const fixed = `"query":${query},"sort":${sort},"pit":{"id":${pit},"keep_alive":"${KEEP_ALIVE}"}${asked}`;
  const read = pageReader(call, fixed);
  let next: Promise<Page> | null = read(SIZE.first, null);
  try {
    while (next !== null) {
      const { hits, total, size, bytes }: Page = await next;
      const after: string | null = hits.length < size ? null : hits.at(-1)!.sort;
      next = after === null ? null : read(nextSize(size, bytes), after);
      // It is awaited once this page is written; until then nobody looks at its failure.
      next?.catch(() => undefined);
      if (hits.length > 0) yield { hits, total };
    }
  } finally {
    await next?.catch(() => undefined);
    await call('DELETE', '/_pit', `{"id":${pit}}`, BYTES.most).catch(() => undefined);
  }
}
