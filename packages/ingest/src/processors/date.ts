import { errors, toApiError } from '@shoal/errors';
import { dateFormat } from '@shoal/values';
import { javaText } from '../java-values.js';
import { localeTag } from '../locale.js';
import { dateParserOrFault, parseFirst, zoneOf } from '../parse-date.js';
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
    const tagNamed = remembered(localeTag);
    const zoneNamed = remembered(zoneOf);
    const parsersOf = remembered((tag: string | null) =>
      formats.map((one) => dateParserOrFault(one, () => site.now(), tag)),
    );
    const output = dateFormat(config.stringOr('output_format', OUTPUT));
    return (document) => {
      const value = document.get(field);
      if (value === null) throw errors.illegalArgument('unable to parse date [null]');
      const text = javaText(value);
      const zone = known(text, () => zoneNamed(zoneName.render(document)));
      const tag = known(text, () => tagNamed(locale.render(document)));
      document.set(targetField, output.print(parseFirst(text, parsersOf(tag), zone), zone));
    };
  },
};

/** What an option means, by its value. A document may name it: no more than a few are kept. */
function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new RecentMap<K, { readonly key: K; readonly value: V }>(REMEMBERED_MAX);
  // Most pipelines name one value for all documents.
  let last: { readonly key: K; readonly value: V } | undefined;
  return (key) => {
    if (last === undefined || last.key !== key) {
      last = made.get(key) ?? { key, value: make(key) };
      made.set(key, last);
    }
    return last.value;
  };
}

const REMEMBERED_MAX = 16;

/** Reads an option of the document's own; one that means nothing is told as the date's fault. */
function known<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw errors.illegalArgument(`unable to parse date [${text}]`, { cause: toApiError(thrown) });
  }
}
