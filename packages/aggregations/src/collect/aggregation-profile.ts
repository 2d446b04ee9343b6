/** What `profile` shows of one aggregation. Times are nanoseconds. */
export interface AggregationProfile {
  readonly type: string;
  readonly description: string;
  readonly time_in_nanos: number;
  readonly breakdown: Readonly<Record<string, number>>;
  readonly debug: Readonly<Record<string, unknown>>;
  readonly children?: readonly AggregationProfile[];
}
