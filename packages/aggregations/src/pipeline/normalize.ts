import { errors } from '@shoal/errors';
import type { PipelineType } from '../aggregation-type.js';
import { compensatedSum } from '../metric/compensated-sum.js';
import { parentPipeline } from './parent-values.js';

type Method = (values: readonly number[]) => (value: number) => number;

const rescale = (values: readonly number[], scale: number): ((value: number) => number) => {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return (value) => ((value - min) / (max - min)) * scale;
};
const mean = (values: readonly number[]): number => compensatedSum(values) / values.length;

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['rescale_0_1', (values) => rescale(values, 1)],
  ['rescale_0_100', (values) => rescale(values, 100)],
  ['mean', (values) => (value) => (value - mean(values)) / (Math.max(...values) - Math.min(...values))],
  ['percent_of_sum', (values) => (value) => value / compensatedSum(values)],
  [
    'z-score',
    (values) => {
      const centre = mean(values);
      const deviation = Math.sqrt(compensatedSum(values.map((v) => (v - centre) ** 2)) / values.length);
      return (value) => (value - centre) / deviation;
    },
  ],
  [
    'softmax',
    (values) => {
      const total = compensatedSum(values.map(Math.exp));
      return (value) => Math.exp(value) / total;
    },
  ],
]);

/** `normalize`: rescales a value by the values of all buckets. */
export const normalize: PipelineType = parentPipeline({
  name: 'normalize',
  typedName: 'simple_value',
  needsHistogram: false,
  extra(body) {
    const name = body.text('method');
    const method = METHODS.get(name ?? '');
    if (!method) throw errors.illegalArgument(`invalid method [${name}]`);
    return method;
  },
  series(values, method) {
    const scale = method(values.filter((value): value is number => value !== null));
    return values.map((value) => (value === null ? undefined : scale(value)));
  },
});
