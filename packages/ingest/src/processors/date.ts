import { errors, toApiError } from '@shoal/errors';
import { dateFormat, type Zone } from '@shoal/values';
import { javaText } from '../java-values.js';
import { dateParserOrFault, parseFirst, zoneOf } from '../parse-date.js';
import type { ProcessorType } from '../processor-type.js';

const OUTPUT = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX";

/** Parses a date by one of several formats and writes it in another. */
export const date: ProcessorType = {
  name: 'date',
  parse(config, site) {
    const field = config.string('field');
    const targetField = config.stringOr('target_field', '@timestamp');
    const zoneName = config.compile('timezone', config.stringOr('timezone', 'UTC'));
    config.optionalString('locale');
    const parsers = config.strings('formats').map((format) => dateParserOrFault(format, () => site.now()));
    const output = dateFormat(config.stringOr('output_format', OUTPUT));
    return (document) => {
      const value = document.get(field);
      if (value === null) throw errors.illegalArgument('unable to parse date [null]');
      const zone = knownZone(zoneName.render(document), javaText(value));
      document.set(targetField, output.print(parseFirst(javaText(value), parsers, zone), zone));
    };
  },
};

function knownZone(name: string, text: string): Zone {
  try {
    return zoneOf(name);
  } catch (thrown) {
    throw errors.illegalArgument(`unable to parse date [${text}]`, { cause: toApiError(thrown) });
  }
}
