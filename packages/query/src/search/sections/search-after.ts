import { errors } from '@shoal/errors';
import { tokenOf } from '@shoal/json';
import { ARRAY, type SearchSection } from '../section.js';

/**
 * `search_after`: sort values of the last hit of the page before; null: none. Shards check the values against their
 * fields.
 */
export const searchAfter: SearchSection<readonly unknown[] | null> = {
  keys: ['search_after'],
  tokens: ARRAY,
  absent: null,
  parse: (value) => parseValues(value as readonly unknown[]),
};

function parseValues(values: readonly unknown[]): readonly unknown[] {
  if (values.length === 0) throw errors.illegalArgument('Values must contains at least one value.');
  values.forEach((value, key) => {
    if (value === null || typeof value !== 'object') return;
    throw errors.parsing(
      'Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found ' +
        `[${tokenOf(value)}] inside search_after.`,
      { location: { container: values, key } },
    );
  });
  return values;
}
