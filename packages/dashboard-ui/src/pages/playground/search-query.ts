/** How a search is tried. */
export interface SearchOptions {
  readonly text: string;
  /** Fields with their weights: `title^2, body`; empty for all. */
  readonly fields: string;
  readonly fuzziness: string;
  readonly operator: string;
}

/** Fields of a text with commas. */
const fieldList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');

/** The query of a search; without a text all documents. */
export function queryOf({ text, fields, fuzziness, operator }: SearchOptions): object {
  if (text.trim() === '') return { match_all: {} };
  const list = fieldList(fields);
  return {
    multi_match: {
      query: text,
      ...(list.length === 0 ? {} : { fields: list }),
      ...(fuzziness === '0' ? {} : { fuzziness }),
      ...(operator === 'or' ? {} : { operator }),
      lenient: true,
    },
  };
}

/** A part of the explanation of a score. */
export interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details?: readonly Explanation[];
}
