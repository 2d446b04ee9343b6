import { errors } from '@shoal/errors';
import { bodyReader, type JsonObject, tokenOf } from '@shoal/json';
import { type FlatSettings, isActive } from '@shoal/state';
import { withSettings } from '../effects.js';
import { DONE, type LifecycleActionType, waits } from '../step.js';

const RULES = ['include', 'exclude', 'require'] as const;
const PREFIX = 'index.routing.allocation';
const COUNT_MAX = 2 ** 31 - 1;

function settingsOf(options: JsonObject): FlatSettings {
  const rules = RULES.flatMap((rule) =>
    Object.entries(options[rule] as JsonObject).map(([name, value]) => [`${PREFIX}.${rule}.${name}`, String(value)]),
  );
  const { number_of_replicas: replicas, total_shards_per_node: limit } = options;
  return {
    ...Object.fromEntries(rules),
    ...(replicas === undefined ? {} : { 'index.number_of_replicas': String(replicas) }),
    ...(limit === undefined ? {} : { [`${PREFIX}.total_shards_per_node`]: String(limit) }),
  };
}

/** Throws unless the values of a rule are texts, numbers or booleans. */
function checkTexts(rule: string, values: JsonObject): void {
  const odd = Object.entries(values).find(([, value]) => value === null || typeof value === 'object');
  if (odd) throw errors.parsing(`[${rule}] the value of [${odd[0]}] must be a text but was [${tokenOf(odd[1])}]`);
}

/** Sets where the copies of an index may be, and how many there are. */
export const allocate: LifecycleActionType = {
  name: 'allocate',
  parse(options) {
    const reader = bodyReader('allocate', options);
    reader.onlyKeys(['number_of_replicas', 'total_shards_per_node', ...RULES]);
    const replicas = reader.optionalNumber('number_of_replicas');
    const limit = reader.optionalNumber('total_shards_per_node');
    const rules = Object.fromEntries(RULES.map((rule) => [rule, reader.optionalObject(rule) ?? {}]));
    if (replicas === null && limit === null && RULES.every((rule) => Object.keys(rules[rule]!).length === 0))
      throw errors.illegalArgument(
        'At least one of include, exclude, require must contain attributes for action allocate. Otherwise the ' +
          'number_of_replicas or the total_shards_per_node must be configured.',
      );
    for (const rule of RULES) checkTexts(rule, rules[rule]!);
    if (replicas !== null && !(Number.isInteger(replicas) && replicas >= 0 && replicas <= COUNT_MAX))
      throw errors.illegalArgument('[number_of_replicas] must be >= 0');
    if (limit !== null && !(Number.isInteger(limit) && limit >= -1 && limit <= COUNT_MAX))
      throw errors.illegalArgument('[total_shards_per_node] must be >= -1');
    return {
      ...(replicas === null ? {} : { number_of_replicas: replicas }),
      ...(limit === null ? {} : { total_shards_per_node: limit }),
      ...rules,
    };
  },
  steps: (options) => [
    { name: 'allocate', decide: ({ meta }) => withSettings(meta, settingsOf(options)) },
    {
      name: 'check-allocation',
      decide({ state, meta }) {
        const copies = (state.routing.get(meta.uuid) ?? []).flat();
        const moving = copies.filter((copy) => !isActive(copy) || copy.state === 'RELOCATING').length;
        if (moving === 0) return DONE;
        return waits(`Waiting for [${moving}] shards to be allocated to nodes matching the given filters`, {
          shards_left_to_allocate: moving,
          all_shards_active: copies.every(isActive),
        });
      },
    },
  ],
  describe: (options) => `sets ${JSON.stringify(settingsOf(options))} and waits until all copies are there`,
};
