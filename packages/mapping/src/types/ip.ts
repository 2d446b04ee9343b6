import { errors } from '@shoal/errors';
import { formatIp, parseCidr, parseIp } from '@shoal/values';
import type { FieldType, ValueFormat, ValueQuery } from '../field-type.js';
import {
  docValues,
  ignoreMalformed,
  index,
  javaText,
  meta,
  nullValueParameter,
  onScriptError,
  script,
  store,
  timeSeriesDimension,
} from '../parameter.js';
import {
  checkSearchable,
  type FieldConfig,
  fieldType,
  type FieldTypeDefinition,
  refuseFormat,
  termsLayout,
} from './definition.js';
import { termRange } from './keyword.js';
import { mayIgnore, readOrIgnore } from './whole-numbers.js';

/** The term of an address; throws for other texts. */
export function readIp(text: string): string {
  const term = parseIp(text);
  if (term === null) throw errors.illegalArgument(`'${text}' is not an IP string literal.`);
  return term;
}

function ipTerm(value: unknown): ValueQuery {
  const text = javaText(value);
  if (!text.includes('/')) return { kind: 'term', term: readIp(text) };
  const range = parseCidr(text);
  if (range === null) throw errors.illegalArgument(`'${text}' is not an IP string literal.`);
  return { kind: 'terms', low: range.low, high: range.high, includeLow: true, includeHigh: true };
}

const FORMAT: ValueFormat = {
  toJson: (value) => formatIp(String(value)),
  toText: (value) => formatIp(String(value)),
  parse: (value) => readIp(String(value)),
};

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const layout = termsLayout(name, config.boolean('index'), config.boolean('doc_values'));
  const ignores = config.boolean('ignore_malformed');
  const nullText = config.maybeText('null_value');
  const nullTerm = nullText === null ? null : readIp(nullText);
  return fieldType(config, {
    layout,
    valueKind: 'ip',
    parse(value, sink) {
      const term =
        value === null
          ? nullTerm
          : readOrIgnore(mayIgnore(ignores, value), name, sink, () => readIp(sink.textOf(value)));
      if (term !== null && layout !== null) sink.addTerm(layout, term);
    },
    termQuery(value) {
      checkSearchable(name, layout);
      return ipTerm(value);
    },
    rangeQuery(bounds) {
      checkSearchable(name, layout);
      return termRange(bounds, (value) => readIp(javaText(value)));
    },
    format(format, timeZone) {
      refuseFormat(config, format, timeZone);
      return FORMAT;
    },
    fetchValue(value) {
      const term = parseIp(javaText(value));
      return term === null ? undefined : formatIp(term);
    },
  });
}

/** `ip`: IPv4 and IPv6 addresses as terms of 16 characters. */
export const ip: FieldTypeDefinition = {
  name: 'ip',
  parameters: [
    index,
    docValues,
    store,
    ignoreMalformed,
    nullValueParameter((value, { field }) => {
      const text = javaText(value);
      if (parseIp(text) === null)
        throw errors.mapperParsing(
          `Error parsing [null_value] on field [${field}]: '${text}' is not an IP string literal.`,
        );
      return text;
    }),
    script,
    onScriptError,
    meta,
    timeSeriesDimension,
  ],
  create,
};
