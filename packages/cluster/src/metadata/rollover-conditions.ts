import { errors } from '@shoal/errors';
import { type DeclaredField, longField, readFields, textField } from '@shoal/json';
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

const time = (name: string): DeclaredField<number> => textField((text) => parseTimeValue(text, name));
const bytes = (name: string): DeclaredField<number> => textField((text) => parseByteSize(text, name));
const count = (): DeclaredField<number> => longField;

/** What conditions measure, by their names after `max_` and `min_`, and what their limits are. */
const MEASURES: Readonly<Record<string, readonly [keyof RolloverFacts, (name: string) => DeclaredField<number>]>> = {
  age: ['ageMs', time],
  docs: ['docs', count],
  size: ['sizeBytes', bytes],
  primary_shard_size: ['primaryShardBytes', bytes],
  primary_shard_docs: ['primaryShardDocs', count],
};

const FIELDS: Readonly<Record<string, DeclaredField<number>>> = Object.fromEntries(
  ['max', 'min'].flatMap((bound) =>
    Object.entries(MEASURES).map(([name, [, limit]]) => [`${bound}_${name}`, limit(`${bound}_${name}`)]),
  ),
);

/** A condition of a rollover. */
export interface RolloverCondition {
  /** Name in the answer, `[max_docs: 1]`. */
  readonly text: string;
  readonly isMax: boolean;
  readonly met: (facts: RolloverFacts) => boolean;
}

/** Parses the conditions of a rollover, in the order given. Throws x_content_parse_exception. */
export function parseRolloverConditions(conditions: Record<string, unknown>): RolloverCondition[] {
  const limits = readFields('rollover_conditions', conditions, FIELDS);
  return Object.keys(conditions).map((name) => {
    const [measure] = MEASURES[name.slice(4)]!;
    const limit = limits[name]!;
    return {
      text: `[${name}: ${String(conditions[name])}]`,
      isMax: name.startsWith('max_'),
      met: (facts) => facts[measure] >= limit,
    };
  });
}

/** Throws for minima without a maximum. */
export function checkRolloverMaximum(conditions: readonly RolloverCondition[]): void {
  if (conditions.length === 0 || conditions.some(({ isMax }) => isMax)) return;
  throw errors.actionRequestValidation(
    'Validation Failed: 1: at least one max_* rollover condition must be set when using min_* conditions;',
  );
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
