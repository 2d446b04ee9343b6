import { errors } from '@shoal/errors';
import { type Reader, text } from './options.js';

/** Characters of a text in a query syntax at most: it is read in one piece. 16 for each clause that it may have. */
const CHARACTERS_MAX = 262_144;

/** Parses a text in the syntax of `query_string` or `simple_query_string`. Throws for one that is too long. */
export const syntaxText: Reader<string> = (value, place) => {
  const given = text(value, place);
  if (given.length <= CHARACTERS_MAX) return given;
  throw errors.illegalArgument(
    `[${String(place.key)}] of [${place.type}] has [${given.length}] characters, more than [${CHARACTERS_MAX}]`,
  );
};
