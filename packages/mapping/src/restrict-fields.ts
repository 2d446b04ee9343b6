import { matchesWildcard } from '@shoal/values';
import type { Json } from '@shoal/json';
import type { AccessLimits, FieldGrant } from './access-limits.js';
import type { FieldType } from './field-type.js';
import type { Mapping } from './mapping-api.js';

/** Metadata fields, which no role hides. */
const METADATA = new Set([
  '_id',
  '_index',
  '_ignored',
  '_tsid',
  '_routing',
  '_seq_no',
  '_source',
  '_version',
  '_type',
  '_field_names',
  '_nested_path',
  '_doc_count',
  '_tier',
  '_size',
  '_score',
  '_doc',
  '_shard_doc',
]);
/** Most paths whose decision is cached. */
const PATHS_MAX = 10_000;

function isGranted({ grant, except }: FieldGrant, path: string): boolean {
  return (
    grant.some((pattern) => matchesWildcard(pattern, path)) && !except.some((pattern) => matchesWildcard(pattern, path))
  );
}

/** Returns which fields are visible under the limits; null if all of them are. */
export function fieldFilter(limits: AccessLimits | null): ((path: string) => boolean) | null {
  if (limits === null || limits.fields.length === 0) return null;
  const { fields } = limits;
  const decided = new Map<string, boolean>();
  return (path) => {
    let shown = decided.get(path);
    if (shown === undefined) {
      shown = METADATA.has(path) || fields.every((grants) => grants.some((grant) => isGranted(grant, path)));
      if (decided.size < PATHS_MAX) decided.set(path, shown);
    }
    return shown;
  };
}

/** Whether a pattern may match a path below `path`, whatever paths exist there. */
function mayNameBelow(pattern: string, path: string): boolean {
  const prefix = `${path}.`;
  const star = pattern.indexOf('*');
  const literal = star === -1 ? pattern : pattern.slice(0, star);
  return literal.startsWith(prefix) || (star !== -1 && prefix.startsWith(literal));
}

/**
 * Returns which indexed fields are visible under the limits; null if all of them are. A `flattened` field is indexed
 * twice in 8.12. Its values without keys are in the field itself: visible if no exception hides a key. Values with keys
 * are in one field `._keyed`: visible if that name is. So `labels.a*` shows `labels.a1` in sources only.
 */
export function indexFilter(limits: AccessLimits | null, mapping: Mapping): ((name: string) => boolean) | null {
  const shows = fieldFilter(limits);
  const roots = mapping.fields.filter(({ keyed }) => keyed !== undefined).map(({ name }) => name);
  if (shows === null || roots.length === 0) return shows;
  const isWhole = (grant: FieldGrant, root: string): boolean =>
    isGranted(grant, root) && !grant.except.some((pattern) => mayNameBelow(pattern, root));
  const whole = new Set(
    roots.filter((root) => limits!.fields.every((grants) => grants.some((grant) => isWhole(grant, root)))),
  );
  return (name) => {
    if (!shows(name)) return false;
    const root = roots.find((candidate) => name === candidate || name.startsWith(`${candidate}.`));
    if (root === undefined) return true;
    return name === root ? whole.has(root) : shows(`${root}._keyed`);
  };
}

/** Removes invisible fields from `properties`; an object stays if something in it is visible. */
function filterProperties(properties: Json, path: string, shows: (path: string) => boolean): Json {
  const kept = Object.entries(properties).flatMap(([name, definition]): [string, unknown][] => {
    const below = path === '' ? name : `${path}.${name}`;
    const shown = filterDefinition(definition as Json, below, shows);
    return shown === null ? [] : [[name, shown]];
  });
  return Object.fromEntries(kept);
}

function filterDefinition(definition: Json, path: string, shows: (path: string) => boolean): Json | null {
  const { properties, fields } = definition;
  if (properties !== undefined) {
    const inner = filterProperties(properties as Json, path, shows);
    return Object.keys(inner).length === 0 && !shows(path) ? null : { ...definition, properties: inner };
  }
  if (!shows(path)) return null;
  if (fields === undefined) return definition;
  const { fields: _fields, ...rest } = definition;
  const inner = filterProperties(fields as Json, path, shows);
  return Object.keys(inner).length === 0 ? rest : { ...rest, fields: inner };
}

/** Mapping JSON without the fields that the caller may not see. */
export function restrictMappingJson(json: Readonly<Json>, shows: (path: string) => boolean): Json {
  const { properties, runtime } = json;
  return {
    ...json,
    ...(properties === undefined ? {} : { properties: filterProperties(properties as Json, '', shows) }),
    ...(runtime === undefined ? {} : { runtime: filterProperties(runtime as Json, '', shows) }),
  };
}

/** A mapping without the fields that the caller may not see. */
export function restrictMapping(mapping: Mapping, shows: (path: string) => boolean): Mapping {
  const visible = (field: FieldType): boolean => shows(field.name);
  const aliases = new Map([...mapping.aliases].filter(([alias, target]) => shows(alias) && shows(target)));
  return {
    field(path) {
      // `_tsid` has the values of all dimensions.
      if (path === '_tsid' && !(mapping.dimensions ?? []).every(visible)) return null;
      const field = shows(path) ? mapping.field(path) : null;
      return field !== null && visible(field) ? field : null;
    },
    matching: (pattern) => mapping.matching(pattern).filter(visible),
    fields: mapping.fields.filter(visible),
    runtime: new Map([...mapping.runtime].filter(([path]) => shows(path))),
    runtimeTypes: (definitions) => mapping.runtimeTypes(definitions),
    aliases,
    object: (path) => mapping.object(path),
    objects: mapping.objects,
    nestedParent: (path) => mapping.nestedParent(path),
    sourcePaths: (field) => mapping.sourcePaths(field),
    hasNested: mapping.hasNested,
    join: mapping.join !== null && shows(mapping.join.field) ? mapping.join : null,
    dimensions: mapping.dimensions,
    needsTimestamp: mapping.needsTimestamp,
    routingRequired: mapping.routingRequired,
    source: mapping.source,
    toJson: () => restrictMappingJson(mapping.toJson(), shows),
    fieldJson: (path, includeDefaults) => (shows(path) ? mapping.fieldJson(path, includeDefaults) : null),
  };
}
