import type { Query } from '../../kql/kql-query.js';

/** What a role grants for some indices. */
export interface IndexGrant {
  readonly names: readonly string[];
  readonly privileges: readonly string[];
  /** The condition of its documents, as the role has it; null for all. */
  readonly query: string | null;
  /** Fields that are seen, and of those the ones that are not. */
  readonly grant: readonly string[];
  readonly except: readonly string[];
}

/** A role as it is explained. */
export interface RoleGrants {
  readonly cluster: readonly string[];
  readonly indices: readonly IndexGrant[];
  readonly runAs: readonly string[];
  readonly applications: readonly string[];
}

const texts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter(
    (one): one is string => typeof one === 'string',
  );

const objects = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  (Array.isArray(value) ? value : []).filter((one) => typeof one === 'object' && one !== null);

function indexGrant(entry: Readonly<Record<string, unknown>>): IndexGrant {
  const { query } = entry;
  const fields = (entry['field_security'] ?? {}) as { readonly grant?: unknown; readonly except?: unknown };
  return {
    names: texts(entry['names']),
    privileges: texts(entry['privileges']),
    query: query === undefined || query === null ? null : typeof query === 'string' ? query : JSON.stringify(query),
    grant: fields.grant === undefined ? ['*'] : texts(fields.grant),
    except: texts(fields.except),
  };
}

/** Reads the definition of a role. Throws SyntaxError for a text that is no JSON object. */
export function readRole(definition: string): RoleGrants {
  const role: unknown = JSON.parse(definition);
  if (typeof role !== 'object' || role === null || Array.isArray(role)) throw new SyntaxError('A role is an object.');
  const { cluster, indices, run_as, applications } = role as Readonly<Record<string, unknown>>;
  return {
    cluster: texts(cluster),
    indices: objects(indices).map(indexGrant),
    runAs: texts(run_as),
    applications: objects(applications).map(
      ({ application, privileges, resources }) =>
        `${texts(privileges).join(', ')} of ${texts(application).join('')} for ${texts(resources).join(', ')}`,
    ),
  };
}

/** What common privileges let their users do; others are shown by their names alone. */
const MEANINGS: Readonly<Record<string, string>> = {
  all: 'everything',
  monitor: 'look at health, nodes, tasks and statistics',
  manage: 'change all but security',
  manage_security: 'change users, roles and keys: with that, everything',
  manage_own_api_key: 'create and end keys of their own',
  manage_pipeline: 'change ingest pipelines',
  manage_index_templates: 'change index templates',
  manage_ilm: 'change lifecycle policies',
  manage_slm: 'change snapshot policies',
  manage_ml: 'change machine learning jobs',
  monitor_ml: 'look at machine learning jobs',
  create_snapshot: 'take snapshots',
  read: 'search and read documents',
  write: 'write, change and delete documents',
  index: 'write and change documents',
  create: 'write new documents',
  create_doc: 'write new documents, change none',
  delete: 'delete documents',
  create_index: 'create indices',
  delete_index: 'delete indices',
  view_index_metadata: 'look at mappings, settings and aliases',
  auto_configure: 'create indices by writing, and add fields',
};

/** A privilege with what it lets its users do. */
export const meaningOf = (privilege: string): string =>
  MEANINGS[privilege] === undefined ? privilege : `${privilege}: ${MEANINGS[privilege]}`;

/** A search for the documents that a grant shows, with the fields that it shows; a text tells why there is none. */
export function previewBody({ query, grant, except }: IndexGrant): object | string {
  if (query?.includes('{{') === true || query?.includes('"template"') === true)
    return 'The documents depend on who asks: the query of the role is a template.';
  let condition: Query = { match_all: {} };
  try {
    if (query !== null) condition = JSON.parse(query) as Query;
  } catch {
    return 'The query of the role is no JSON.';
  }
  return { size: 5, track_total_hits: true, query: condition, ...shownFields(grant, except) };
}

const shownFields = (grant: readonly string[], except: readonly string[]): object =>
  grant.length === 0 ? { _source: false } : { _source: { includes: grant, excludes: except } };
