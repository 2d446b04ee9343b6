import { errors } from '@shoal/errors';

/** Optional operators of Lucene's regular expressions, as bits. */
export const REGEXP_FLAGS = {
  INTERSECTION: 1,
  COMPLEMENT: 2,
  EMPTY: 4,
  ANYSTRING: 8,
  AUTOMATON: 16,
  INTERVAL: 32,
} as const;

const NAMED: ReadonlyMap<string, number> = new Map<string, number>([
  ...Object.entries(REGEXP_FLAGS),
  ['NONE', 0],
  ['ALL', 255],
]);

/** Parses option `flags` of a regexp query, such as `COMPLEMENT|INTERVAL`, to bits. */
export function regexpFlags(text: string): number {
  if (text === '') return 255;
  let flags = 0;
  for (const name of text.split('|').map((part) => part.trim().toUpperCase())) {
    const flag = NAMED.get(name);
    if (flag === undefined) throw errors.illegalArgument(`Unknown regexp flag [${name}]`);
    flags |= flag;
  }
  return flags;
}
