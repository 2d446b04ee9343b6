import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
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
  const inner = body['inner_hits'];
  if (inner !== undefined && (typeof inner !== 'object' || inner === null))
    throw errors.xContentParse(`[collapse] inner_hits doesn't support values of type: ${tokenOf(inner)}`, {
      location: { container: body, key: 'inner_hits' },
    });
  const specs: readonly unknown[] = inner === undefined ? [] : Array.isArray(inner) ? inner : [inner];
  const byName = new Map(specs.map((spec) => namedSpec(spec, body)));
  const { field } = body;
  if (typeof field !== 'string') throw errors.illegalArgument('Required [field]');
  return { field, innerHits: [...byName.values()] };
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
