import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { numberField, objectsField, readDeclared, stringField } from '../../parse/declared.js';
import { parseInnerHits } from '../../fetch/parse-inner-hits.js';
import type { ParseContext } from '../../parsed-query.js';
import { type Reader, text } from '../../parse/options.js';
import { integerOf } from '../numbers.js';
import { OBJECT, type SearchSection } from '../section.js';
import { innerHitsReaders } from '../inner-hits-readers.js';

/** Option `collapse`: shows the best hit of each group. */
export interface Collapse {
  /** The field whose values are the groups. */
  readonly field: string;
  /** Definitions of inner hits that are shown of each group, as the body has them; the last one of a name counts. */
  readonly innerHits: readonly JsonObject[];
}

/** `collapse`; null: none. Shards check whether hits can be grouped by the field. */
export const collapse: SearchSection<Collapse | null> = {
  keys: ['collapse'],
  tokens: OBJECT,
  absent: null,
  parse: (value, { context }) => parseCollapse(value as JsonObject, context),
  effects: () => ({ gathersMore: true }),
};

function parseCollapse(body: JsonObject, context: ParseContext): Collapse {
  const { field, inner_hits: innerHits = [] } = readDeclared('collapse', body, {
    field: stringField(fieldName),
    inner_hits: objectsField((value) => namedSpecs(value, body, context)),
    max_concurrent_group_searches: numberField(checkConcurrency),
  });
  if (field === undefined) throw errors.illegalArgument('Required [field]');
  if (innerHits.some(({ name }) => name === undefined))
    throw errors.illegalArgument('[collapse] inner hits need a [name]: their hits are told under it');
  return { field, innerHits };
}

const fieldName: Reader<string> = (value, place) => {
  const name = text(value, place);
  if (name === '') throw errors.illegalArgument('field name is null or empty');
  return name;
};

/** Groups are searched one after the other, which respects any limit. */
function checkConcurrency(value: unknown): void {
  if (integerOf(value) < 1) throw errors.illegalArgument('maxConcurrentGroupRequests` must be positive');
}

/** Returns the definitions of inner hits; the last one of a name counts. */
function namedSpecs(value: unknown, container: JsonObject, context: ParseContext): JsonObject[] {
  const specs: readonly unknown[] = Array.isArray(value) ? value : [value];
  const readers = innerHitsReaders(context);
  const named = specs.map((spec, i): [name: unknown, spec: JsonObject] => {
    if (!isPlainObject(spec))
      throw errors.parsing('Invalid token in inner_hits array', {
        location: { container: Array.isArray(value) ? value : container, key: Array.isArray(value) ? i : 'inner_hits' },
      });
    return [spec['name'], parseInnerHits(spec, container, readers)];
  });
  return [...new Map(named).values()];
}
