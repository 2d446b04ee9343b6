import type { Searcher, SegmentView } from '../searcher.js';
import type { FieldText, FieldTokens } from './field-text.js';
import type { Steps } from './steps.js';
import type { TextMatch } from './text-match.js';

/** The document whose field is highlighted. */
export interface MatchPlace {
  readonly searcher: Searcher;
  readonly segment: SegmentView;
  readonly doc: number;
  /**
   * Returns whether queries on a field are matched by the highlighted text. True for all fields with
   * `require_field_match: false`.
   */
  readonly isField: (field: string) => boolean;
}

/**
 * Returns the matches of one plan in a field's text, or null if the plan does not match the document. Made once a
 * request.
 */
export type Matching = (text: FieldText, place: MatchPlace) => Steps<readonly TextMatch[] | null>;

/** Result of a plan that matches the document but highlights nothing. */
export const NO_MATCHES: readonly TextMatch[] = [];

/** Finds the terms of one plan in the text of a field. */
export interface TextFinder {
  /** Fields that the plan searches. */
  readonly fields: readonly string[];
  /**
   * Set for a plan on several fields: a term that this text lacks may be in another field, so the document is matched
   * against the index.
   */
  readonly isOneOfSeveral?: true;
  find(tokens: FieldTokens): Steps<readonly TextMatch[]>;
  /** Finds what the plain highlighter shows, if that differs from `find`. */
  findPlainly?(tokens: FieldTokens): Steps<readonly TextMatch[]>;
}

/** Returns the matches of all clauses that match; null when fewer than `minimum` clauses do. */
export function anyMatching(clauses: readonly Matching[], minimum: number): Matching {
  return function* (text, place) {
    const found: (readonly TextMatch[])[] = [];
    for (const matching of clauses) {
      const matches = yield* matching(text, place);
      if (matches) found.push(matches);
    }
    return found.length >= minimum ? found.flat() : null;
  };
}
