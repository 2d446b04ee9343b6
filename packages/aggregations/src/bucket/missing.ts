import type { AggregationType } from '../aggregation-type.js';
import { addPair, pairs, resetPairs } from '../collect/pairs.js';
import { readFields } from '../parse/body-fields.js';
import { docCounts } from '../source/doc-counts.js';
import { valueCounts } from '../source/presence.js';
import { resolveField, sourceFields, sourceOf } from '../source/values-source.js';
import { type SinglePartial, reduceSingle, singleBucket } from './single-bucket.js';

/** `missing`: the documents without a value of a field. */
export const missing: AggregationType<SinglePartial> = {
  name: 'missing',
  valueKinds: ['boolean', 'date', 'geopoint', 'ip', 'keyword', 'numeric', 'range'],
  parse(site) {
    const source = sourceOf(readFields(site.body, site, sourceFields), site, 'keyword');
    return {
      acceptsSubs: true,
      shape: 'single',
      reads: [{ source, kind: 'any' }],
      collector(build) {
        const present = valueCounts(resolveField(build.context, source.field, 'any', 'missing'));
        const hasDefault = source.missing !== null;
        return singleBucket(
          build,
          {
            segment: (view) => present.segment(view),
            select(docs, buckets, count, scores, into) {
              const counts = present.counts(docs, count);
              resetPairs(into, count);
              for (let i = 0; i < count; i++)
                if (counts[i] === 0 && !hasDefault)
                  addPair(into, docs[i]!, buckets ? buckets[i]! : 0, scores ? scores[i]! : 0);
            },
          },
          pairs(build.context.scratch),
          docCounts,
        );
      },
      reduce: (partials, reduceSite) => reduceSingle('missing', partials, reduceSite),
    };
  },
};
