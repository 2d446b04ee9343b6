import { errors } from '@shoal/errors';
import { stringify } from '@shoal/json';
import type { FieldLayout } from '@shoal/segments';
import type { FieldType } from '../field-type.js';
import { meta } from '../parameter.js';
import {
  type FieldConfig,
  fieldType,
  type FieldTypeDefinition,
  PLAIN_FORMAT,
  refuseRange,
  termsLayout,
} from './definition.js';
import { keywordField } from './keyword.js';

/** Name of the field with the terms of which a document must have one to match the query of a `percolator` field. */
export const extractedTermsField = (name: string): string => `${name}.extracted_terms`;

const termsOf = (name: string): FieldLayout => termsLayout(extractedTermsField(name), true, false)!;

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const layout: FieldLayout = { name, terms: null, column: 'binary', points: false };
  const terms = termsOf(name);
  return fieldType(config, {
    layout,
    valueKind: 'none',
    isSearchable: false,
    isAggregatable: false,
    parse(value, sink) {
      const required = sink.readQuery(value);
      if (sink.valuesOf(terms.name).length > 0)
        throw errors.illegalArgument('a document can only contain one percolator query');
      sink.addBinary(layout, Buffer.from(stringify(value)));
      for (const term of required) sink.addTerm(terms, term);
    },
    termQuery() {
      throw errors.illegalArgument('Percolator fields are not searchable directly, use a percolate query instead');
    },
    rangeQuery: () => refuseRange(config),
    format: () => PLAIN_FORMAT,
    fetchValue: (value) => value,
  });
}

/** The terms come from the query of the field. */
function subfields(config: FieldConfig): readonly FieldType[] {
  const name = extractedTermsField(config.name);
  const behaviour = { ignoreAbove: 2147483647, nullValue: null, normalize: (value: string) => value };
  return [
    {
      ...keywordField({ ...config, name, typeName: 'keyword' }, { ...behaviour, layout: termsOf(config.name) }),
      parse: () => {},
      fetchValue: () => undefined,
    },
  ];
}

/** `percolator`: a query of the DSL, which the query `percolate` runs on documents that it is given. */
export const percolator: FieldTypeDefinition = {
  name: 'percolator',
  parameters: [meta],
  create,
  subfields,
  faultStyle: 'cause',
  cannotBeMultiField: true,
};
