import { compareTerms } from '@shoal/codec';
import { type AccessLimits, indexFilter } from '@shoal/mapping';
import type { Searcher } from '@shoal/query';
import type { TermsReader } from '@shoal/segments';

/** Body of the `terms_enum` call. */
export interface TermsEnumRequest {
  readonly field: string;
  readonly string?: string | null;
  readonly size?: number;
  readonly case_insensitive?: boolean;
  readonly search_after?: string | null;
}

function collectFrom(reader: TermsReader, prefix: string, after: string | null, size: number, into: Set<string>): void {
  const cursor = reader.cursor();
  const start = after !== null && compareTerms(after, prefix) > 0 ? after : prefix;
  let taken = 0;
  for (let more = cursor.seek(start); more && taken < size && cursor.term.startsWith(prefix); more = cursor.next()) {
    if (cursor.term === after) continue;
    into.add(cursor.term);
    taken++;
  }
}

function collectIgnoringCase(reader: TermsReader, prefix: string, after: string | null, into: Set<string>): void {
  const wanted = prefix.toLowerCase();
  const cursor = reader.cursor();
  for (let more = cursor.seek(after ?? ''); more; more = cursor.next()) {
    if (cursor.term !== after && cursor.term.slice(0, prefix.length).toLowerCase() === wanted) into.add(cursor.term);
  }
}

/**
 * Returns the first terms of a field that begin with a string, in order. Terms of deleted documents count until a merge
 * drops them. A caller with document-level security gets none, because a term does not tell whose it is.
 */
export function enumerateTerms(
  searcher: Searcher,
  request: TermsEnumRequest,
  limits: AccessLimits | null = null,
): { readonly terms: readonly string[]; readonly complete: boolean } {
  const { field, size = 10, case_insensitive: ignoresCase = false } = request;
  const prefix = request.string ?? '';
  const after = request.search_after ?? null;
  const found = new Set<string>();
  if (limits !== null && (limits.queries.length > 0 || !indexFilter(limits, searcher.mapping)!(field)))
    return { terms: [], complete: true };
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(field);
    if (terms === null) continue;
    if (ignoresCase) collectIgnoringCase(terms, prefix, after, found);
    else collectFrom(terms, prefix, after, size, found);
  }
  return { terms: [...found].sort(compareTerms).slice(0, size), complete: true };
}
