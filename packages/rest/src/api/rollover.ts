import { planRollover, type RolloverPlan } from '@shoal/cluster';
import { type IndexMetadata, parseActiveShards } from '@shoal/state';
import { errors, toApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { parseByteSize, parseTimeValue } from '@shoal/values';
import { MASTER_PARAMETERS, objectBody, requireAliases, requireNames, runTask } from '../admin/index-options.js';
import { broadcastStats } from '../admin/shard-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** Values that conditions are compared with. */
interface SourceFacts {
  readonly ageMs: number;
  readonly docs: number;
  readonly sizeBytes: number;
  readonly primaryShardBytes: number;
  readonly primaryShardDocs: number;
}

type Measure = keyof SourceFacts;

const CONDITIONS: Readonly<Record<string, { readonly measure: Measure; readonly unit: 'time' | 'bytes' | 'count' }>> = {
  age: { measure: 'ageMs', unit: 'time' },
  docs: { measure: 'docs', unit: 'count' },
  size: { measure: 'sizeBytes', unit: 'bytes' },
  primary_shard_size: { measure: 'primaryShardBytes', unit: 'bytes' },
  primary_shard_docs: { measure: 'primaryShardDocs', unit: 'count' },
};

interface Condition {
  /** Name in the answer, `[max_docs: 1]`. */
  readonly text: string;
  readonly isMax: boolean;
  readonly met: (facts: SourceFacts) => boolean;
}

function parseLimit(unit: 'time' | 'bytes' | 'count', value: unknown, name: string): number {
  if (unit === 'time') return parseTimeValue(String(value), name);
  return unit === 'bytes' ? parseByteSize(String(value), name) : Number(value);
}

function parseGiven(conditions: Record<string, unknown>, name: string, unit: 'time' | 'bytes' | 'count'): number {
  try {
    return parseLimit(unit, conditions[name], name);
  } catch (error) {
    const location = { container: conditions, key: name };
    const cause = errors.xContentParse(`[rollover_conditions] failed to parse field [${name}]`, {
      cause: toApiError(error),
      location,
    });
    throw errors.xContentParse('[rollover] failed to parse field [conditions]', { cause, location });
  }
}

function parseCondition(conditions: Record<string, unknown>, name: string): Condition {
  const definition = CONDITIONS[name.slice(4)];
  if (!/^(max|min)_/.test(name) || !definition) {
    const cause = errors.xContentParse(`[rollover_conditions] unknown field [${name}]`, {
      location: { container: conditions, key: name, at: 'key' },
    });
    throw errors.xContentParse('[rollover] failed to parse field [conditions]', {
      cause,
      location: { container: conditions, key: name },
    });
  }
  const limit = parseGiven(conditions, name, definition.unit);
  return {
    text: `[${name}: ${String(conditions[name])}]`,
    isMax: name.startsWith('max_'),
    met: (facts) => facts[definition.measure] >= limit,
  };
}

/** Parses conditions, in the order given, as Elasticsearch does. */
function parseConditions(body: Record<string, unknown>): Condition[] {
  const conditions = body['conditions'];
  if (conditions === undefined || conditions === null) return [];
  if (!isPlainObject(conditions))
    throw errors.xContentParse(`[rollover] conditions doesn't support values of type: VALUE_STRING`, {
      location: { container: body, key: 'conditions' },
    });
  const parsed = Object.keys(conditions).map((name) => parseCondition(conditions, name));
  if (parsed.length > 0 && !parsed.some((condition) => condition.isMax)) {
    throw errors.actionRequestValidation(
      'Validation Failed: 1: at least one max_* rollover condition must be set when using min_* conditions;',
    );
  }
  return parsed;
}

async function factsOf(services: Services, meta: IndexMetadata): Promise<SourceFacts> {
  const { shards } = await broadcastStats(services, [meta]);
  const primaries = shards.filter((row) => row.primary);
  // A shard without documents counts as empty, although its store takes some space on disk.
  const sizes = primaries.map((row) =>
    row.stats.docs.count + row.stats.docs.deleted === 0 ? 0 : row.stats.store.size_in_bytes,
  );
  const docs = primaries.map((row) => row.stats.docs.count);
  return {
    ageMs: services.clock.now() - Number(meta.settings['index.creation_date']),
    docs: docs.reduce((sum, count) => sum + count, 0),
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
    primaryShardBytes: Math.max(0, ...sizes),
    primaryShardDocs: Math.max(0, ...docs),
  };
}

/** Whether all minima and at least one maximum are met; true without conditions. */
function satisfied(conditions: readonly Condition[], results: ReadonlyMap<string, boolean>): boolean {
  const met = (condition: Condition): boolean => results.get(condition.text) === true;
  const maxima = conditions.filter((condition) => condition.isMax);
  return conditions.filter((condition) => !condition.isMax).every(met) && (maxima.length === 0 || maxima.some(met));
}

async function evaluate(
  services: Services,
  plan: RolloverPlan,
  conditions: readonly Condition[],
): Promise<Map<string, boolean>> {
  if (conditions.length === 0) return new Map();
  const facts = await factsOf(services, plan.source);
  return new Map(conditions.map((condition) => [condition.text, condition.met(facts)]));
}

function checkKeys(body: Record<string, unknown>): void {
  const key = Object.keys(body).find((name) => !['conditions', 'settings', 'mappings', 'aliases'].includes(name));
  if (key !== undefined)
    throw errors.xContentParse(`[rollover] unknown field [${key}]`, { location: { container: body, key, at: 'key' } });
}

async function rollover(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  checkKeys(body);
  const wait = request.params.text('wait_for_active_shards');
  if (wait !== null) parseActiveShards(wait);
  const dryRun = request.params.boolean('dry_run', false);
  const alias = request.pathParams['index'] ?? '';
  const newName = request.pathParams['new_index'] ?? null;
  requireNames(request, services, newName === null ? [alias] : [alias, newName]);
  requireAliases(request, services, [], body['aliases']);
  const plan = planRollover(services.cluster.state(), alias, newName, services.clock.now());
  const conditions = parseConditions(body);
  const results = await evaluate(services, plan, conditions);
  const { conditions: _conditions, ...rest } = body;
  const answer = {
    acknowledged: false,
    shards_acknowledged: false,
    old_index: plan.source.name,
    new_index: plan.newName,
    rolled_over: false,
    dry_run: dryRun,
    conditions: Object.fromEntries(results),
  };
  if (dryRun || !satisfied(conditions, results)) return { status: 200, json: answer };
  const metConditions = conditions
    .filter((condition) => results.get(condition.text))
    .map((condition) => condition.text);
  const task = { alias, newName, body: rest, metConditions, answer, waitForActiveShards: wait };
  return { status: 200, json: await runTask(request, services, 'rollover', task) };
}

export const routes: readonly Route<Services>[] = ['/{index}/_rollover', '/{index}/_rollover/{new_index}'].map(
  (path): Route<Services> => ({
    methods: ['POST'],
    path,
    name: 'indices.rollover',
    body: 'optional',
    privilege: 'indices:admin/rollover',
    parameters: [...MASTER_PARAMETERS, 'dry_run', 'wait_for_active_shards'],
    handle: rollover,
  }),
);
