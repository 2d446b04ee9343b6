/** Buckets of the window over which means and spreads of deviations are judged. */
export const WINDOW = 12;
/** Deviations that are judged for each bucket: change, level, window mean, window spread, plain value. */
export const PARTS = 5;
export const CHANGE = 0;
export const LEVEL = 1;
export const WINDOW_MEAN = 2;
export const WINDOW_SPREAD = 3;
export const PLAIN = 4;

export const DAY_SECONDS = 86_400;

/**
 * Constants of a series model. Rates are shares of a deviation that are learnt a bucket; scales are multiples of the
 * usual size of a deviation. They were chosen on generated series of two seeds and on half of the Numenta Anomaly
 * Benchmark (README.md of this room), and are judged on other seeds.
 */
export interface SeriesConstants {
  /** Rates of the fast level, the slow level and the median of all values. */
  readonly fast: number;
  readonly slow: number;
  readonly medianRate: number;
  /** Scales at which a deviation is clipped before the slow level learns it. */
  readonly clip: number;
  /** A season takes over once its running error is below this share of the error without a season. */
  readonly gain: number;
  /** Cycles of a period that must have been seen before its season may take over. */
  readonly cycles: number;
  /** Deviations are divided by the usual deviation at their place of the season to this power. */
  readonly spreadPower: number;
  /** Share of a deviation that the centre of a season learns a cycle, and that a place learns a visit. */
  readonly centreRate: number;
  readonly profileRate: number;
  /** Weights of the surprises of the five deviations, and the factor of the root of the sum of their squares. */
  readonly weights: readonly number[];
  readonly share: number;
  /** Weight in the tail histograms of a bucket whose deviation is very surprising, and of a window that is. */
  readonly outlierWeight: number;
  readonly windowWeight: number;
  readonly windowFrom: number;
  /** After `runLength` buckets beyond `runScale` scales on one side the levels jump. */
  readonly runLength: number;
  readonly runScale: number;
  /** Two states are assumed once distances within them are below this share of the distances from one mean. */
  readonly stateGain: number;
  readonly tail: TailConstants;
  readonly events: EventConstants;
}

/** Constants of a tail: how a deviation of some size is turned into a probability by its own past. */
export interface TailConstants {
  /** Observations before the first judgement. */
  readonly least: number;
  /** Scales at which a deviation is clipped before the scale learns it, and the rate of the scale. */
  readonly clip: number;
  readonly scaleRate: number;
  /** Observations at which all counters are halved: the memory of a tail. */
  readonly memory: number;
  /** Observations above the edge at which the fitted tail begins: at least a number, else a share. */
  readonly edgeCount: number;
  readonly edgeShare: number;
  /** Prior of the fit: a shape and how many exceedances it counts for. */
  readonly shape: number;
  readonly shapeWeight: number;
  /** Weight of the Pareto tail in the geometric mean of a Pareto and an exponential tail. */
  readonly pareto: number;
}

/** Constants of the judgement of an event by the events before it. */
export interface EventConstants {
  /** Share of the rank among earlier events in the result; the rest is the excess over `low`. */
  readonly rank: number;
  readonly rarity: number;
  readonly rankWeight: number;
  readonly lengthWeight: number;
  /** Buckets after which a remembered event counts for 1/e. */
  readonly memory: number;
  readonly beyond: number;
  /** Buckets without a surprise above `low` that end an event. */
  readonly gap: number;
  readonly low: number;
  /** Earlier alarms lower a surprise by this weight; they are forgotten after `alarmMemory` buckets. */
  readonly alarmWeight: number;
  readonly alarmMemory: number;
  /** Surprise that counts as an alarm. For a share of all buckets after one, lesser surprises are held down. */
  readonly alarm: number;
  readonly hold: number;
  readonly held: number;
  readonly margin: number;
}

export const SERIES: SeriesConstants = {
  fast: 0.53,
  slow: 0.016,
  medianRate: 0.001,
  clip: 8,
  gain: 0.7,
  cycles: 2,
  spreadPower: 0.7,
  centreRate: 0.25,
  profileRate: 0.25,
  weights: [0.78, 0.78, 1, 1, 0.87],
  share: 0.7,
  outlierWeight: 1,
  windowWeight: 0.5,
  windowFrom: 2.5,
  runLength: 24,
  runScale: 2.5,
  stateGain: 0.25,
  tail: {
    least: 24,
    clip: 8,
    scaleRate: 0.002,
    memory: 14_000,
    edgeCount: 6,
    edgeShare: 0.066,
    shape: 0.25,
    shapeWeight: 4,
    pareto: 0.5,
  },
  events: {
    rank: 0.8,
    rarity: 3,
    rankWeight: 1,
    lengthWeight: 1,
    memory: 4000,
    beyond: 0.5,
    gap: 12,
    low: 1.5,
    alarmWeight: 0.6,
    alarmMemory: 5000,
    alarm: 2.55,
    hold: 0.06,
    held: 0.5,
    margin: 0.3,
  },
};
