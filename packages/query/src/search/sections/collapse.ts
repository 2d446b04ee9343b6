import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { numberField, objectsField, readDeclared, stringField } from '../../parse/declared.js';
import { text } from '../../parse/options.js';
import { integerOf } from '../numbers.js';
import { OBJECT, type SearchSection } from '../section.js';

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
  parse: (value) => parseCollapse(value as JsonObject),
  effects: () => ({ gathersMore: true }),
};

function parseCollapse(body: JsonObject): Collapse {
  const { field, inner_hits: innerHits = [] } = readDeclared('collapse', body, {
    field: stringField(text),
    inner_hits: objectsField((value) => value as JsonObject | readonly unknown[]),
    max_concurrent_group_searches: numberField(checkConcurrency),
  });
  if (field === undefined) throw errors.illegalArgument('Required [field]');
  const specs: readonly unknown[] = Array.isArray(innerHits) ? innerHits : [innerHits];
  return { field, innerHits: [...new Map(specs.map((spec) => namedSpec(spec, body))).values()] };
}

/** Groups are searched one after the other, which respects any limit. */
function checkConcurrency(value: unknown): void {
  if (integerOf(value) < 1) throw errors.illegalArgument('maxConcurrentGroupRequests` must be positive');
}

function namedSpec(spec: unknown, container: JsonObject): [name: string, spec: JsonObject] {
  const location = { container, key: 'inner_hits' };
  if (!isPlainObject(spec)) {
    const cause = errors.parsing('Invalid token in inner_hits array', { location });
    throw errors.xContentParse('[collapse] failed to parse field [inner_hits]', { cause, location });
  }
  checkSecondLevel(spec['collapse']);
  const { name } = spec;
  if (name === undefined)
    throw errors.illegalArgument('[collapse] inner hits need a [name]: their hits are told under it');
  if (typeof name !== 'string')
    throw errors.xContentParse(`[inner_hits] name doesn't support values of type: ${tokenOf(name)}`, {
      location: { container: spec, key: 'name' },
    });
  return [name, spec];
}

/** Checks that a second level of collapsing has neither inner hits nor a third level. */
function checkSecondLevel(collapse: unknown): void {
  if (!isPlainObject(collapse)) return;
  for (const key of Object.keys(collapse)) {
    if (key !== 'field')
      throw errors.xContentParse(`[collapse] unknown field [${key}]`, {
        location: { container: collapse, key, at: 'key' },
      });
  }
}
