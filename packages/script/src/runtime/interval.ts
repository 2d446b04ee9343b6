import { ScriptObject } from './values.js';

/** Class of intervals in Java. */
export const INTERVAL_CLASS = 'org.elasticsearch.index.query.IntervalFilterScript.Interval';

/** `interval`: a stretch of positions of a text, the last one included, which a script keeps or drops. */
export class IntervalValue extends ScriptObject {
  readonly javaClass = INTERVAL_CLASS;
  readonly start: number;
  readonly end: number;
  /** Positions between the parts of the interval. */
  readonly gaps: number;

  constructor(start: number, end: number, gaps: number) {
    super();
    this.start = start;
    this.end = end;
    this.gaps = gaps;
  }
}
