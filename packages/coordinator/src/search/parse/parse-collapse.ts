import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { tokenName } from '../../token-names.js';
import type { SearchPlan } from './search-plan.js';

type Json = Readonly<Record<string, unknown>>;

/** A second level of collapsing has neither inner hits nor a third. */
function checkInnerCollapse(collapse: unknown): void {
  if (!isPlainObject(collapse)) return;
  for (const key of Object.keys(collapse)) {
    if (key !== 'field')
      throw errors.xContentParse(`[collapse] unknown field [${key}]`, {
        location: { container: collapse, key, at: 'key' },
      });
  }
}

function checkSpec(spec: unknown, container: Json): void {
  const location = { container, key: 'inner_hits' };
  if (!isPlainObject(spec)) {
    const cause = errors.parsing('Invalid token in inner_hits array', { location });
    throw errors.xContentParse('[collapse] failed to parse field [inner_hits]', { cause, location });
  }
  checkInnerCollapse(spec['collapse']);
  const { name } = spec;
  if (name === undefined)
    throw errors.illegalArgument('[collapse] inner hits need a [name]: their hits are told under it');
  if (typeof name !== 'string')
    throw errors.xContentParse(`[inner_hits] name doesn't support values of type: ${tokenName(name)}`, {
      location: { container: spec, key: 'name' },
    });
}

/** The `collapse` of a search body; what concerns fields is checked by the shards. Throws x_content_parse_exception. */
export function parseCollapse(collapse: unknown): SearchPlan['collapse'] {
  if (!isPlainObject(collapse)) return null;
  const inner = collapse['inner_hits'];
  if (inner === undefined) return collapse;
  if (typeof inner !== 'object' || inner === null)
    throw errors.xContentParse(`[collapse] inner_hits doesn't support values of type: ${tokenName(inner)}`, {
      location: { container: collapse, key: 'inner_hits' },
    });
  for (const spec of Array.isArray(inner) ? inner : [inner]) checkSpec(spec, collapse);
  return collapse;
}
