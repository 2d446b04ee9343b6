import { matchesAny } from '@shoal/state';

/**
 * Indices and aliases in which parts of the product keep their own data: only grants with `allow_restricted_indices`
 * reach them.
 */
const RESTRICTED = [
  '.security',
  '.security-*',
  '.tasks*',
  '.async-search*',
  '.kibana*',
  '.reporting-*',
  '.apm-agent-configuration*',
  '.apm-custom-link*',
  '.fleet-*',
  '.watches*',
  '.triggered_watches*',
  '.transform-internal-*',
  '.data-frame-internal-*',
  '.ml-meta*',
  '.ml-config*',
  '.ml-inference-*',
  '.enrich-*',
  '.geoip_databases*',
  '.logstash',
  '.synonyms*',
  '.secrets-inference*',
  '.search-app-*',
  '.query-rules-*',
  '.connectors-secrets*',
] as const;

/** Whether a name is that of a restricted index. */
export function isRestricted(name: string): boolean {
  return name.startsWith('.') && matchesAny(RESTRICTED, name);
}
