import { errors } from '@shoal/errors';
import { doubleArray } from '@shoal/script';
import { decimalFormat } from '@shoal/values';
import type { PipelineType } from '../aggregation-type.js';
import { ownerOf } from '../reduce/paths.js';
import { numberResult } from '../reduce/reduced.js';
import { gapValue, pipelineBody } from './pipeline-request.js';
import { pipelineScript } from './script-paths.js';

/** `moving_fn`: adds to each bucket what a script makes of the values in a window that ends in front of it. */
export const movingFn: PipelineType = {
  name: 'moving_fn',
  parse(site) {
    const body = pipelineBody(site);
    const path = body.path();
    const window = body.number('window');
    const shift = body.number('shift') ?? 0;
    const policy = body.gapPolicy();
    const format = body.text('format');
    if (window === null) throw errors.illegalArgument('Required [window]');
    if (window <= 0) throw errors.illegalArgument('[window] must be a positive, non-zero integer.');
    const { compiled, source } = pipelineScript(body, 'moving-function');
    body.end();
    const shown = format === null ? () => null : decimalFormat(format);
    return {
      kind: 'parent',
      needsHistogram: true,
      paths: [path.text],
      *parent(buckets, name, reduced) {
        const owner = ownerOf(name, reduced);
        const found = buckets.map((bucket) => gapValue(bucket, path, policy, owner));
        const values = found.filter((value) => value !== null);
        const clamp = (place: number): number => Math.max(0, Math.min(values.length, place));
        let place = 0;
        for (const [i, bucket] of buckets.entries()) {
          if (found[i] === null) continue;
          const part = values.slice(clamp(place - window + shift), clamp(place + shift));
          const result = compiled.call([source.params, doubleArray(part)]) as number;
          place++;
          const number = Number.isFinite(result) ? result : null;
          bucket.subs.set(name, numberResult('simple_value', number, number === null ? null : shown(number)));
          yield;
        }
        return buckets;
      },
    };
  },
};
