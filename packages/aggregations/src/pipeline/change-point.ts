import { errors } from '@shoal/errors';
import { type Change, CHANGE_VALUES_MIN, changePoint as changeOf } from '@shoal/learning';
import type { PipelineType } from '../aggregation-type.js';
import { readFields, stringField } from '../parse/body-fields.js';
import { parsePath } from '../reduce/paths.js';
import type { Reduced } from '../reduce/reduced.js';
import { type ValuedBucket, valuedBuckets } from './sibling-values.js';

/** The `type` of an answer: what changed, with its numbers. `indexOf` makes places of buckets of places of values. */
function typeJson(change: Change, count: number, indexOf: (index: number) => number): Record<string, unknown> {
  switch (change.kind) {
    case 'indeterminable':
      return {
        indeterminable: {
          reason:
            count < CHANGE_VALUES_MIN
              ? 'not enough buckets to calculate change_point. ' +
                `Requires at least [${CHANGE_VALUES_MIN}]; found [${count}]`
              : 'the values of the buckets are not finite',
        },
      };
    case 'stationary':
      return { stationary: {} };
    case 'non_stationary': {
      const trend = change.isRising ? 'increasing' : 'decreasing';
      return { non_stationary: { p_value: change.p, r_value: change.r, trend } };
    }
    case 'trend_change':
      return { trend_change: { p_value: change.p, r_value: change.r, change_point: indexOf(change.index) } };
    default:
      return { [change.kind]: { p_value: change.p, change_point: indexOf(change.index) } };
  }
}

/** The key of a bucket as the answer shows it: a date as text. */
function keyOf({ bucket, owner }: ValuedBucket): unknown {
  return owner.hasDateKeys ? new Date(Number(bucket.key)).toISOString() : bucket.head()['key'];
}

function result(values: readonly ValuedBucket[]): Reduced {
  const change = changeOf(values.map(({ value }) => value));
  const found = 'index' in change ? values[change.index]! : null;
  const type = typeJson(change, values.length, (index) => values[index]!.index);
  return {
    typedName: 'change_point',
    buckets: null,
    value(property) {
      if (property === 'p_value') return 'p' in change ? change.p : null;
      return property === 'change_point' ? (found?.index ?? null) : undefined;
    },
    render(render) {
      if (found === null) return { type };
      const { bucket } = found;
      return { bucket: { key: keyOf(found), doc_count: bucket.docCount, ...render.subs(bucket.subs) }, type };
    },
  };
}

/** `change_point`: spikes, dips and changes of a value over the buckets of a sibling. */
export const changePoint: PipelineType = {
  name: 'change_point',
  prints: { wholeMembers: ['change_point', 'doc_count', 'key'] },
  parse(site) {
    const fields = readFields(site.body, site, { buckets_path: stringField });
    if (fields.buckets_path === undefined) throw errors.illegalArgument('Required [buckets_path]');
    const path = parsePath(fields.buckets_path);
    return {
      kind: 'sibling',
      needsHistogram: false,
      paths: [path.text],
      sibling: (level, at) => result(valuedBuckets(level, path, at, 'skip')),
    };
  },
};
