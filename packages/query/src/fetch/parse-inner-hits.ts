import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import {
  booleanField,
  type DeclaredField,
  fieldOf,
  numberField,
  objectField,
  objectsField,
  readDeclared,
  stringField,
} from '../parse/declared.js';
import { any, boolean, int, type Reader, text } from '../parse/options.js';
import { parseFieldSpecs, parseSourceSpec, parseStoredFields } from './fetch-spec.js';
import { parseScriptFields } from './script-fields.js';

/** Parsers of the parts of inner hits that queries cannot parse, since these parts hold queries themselves. */
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

const fieldSpecs = (name: 'fields' | 'docvalue_fields'): DeclaredField<unknown> =>
  fieldOf(['START_OBJECT', 'START_ARRAY', 'VALUE_STRING'], (_, { container }) =>
    parseFieldSpecs(container as JsonObject, name),
  );

/** Checks a second level of collapsing: a field, and nothing besides. */
function checkInnerCollapse(body: JsonObject): void {
  const [key, other] = Object.keys(body);
  if (key === 'field' && typeof body[key] === 'string' && other === undefined) return;
  const last = key === 'field' && typeof body[key] === 'string' ? other : key;
  throw errors.parsing('Invalid token in the inner collapse', {
    location:
      last === undefined
        ? { container: body, at: 'end' }
        : { container: body, key: last, ...(last === 'field' ? {} : { at: 'key' as const }) },
  });
}

const FIELDS = {
  name: stringField(text),
  ignore_unmapped: booleanField(boolean),
  from: atLeastZero('from'),
  size: atLeastZero('size'),
  explain: booleanField(boolean),
  version: booleanField(boolean),
  seq_no_primary_term: booleanField(boolean),
  track_scores: booleanField(boolean),
  stored_fields: fieldOf(['VALUE_STRING', 'VALUE_NULL', 'START_ARRAY'], (_, { container }) =>
    parseStoredFields(container as JsonObject),
  ),
  fields: fieldSpecs('fields'),
  docvalue_fields: fieldSpecs('docvalue_fields'),
  script_fields: objectField((_, { container }) => parseScriptFields(container as JsonObject)),
  _source: fieldOf(['START_OBJECT', 'START_ARRAY', 'VALUE_BOOLEAN', 'VALUE_STRING'], (value, { container, key }) =>
    parseSourceSpec(value, container, String(key)),
  ),
  collapse: objectField((value) => checkInnerCollapse(value as JsonObject)),
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
    sort: objectsField(readers.sort),
    highlight: objectField(readers.highlight),
  });
  return value;
}
