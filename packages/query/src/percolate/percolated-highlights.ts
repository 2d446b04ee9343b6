import { parseSource } from '@shoal/json';
import type { PlanOf } from '../execute/plan-of.js';
import type { HighlightDocument } from '../fetch/render-hits.js';
import { documentHighlighter, type HighlightContext } from '../highlight/document-highlighter.js';
import type { HighlightField } from '../highlight/highlight-spec.js';
import { storedIn } from './percolated-hits.js';

type Percolate = PlanOf<'percolate'>;

/**
 * Returns a highlighter of the documents that a hit's stored query matches, besides that of the hit itself. Fields are
 * named by the document's position if there are several, and by the query's name if there are several queries.
 */
export function percolatedHighlighter(
  asked: readonly HighlightField[],
  percolates: readonly Percolate[],
  context: HighlightContext,
  own: HighlightDocument | null,
): HighlightDocument {
  return async (segment, doc, source, raw) => {
    let found = (await own?.(segment, doc, source, raw)) ?? null;
    for (const percolate of percolates) {
      const prefix = percolates.length === 1 ? '' : `${percolate.name}_`;
      const shown = await highlightedSlots(asked, percolate, storedIn(percolate, segment, doc), context);
      for (const [name, fragments] of shown)
        (found ??= Object.create(null) as Record<string, unknown>)[prefix + name] = fragments;
    }
    return found;
  };
}

async function highlightedSlots(
  asked: readonly HighlightField[],
  { percolation }: Percolate,
  query: Uint8Array | null,
  context: HighlightContext,
): Promise<[name: string, fragments: unknown][]> {
  const plan = query === null ? null : percolation.plan(query);
  if (plan === null) return [];
  const { documents, roots } = percolation;
  const [segment] = documents.segments;
  const highlight = documentHighlighter(asked, plan, documents, context);
  const shown: [string, unknown][] = [];
  for (const slot of highlight === null ? [] : percolation.slots(query!)) {
    const source = parseSource(documents.stored(roots[slot]!).source);
    const fields = await highlight!(segment!, roots[slot]!, source, () => source);
    for (const [name, fragments] of Object.entries(fields ?? {}))
      shown.push([roots.length === 1 ? name : `${slot}_${name}`, fragments]);
  }
  return shown;
}
