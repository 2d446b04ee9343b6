import { isPlainObject } from '@shoal/json';
import type { IndexMetadata } from '@shoal/state';

/** Runtime fields of one type over all indices. */
interface TypeStats {
  count: number;
  readonly indices: Set<string>;
  scriptless: number;
  /** Fields that hide a mapped field of their name. */
  shadowed: number;
  readonly langs: Set<string>;
  readonly sums: Record<Measure, { max: number; total: number }>;
}

type Measure = 'lines' | 'chars' | 'source' | 'doc';

const MEASURES: Readonly<Record<Measure, (script: string) => number>> = {
  lines: (script) => (script === '' ? 0 : script.replace(/\r?\n$/, '').split('\n').length),
  chars: (script) => script.length,
  source: (script) => script.match(/params\._source/g)?.length ?? 0,
  doc: (script) => script.match(/doc[[.]/g)?.length ?? 0,
};
const NAMES = Object.keys(MEASURES) as readonly Measure[];

function newStats(): TypeStats {
  const zero = (): { max: number; total: number } => ({ max: 0, total: 0 });
  const sums = { lines: zero(), chars: zero(), source: zero(), doc: zero() };
  return { count: 0, indices: new Set(), scriptless: 0, shadowed: 0, langs: new Set(), sums };
}

/** Paths of all mapped fields, multi-fields and objects. */
function addPaths(properties: unknown, prefix: string, paths: Set<string>): void {
  if (!isPlainObject(properties)) return;
  for (const [name, field] of Object.entries(properties)) {
    const path = prefix + name;
    paths.add(path);
    if (!isPlainObject(field)) continue;
    addPaths(field['properties'], `${path}.`, paths);
    addPaths(field['fields'], `${path}.`, paths);
  }
}

function addScript({ langs, sums }: TypeStats, script: Readonly<Record<string, unknown>>): void {
  langs.add(String(script['lang']));
  for (const name of NAMES) {
    const measured = MEASURES[name](String(script['source']));
    sums[name].max = Math.max(sums[name].max, measured);
    sums[name].total += measured;
  }
}

function addIndex({ mapping, uuid }: IndexMetadata, types: Map<string, TypeStats>): void {
  if (!isPlainObject(mapping['runtime'])) return;
  const paths = new Set<string>();
  addPaths(mapping['properties'], '', paths);
  for (const [path, definition] of Object.entries(mapping['runtime'])) {
    if (!isPlainObject(definition)) continue;
    const type = String(definition['type']);
    const stats = types.get(type) ?? newStats();
    types.set(type, stats);
    stats.count++;
    stats.indices.add(uuid);
    if (paths.has(path)) stats.shadowed++;
    if (isPlainObject(definition['script'])) addScript(stats, definition['script']);
    else stats.scriptless++;
  }
}

/** `runtime_field_types` of cluster statistics: runtime fields by type, with measures of their scripts. */
export function runtimeFieldTypes(indices: readonly IndexMetadata[]): readonly Record<string, unknown>[] {
  const types = new Map<string, TypeStats>();
  for (const meta of indices) addIndex(meta, types);
  return [...types]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, stats]) => ({
      name,
      count: stats.count,
      index_count: stats.indices.size,
      scriptless_count: stats.scriptless,
      shadowed_count: stats.shadowed,
      lang: [...stats.langs].sort(),
      ...Object.fromEntries(
        NAMES.flatMap((measure) => [
          [`${measure}_max`, stats.sums[measure].max],
          [`${measure}_total`, stats.sums[measure].total],
        ]),
      ),
    }));
}
