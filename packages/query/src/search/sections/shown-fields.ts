import {
  type FieldSpec,
  parseFieldSpecs,
  parseSourceSpec,
  parseStoredFields,
  type SourceSpec,
  type StoredFieldsSpec,
} from '../../fetch/fetch-spec.js';
import { ARRAY, OBJECT, type SearchSection, VALUE } from '../section.js';

/** `_source`: parts of the source that a hit shows; null: all, unless stored fields are asked for. */
export const source: SearchSection<SourceSpec | null> = {
  keys: ['_source'],
  tokens: VALUE | OBJECT | ARRAY,
  absent: null,
  parse: (value, { body, key }) => parseSourceSpec(value, body, key),
};

/** `fields`: values that a hit shows, parsed from the source by the mapping. */
export const fields: SearchSection<readonly FieldSpec[]> = {
  keys: ['fields'],
  tokens: ARRAY,
  absent: [],
  parse: (_value, { body }) => parseFieldSpecs(body, 'fields'),
};

/** `docvalue_fields`: values that a hit shows, read from columns. */
export const docvalueFields: SearchSection<readonly FieldSpec[]> = {
  keys: ['docvalue_fields'],
  tokens: ARRAY,
  absent: [],
  parse: (_value, { body }) => parseFieldSpecs(body, 'docvalue_fields'),
};

/** `stored_fields`; null: not asked for. */
export const storedFields: SearchSection<StoredFieldsSpec | null> = {
  keys: ['stored_fields'],
  tokens: VALUE | ARRAY,
  absent: null,
  parse: (_value, { body }) => parseStoredFields(body),
};

/** `script_fields`: their number. Shards refuse them, as Elasticsearch does without a script engine. */
export const scriptFieldCount: SearchSection<number> = {
  keys: ['script_fields'],
  tokens: OBJECT,
  absent: 0,
  parse: (value) => Object.keys(value as object).length,
  effects: () => ({ isCostlyToShow: true }),
};
