import { errors, toApiError } from '@shoal/errors';
import { isPlainObject, tokenOf } from '@shoal/json';
import type { IndexMetadata } from '@shoal/state';
import { parseByteSize, parseTimeValue } from '@shoal/values';

/** Values that conditions are compared with. */
export interface RolloverFacts {
  readonly ageMs: number;
  readonly docs: number;
  readonly sizeBytes: number;
  readonly primaryShardBytes: number;
  readonly primaryShardDocs: number;
}

type Measure = keyof RolloverFacts;

const CONDITIONS: Readonly<Record<string, { readonly measure: Measure; readonly unit: 'time' | 'bytes' | 'count' }>> = {
  age: { measure: 'ageMs', unit: 'time' },
  docs: { measure: 'docs', unit: 'count' },
  size: { measure: 'sizeBytes', unit: 'bytes' },
  primary_shard_size: { measure: 'primaryShardBytes', unit: 'bytes' },
  primary_shard_docs: { measure: 'primaryShardDocs', unit: 'count' },
};

/** A condition of a rollover. */
export interface RolloverCondition {
  /** Name in the answer, `[max_docs: 1]`. */
  readonly text: string;
  readonly isMax: boolean;
  readonly met: (facts: RolloverFacts) => boolean;
}

function parseLimit(unit: 'time' | 'bytes' | 'count', value: unknown, name: string): number {
  if (unit === 'time') return parseTimeValue(String(value), name);
  return unit === 'bytes' ? parseByteSize(String(value), name) : parseCount(value);
}

/** A number, or a text of digits, as Elasticsearch takes for a long. */
function parseCount(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Math.trunc(Number(value));
  const text = String(value);
  if (typeof value === 'string' && /^[+-]?\d+$/.test(text)) return Number(text);
  throw errors.illegalArgument(`Cannot parse a number from [${typeof value === 'string' ? text : tokenOf(value)}]`);
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

function parseCondition(conditions: Record<string, unknown>, name: string): RolloverCondition {
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

/** Parses the `conditions` of a body, in the order given. Throws x_content_parse_exception. */
export function parseRolloverConditions(body: Record<string, unknown>): RolloverCondition[] {
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

/** Whether all minima and at least one maximum are met; true without conditions. */
export function meetsConditions(
  conditions: readonly RolloverCondition[],
  results: ReadonlyMap<string, boolean>,
): boolean {
  const met = (condition: RolloverCondition): boolean => results.get(condition.text) === true;
  const maxima = conditions.filter((condition) => condition.isMax);
  return conditions.filter((condition) => !condition.isMax).every(met) && (maxima.length === 0 || maxima.some(met));
}

/** What one copy of a shard tells for `rolloverFacts`. */
export interface SizedShard {
  readonly primary: boolean;
  readonly docs: number;
  readonly deleted: number;
  readonly bytes: number;
}

/** Returns the values of an index that conditions are compared with, from the statistics of its copies. */
export function rolloverFacts(meta: IndexMetadata, shards: readonly SizedShard[], nowMs: number): RolloverFacts {
  const primaries = shards.filter(({ primary }) => primary);
  // A shard without documents counts as empty, although its store takes some space on disk.
  const sizes = primaries.map(({ docs, deleted, bytes }) => (docs + deleted === 0 ? 0 : bytes));
  const docs = primaries.map((shard) => shard.docs);
  return {
    ageMs: nowMs - Number(meta.settings['index.creation_date']),
    docs: docs.reduce((sum, count) => sum + count, 0),
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
    primaryShardBytes: Math.max(0, ...sizes),
    primaryShardDocs: Math.max(0, ...docs),
  };
}
