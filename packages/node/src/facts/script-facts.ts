import { type ScriptStats, scriptStats } from '@shoal/script';

type Counters = Pick<ScriptStats, 'compilations' | 'cacheEvictions' | 'limitTriggered'>;

const counters = ({ compilations, cacheEvictions, limitTriggered }: Counters): Record<string, number> => ({
  compilations,
  cache_evictions: cacheEvictions,
  compilation_limit_triggered: limitTriggered,
});

const byContext = ({ contexts }: ScriptStats): readonly Record<string, unknown>[] | null =>
  contexts?.map(({ context, ...stats }) => ({ context, ...counters(stats) })) ?? null;

/** `script` of a node's statistics: scripts and templates that the main thread compiled. */
export function scriptSection(): Record<string, unknown> {
  const stats = scriptStats();
  return { ...counters(stats), contexts: byContext(stats) ?? [] };
}

/** `script_cache` of a node's statistics. */
export function scriptCacheSection(): Record<string, unknown> {
  const stats = scriptStats();
  const contexts = byContext(stats);
  return { sum: counters(stats), ...(contexts === null ? {} : { contexts }) };
}
