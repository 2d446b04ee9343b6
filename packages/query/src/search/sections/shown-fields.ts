import {
  type FieldSpec,
  parseFieldSpecs,
  parseSourceSpec,
  parseStoredFields,
  type SourceSpec,
  type StoredFieldsSpec,
} from '../../fetch/fetch-spec.js';
import { parseScriptFields, type ScriptField } from '../../fetch/script-fields.js';
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

/** `script_fields`: fields whose values scripts make. */
export const scriptFields: SearchSection<readonly ScriptField[]> = {
  keys: ['script_fields'],
  tokens: OBJECT,
  absent: [],
  parse: (_value, { body }) => parseScriptFields(body),
  effects: () => ({ isCostlyToShow: true }),
};
