import type { PipelineType } from '../aggregation-type.js';
import { distinctSketch, type SketchPartial } from '../metric/distinct-sketch.js';
import { precisionOf } from '../metric/hyper-log-log.js';
import { numberResult } from '../reduce/reduced.js';
import { pipelineBody } from './pipeline-request.js';

const EXACT_MAX = 3000;

/** `cumulative_cardinality`: distinct values of all buckets up to each one, from the sketches of a cardinality. */
export const cumulativeCardinality: PipelineType = {
  name: 'cumulative_cardinality',
  prints: 'whole',
  parse(site) {
    const body = pipelineBody(site);
    const path = body.path();
    body.text('format');
    body.end();
    return {
      kind: 'parent',
      needsHistogram: true,
      paths: [path.text],
      parent(buckets, name) {
        const sketch = distinctSketch(EXACT_MAX, precisionOf(EXACT_MAX));
        for (const bucket of buckets) {
          const parts = bucket.subs.get(path.steps[0]!.name)?.sketch as readonly SketchPartial[] | undefined;
          for (const part of parts ?? []) sketch.add(part);
          bucket.subs.set(name, numberResult('simple_long_value', sketch.cardinality()));
        }
        return buckets;
      },
    };
  },
};
