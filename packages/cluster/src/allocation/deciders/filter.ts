import { matchesWildcard } from '@shoal/values';
import type { FlatSettings, IndexMetadata, NodeInfo, ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import { type NodeFilter, parseFilters } from '../allocation-settings.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';

const NAME = 'filter';
const INDEX_PREFIX = 'index.routing.allocation.';

function attributeValues(node: NodeInfo, attribute: string): readonly string[] {
  switch (attribute) {
    case '_name':
      return [node.name];
    case '_id':
      return [node.id];
    case '_host':
      return [node.host, node.ip];
    case '_ip':
    case '_host_ip':
    case '_publish_ip':
      return [node.ip];
    default:
      return attribute in node.attributes ? [node.attributes[attribute]!] : [];
  }
}

function matches(filter: NodeFilter, node: NodeInfo): boolean {
  const hits = (attribute: string, wanted: string): boolean =>
    attributeValues(node, attribute).some((value) => matchesWildcard(wanted, value));
  const entries = [...filter.values];
  if (filter.kind === 'require')
    return entries.every(([attribute, values]) => values.every((value) => hits(attribute, value)));
  return entries.some(([attribute, values]) => values.some((value) => hits(attribute, value)));
}

/** Returns the first filter that a node fails; null if it passes all. */
function obstacle(filters: readonly NodeFilter[], node: NodeInfo): NodeFilter | null {
  return filters.find((filter) => matches(filter, node) === (filter.kind === 'exclude')) ?? null;
}

const indexFilters = new WeakMap<FlatSettings, readonly NodeFilter[]>();

/** Returns the filters of an index. Parsed once for each settings object. */
export function filtersOf(meta: IndexMetadata): readonly NodeFilter[] {
  let filters = indexFilters.get(meta.settings);
  if (!filters) {
    filters = parseFilters(meta.settings, INDEX_PREFIX);
    indexFilters.set(meta.settings, filters);
  }
  return filters;
}

/** Whether a node passes `index.routing.allocation.{require,include,exclude}.*`. */
export function indexFiltersAllow(meta: IndexMetadata, node: NodeInfo): boolean {
  return obstacle(filtersOf(meta), node) === null;
}

function describeFilter(filter: NodeFilter): string {
  const operator = filter.kind === 'require' ? ' AND ' : ' OR ';
  return [...filter.values].map(([attribute, values]) => `${attribute}:"${values.join(operator)}"`).join(',');
}

function refuse(filter: NodeFilter, scope: string, prefix: string): string {
  const verb = filter.kind === 'exclude' ? 'matches' : 'does not match';
  return `node ${verb} ${scope} setting [${prefix}${filter.kind}] filters [${describeFilter(filter)}]`;
}

function passes(copy: ShardRouting, node: AllocationNode, allocation: Allocation): Decision {
  const cluster = obstacle(allocation.settings.filters, node.info);
  if (cluster) return allocation.decide(NAME, 'NO', () => refuse(cluster, 'cluster', 'cluster.routing.allocation.'));
  const meta = allocation.meta(copy.indexUuid);
  const index = meta ? obstacle(filtersOf(meta), node.info) : null;
  if (index) return allocation.decide(NAME, 'NO', () => refuse(index, 'index', INDEX_PREFIX));
  return allocation.decide(NAME, 'YES', () => 'node passes include/exclude/require filters');
}

/** Applies the filters of cluster and index settings on names, addresses, ids and attributes of nodes. */
export const filter: Decider = { name: NAME, canAllocate: passes, canRemain: passes };
