import { errors, toApiError } from '@shoal/errors';
import { dateFormat } from '@shoal/values';
import { javaText } from '../java-values.js';
import { localeTag } from '../locale.js';
import { type DateParser, dateParserOrFault, parseFirst, zoneOf } from '../parse-date.js';
import type { ProcessorType } from '../processor-type.js';
import { RecentMap } from '../recent-map.js';

const OUTPUT = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX";

/** Parses a date by one of several formats and writes it in another. */
export const date: ProcessorType = {
  name: 'date',
  parse(config, site) {
    const field = config.string('field');
    const targetField = config.stringOr('target_field', '@timestamp');
    const zoneName = config.compile('timezone', config.stringOr('timezone', 'UTC'));
    const locale = config.compile('locale', config.stringOr('locale', 'en'));
    const formats = config.strings('formats');
    const parsersOf = remembered((tag) => formats.map((one) => dateParserOrFault(one, () => site.now(), tag)));
    const output = dateFormat(config.stringOr('output_format', OUTPUT));
    return (document) => {
      const value = document.get(field);
      if (value === null) throw errors.illegalArgument('unable to parse date [null]');
      const text = javaText(value);
      const zone = known(text, () => zoneOf(zoneName.render(document)));
      const tag = known(text, () => localeTag(locale.render(document)));
      document.set(targetField, output.print(parseFirst(text, parsersOf(tag), zone), zone));
    };
  },
};

/** Parsers by the language that their names are in. A document may name it: no more than a few are kept. */
function remembered(
  make: (tag: string | null) => readonly DateParser[],
): (tag: string | null) => readonly DateParser[] {
  const made = new RecentMap<string | null, readonly DateParser[]>(LOCALES_MAX);
  return (tag) => {
    const found = made.get(tag);
    if (found !== undefined) return found;
    const parsers = make(tag);
    made.set(tag, parsers);
    return parsers;
  };
}

const LOCALES_MAX = 16;

/** Reads an option of the document's own; one that means nothing is told as the date's fault. */
function known<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw errors.illegalArgument(`unable to parse date [${text}]`, { cause: toApiError(thrown) });
  }
}
