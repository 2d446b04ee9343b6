import { matchesAny } from '@shoal/values';

/**
 * Names of indices and aliases with the stack's own data; only entries with `allow_restricted_indices` apply to them.
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
  // Ours: what people save in the dashboard.
  '.shoal-dashboards*',
  // Ours: refused documents, with all of their fields. 8.12 has no such index.
  '.quarantine-*',
] as const;

/** Whether a name is that of a restricted index. */
export function isRestricted(name: string): boolean {
  return name.startsWith('.') && matchesAny(RESTRICTED, name);
}

/** Whether a pattern may match a restricted name: the text before its first `*` begins one, or is begun by one. */
export function mayBeRestricted(pattern: string): boolean {
  const start = pattern.slice(0, pattern.indexOf('*'));
  return RESTRICTED.some((name) => {
    const own = name.replace(/\*$/, '');
    return own.startsWith(start) || start.startsWith(own);
  });
}
