import { errors } from '@shoal/errors';
import type { AggregationType } from '../aggregation-type.js';
import { refuseScript } from '../source/values-source.js';

/** `scripted_metric`, which needs scripts. Refused with the error of an Elasticsearch without the script language. */
export const scriptedMetric: AggregationType = {
  name: 'scripted_metric',
  valueKinds: null,
  parse(site) {
    for (const [key, label] of [
      ['combine_script', 'combineScript'],
      ['reduce_script', 'reduceScript'],
    ] as const) {
      if (site.body[key] === undefined) throw errors.illegalArgument(`[${label}] must not be null: [${site.name}]`);
    }
    refuseScript(site.body['map_script'] ?? {});
    throw errors.illegalArgument('Required one of fields [map_script], but none were specified. ');
  },
};
