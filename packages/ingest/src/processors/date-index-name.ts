import { errors } from '@shoal/errors';
import { dateFormat } from '@shoal/values';
import { javaText } from '../java-values.js';
import { localeTag } from '../locale.js';
import { dateParser, parseFirst, zoneOf } from '../parse-date.js';
import type { ProcessorType } from '../processor-type.js';

const INPUT = ["yyyy-MM-dd'T'HH:mm:ss.SSSXX"];

/** Sends the document to an index named after its date: a name with date math. */
export const dateIndexName: ProcessorType = {
  name: 'date_index_name',
  parse(config, site) {
    const field = config.string('field');
    const rounding = config.template('date_rounding');
    const prefix = config.compile('index_name_prefix', config.stringOr('index_name_prefix', ''));
    const format = config.compile('index_name_format', config.stringOr('index_name_format', 'yyyy-MM-dd'));
    const zoneName = config.stringOr('timezone', 'UTC');
    const localeName = config.optionalString('locale');
    const locale = localeName === null ? null : localeTag(localeName);
    const formats = config.optionalStrings('date_formats') ?? INPUT;
    const parsers = formats.map((pattern) => dateParser(pattern, () => site.now(), locale));
    const zone = zoneOf(zoneName);
    return (document) => {
      const value = document.get(field);
      if (value === null) throw errors.illegalArgument(`field [${field}] is null, cannot process it.`);
      const ms = parseFirst(javaText(value), parsers, zone);
      const pattern = format.render(document);
      const printed = dateFormat(pattern).print(ms, zone);
      const math = `{${printed}||/${rounding.render(document)}{${pattern}|${zoneName}}}`;
      document.set('_index', `<${prefix.render(document)}${math}>`);
    };
  },
};
