import type { AggregationType } from '../aggregation-type.js';
import { addPair, pairs, resetPairs } from '../collect/pairs.js';
import { readFields } from '../parse/body-fields.js';
import { docCounts } from '../source/doc-counts.js';
import { type SinglePartial, reduceSingle, singleBucket } from './single-bucket.js';
import { NO_KIND } from '../source/value-kinds.js';

/** `global`: all documents, whatever the query. The shard collects them in a pass of its own. */
export const global: AggregationType<SinglePartial> = {
  name: 'global',
  valueKinds: NO_KIND,
  parse(site) {
    readFields(site.body, site, {});
    return {
      acceptsSubs: true,
      needsAllShards: true,
      shape: 'single',
      collector(build) {
        return singleBucket(
          build,
          {
            segment() {},
            select(docs, _buckets, count, scores, into) {
              resetPairs(into, count);
              for (let i = 0; i < count; i++) addPair(into, docs[i]!, 0, scores ? scores[i]! : 0);
            },
          },
          pairs(build.context.scratch),
          docCounts,
        );
      },
      reduce: (partials, reduceSite) => reduceSingle('global', partials, reduceSite),
    };
  },
};
