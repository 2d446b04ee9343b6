import { INTERVAL_CLASS, type IntervalValue } from '../../runtime/interval.js';
import type { AllowTable } from './class-row.js';

/** What scripts of interval filters see. */
export const INTERVALS: AllowTable = [
  {
    name: INTERVAL_CLASS,
    methods: {
      'int getStart()': (interval: IntervalValue) => interval.start,
      'int getEnd()': (interval: IntervalValue) => interval.end,
      'int getGaps()': (interval: IntervalValue) => interval.gaps,
    },
  },
];
