import { CALLS } from '../generated/console-tables.js';

/** A call of the cluster's API. */
export interface ApiCall {
  readonly methods: readonly string[];
  /** `/{index}/_doc/{id}`. */
  readonly path: string;
  /** Name in Elasticsearch's specification: `indices.create`. */
  readonly name: string;
  /** Query parameters; null if they are not declared. */
  readonly parameters: readonly string[] | null;
  readonly segments: readonly string[];
}

/** Parameters that every call takes. */
export const COMMON_PARAMETERS: readonly string[] = [
  'error_trace',
  'filter_path',
  'format',
  'human',
  'pretty',
  'source',
  'source_content_type',
];
const CAT_PARAMETERS = ['bytes', 'h', 'help', 's', 'time', 'v'];
/** Path parameters whose values are names of indices, aliases or data streams. */
export const INDEX_PARAMETERS: ReadonlySet<string> = new Set(['{index}', '{target}', '{new_index}', '{data_stream}']);

/** All calls, by path. */
export const API_CALLS: readonly ApiCall[] = CALLS.map(([methods, path, name, parameters]) => ({
  methods: methods.split(' '),
  path,
  name,
  parameters: parameters === '*' ? null : parameters.split(' ').filter((one) => one !== ''),
  segments: path.split('/').slice(1),
}));

/** Calls by the number of parts of their path, those with more fixed parts first. */
const BY_LENGTH = new Map<number, ApiCall[]>();
for (const call of API_CALLS.toSorted((a, b) => fixedParts(b) - fixedParts(a))) {
  const { length } = call.segments;
  BY_LENGTH.set(length, [...(BY_LENGTH.get(length) ?? []), call]);
}

function fixedParts({ segments }: ApiCall): number {
  return segments.filter((one) => !one.startsWith('{')).length;
}

const isVariable = (segment: string): boolean => segment.startsWith('{');

/** Whether a part of a path can be the value of a segment of a call. */
function fits(segment: string, part: string): boolean {
  if (part.includes('${')) return true;
  if (!isVariable(segment)) return segment === part;
  // A name of an index does not begin with an underscore: what does is a call that is not known.
  return part !== '' && (!INDEX_PARAMETERS.has(segment) || !part.startsWith('_') || part === '_all');
}

/** A path without its query as parts. */
export const partsOf = (path: string): readonly string[] => path.split('?', 1)[0]!.replace(/^\//, '').split('/');

/** Calls whose path is this one; those with more fixed parts first. */
export function callsAt(path: string): readonly ApiCall[] {
  const parts = partsOf(path.replace(/(.)\/(?=\?|$)/, '$1'));
  const calls = BY_LENGTH.get(parts.length) ?? [];
  return calls.filter(({ segments }) => segments.every((segment, i) => fits(segment, parts[i]!)));
}

/** The call of a method and a path; null if there is none. */
export function callOf(method: string, path: string): ApiCall | null {
  const wanted = method === 'HEAD' ? ['HEAD', 'GET'] : [method];
  return callsAt(path).find(({ methods }) => methods.some((one) => wanted.includes(one))) ?? null;
}

/** Query parameters of a call, with those that every call takes; null if they are not known. */
export function parametersOf(call: ApiCall): readonly string[] | null {
  if (call.parameters === null) return null;
  const more = call.path.startsWith('/_cat') ? CAT_PARAMETERS : [];
  return [...new Set([...call.parameters, ...more, ...COMMON_PARAMETERS])].sort();
}

/** Names of indices in a path, such as `logs-*,orders`; null if the call has none. */
export function indexOf(method: string, path: string): string | null {
  const call = callOf(method, path) ?? callsAt(path)[0];
  const at = call?.segments.findIndex((segment) => INDEX_PARAMETERS.has(segment)) ?? -1;
  const name = at === -1 ? undefined : partsOf(path)[at];
  return name === undefined || name === '' || name.includes('${') ? null : name;
}
