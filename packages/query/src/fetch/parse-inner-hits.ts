import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import {
  booleanField,
  type DeclaredField,
  fieldOf,
  numberField,
  objectField,
  readDeclared,
  stringField,
} from '../parse/declared.js';
import { any, boolean, int, type Reader, text } from '../parse/options.js';
import { parseFetchSpec } from './fetch-spec.js';

/** Parsers of the parts of inner hits that the caller knows how to parse. */
export interface InnerHitsReaders {
  readonly sort: Reader<unknown>;
  readonly highlight: Reader<unknown>;
}

const UNREAD: InnerHitsReaders = { sort: any, highlight: any };

const atLeastZero = (name: string): DeclaredField<number> =>
  numberField((value, place) => {
    const number = int(value, place);
    if (number >= 0) return number;
    throw errors.illegalArgument(`illegal ${name} value, at least 0 or higher`);
  });

const FIELDS = {
  name: stringField(text),
  ignore_unmapped: booleanField(boolean),
  from: atLeastZero('from'),
  size: atLeastZero('size'),
  explain: booleanField(boolean),
  version: booleanField(boolean),
  seq_no_primary_term: booleanField(boolean),
  track_scores: booleanField(boolean),
  stored_fields: fieldOf(['VALUE_STRING', 'VALUE_NULL', 'START_ARRAY'], any),
  fields: fieldOf(['START_OBJECT', 'START_ARRAY', 'VALUE_STRING'], any),
  docvalue_fields: fieldOf(['START_OBJECT', 'START_ARRAY', 'VALUE_STRING'], any),
  script_fields: objectField(any),
  _source: fieldOf(['START_OBJECT', 'START_ARRAY', 'VALUE_BOOLEAN', 'VALUE_STRING'], any),
  collapse: objectField(any),
};

/** Checks an `inner_hits` body and returns it. Of `sort` and `highlight`, only what `readers` refuse is refused. */
export function parseInnerHits(value: unknown, container: object, readers = UNREAD): JsonObject {
  if (!isPlainObject(value)) {
    throw errors.xContentParse(`[inner_hits] Expected START_OBJECT but was: ${tokenOf(value)}`, {
      location: { container, key: 'inner_hits' },
    });
  }
  readDeclared('inner_hits', value, {
    ...FIELDS,
    sort: fieldOf(['START_OBJECT', 'START_ARRAY', 'VALUE_STRING'], readers.sort),
    highlight: objectField(readers.highlight),
  });
  parseFetchSpec(value);
  return value;
}
