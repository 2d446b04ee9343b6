import type { Searcher, SegmentView } from '../searcher.js';
import type { FieldText, FieldTokens } from './field-text.js';
import type { TextMatch } from './text-match.js';

/** Where a highlighted field is looked at. */
export interface MatchPlace {
  readonly searcher: Searcher;
  readonly segment: SegmentView;
  readonly doc: number;
  /** Queries on these fields are answered from the text; all with `require_field_match: false`. */
  readonly isField: (field: string) => boolean;
}

/** Finds the matches of one plan; made once a request. Null: the plan does not match the document. */
export type Matching = (text: FieldText, place: MatchPlace) => readonly TextMatch[] | null;

/** Marks of a plan that takes part in a match and has none. */
export const NO_MATCHES: readonly TextMatch[] = [];

/** Looks for the terms of one plan in the text of a field. */
export interface TextFinder {
  /** Fields that the plan searches. */
  readonly fields: readonly string[];
  /** Terms that this text lacks may stand in another of the fields: then the document is asked. */
  readonly isOneOfSeveral?: true;
  find(tokens: FieldTokens): TextMatch[];
}

/** Marks of all clauses that match; null when fewer than `minimum` do. */
export function anyMatching(clauses: readonly Matching[], minimum: number): Matching {
  return (text, place) => {
    const found: TextMatch[] = [];
    let count = 0;
    for (const matching of clauses) {
      const matches = matching(text, place);
      if (!matches) continue;
      count++;
      found.push(...matches);
    }
    return count >= minimum ? found : null;
  };
}
