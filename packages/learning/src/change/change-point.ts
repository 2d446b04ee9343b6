/**
 * What changed in a series: nothing, a trend, a spike or dip, a step, another trend, another distribution. Models are
 * compared by F tests of their residuals (Chow 1960 for two lines with a break); a break that was looked for pays for
 * all the places tried (Šidák), and correlated residuals count as fewer. Distributions: Kolmogorov and Smirnov.
 */

import { fTail, kolmogorovTail, ofMany } from './distributions.js';
import { Fits, type Line } from './fits.js';
import { spikeOf, withoutSpike } from './spikes.js';

/** Probability below which something is told. */
export const CHANGE_P_MAX = 0.025;
/** Fewest values on each side of a change. */
const SIDE_MIN = 10;
/** Fewest values of a series. */
export const CHANGE_VALUES_MIN = 2 * SIDE_MIN + 2;
/** Places that are tried for a change. */
const PLACES_MAX = 1000;
/** Places that are tried for a change of the distribution. */
const DISTRIBUTION_PLACES_MAX = 100;

/** What a series shows. Indices count its values; `p` is the probability of as much without a change. */
export type Change =
  | { readonly kind: 'stationary' | 'indeterminable' }
  | { readonly kind: 'non_stationary'; readonly p: number; readonly r: number; readonly isRising: boolean }
  | {
      readonly kind: 'spike' | 'dip' | 'step_change' | 'distribution_change';
      readonly p: number;
      readonly index: number;
    }
  | { readonly kind: 'trend_change'; readonly p: number; readonly r: number; readonly index: number };

interface Fit {
  /** Free numbers of the model, the place of a break counted as one. */
  readonly parameters: number;
  readonly rest: number;
  readonly index: number;
  readonly residuals: () => Float64Array;
}

function placesOf(n: number, most: number): number[] {
  const count = n - 2 * SIDE_MIN + 1;
  const step = Math.max(1, count / most);
  return Array.from({ length: Math.min(count, most) }, (_, i) => SIDE_MIN + Math.floor(i * step));
}

type FitSide = (from: number, to: number) => Line;

/** The best break of a series in two parts of one kind. */
function bestBreak(fits: Fits, n: number, places: readonly number[], fit: FitSide, parameters: number): Fit {
  let index = places[0]!;
  let rest = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const own = fit(0, place).rest + fit(place, n).rest;
    if (own < rest) [index, rest] = [place, own];
  }
  const residuals = (): Float64Array =>
    Float64Array.of(...fits.residuals(fit(0, index), 0, index), ...fits.residuals(fit(index, n), index, n));
  return { parameters, rest, index, residuals };
}

/** Correlation of each residual with the one before it, less what comes by chance. */
function persistence(residuals: Float64Array): number {
  let products = 0;
  let squares = 0;
  residuals.forEach((value, i) => {
    squares += value * value;
    if (i > 0) products += value * residuals[i - 1]!;
  });
  if (squares === 0) return 0;
  return Math.min(0.95, Math.max(0, products / squares - 1 / Math.sqrt(residuals.length)));
}

/** Probability that `better` explains this much more than `plain` by chance. */
function chanceOf(plain: Fit, better: Fit, n: number): number {
  if (plain.rest - better.rest <= 0) return 1;
  if (better.rest === 0) return 0;
  const carried = persistence(better.residuals());
  const effective = (n * (1 - carried)) / (1 + carried);
  const top = Math.max(1, better.parameters - plain.parameters);
  const bottom = Math.max(2, effective - better.parameters);
  return fTail(((plain.rest - better.rest) / top / better.rest) * bottom, top, bottom);
}

/** Share of the variation that a model explains. */
const explained = (fit: Fit, flat: Fit): number => (flat.rest === 0 ? 0 : 1 - fit.rest / flat.rest);

/** The most different halves of residuals, by the largest distance of their cumulative shares. */
function distributionChange(residuals: Float64Array): { p: number; index: number } {
  const n = residuals.length;
  const order = Uint32Array.from(residuals, (_, i) => i).sort((a, b) => residuals[a]! - residuals[b]!);
  const places = placesOf(n, DISTRIBUTION_PLACES_MAX);
  let best = { p: 1, index: places[0]! };
  for (const place of places) {
    const p = kolmogorovTail(shareDistance(residuals, order, place), (place * (n - place)) / n);
    if (p < best.p) best = { p, index: place };
  }
  const carried = persistence(residuals);
  return { p: ofMany(best.p ** ((1 - carried) / (1 + carried)), places.length), index: best.index };
}

function shareDistance(values: Float64Array, order: Uint32Array, place: number): number {
  const n = values.length;
  let left = 0;
  let right = 0;
  let distance = 0;
  for (let i = 0; i < n; i++) {
    if (order[i]! < place) left++;
    else right++;
    if (i + 1 < n && values[order[i]!] === values[order[i + 1]!]) continue;
    distance = Math.max(distance, Math.abs(left / place - right / (n - place)));
  }
  return distance;
}

/** A break of either kind, or none, of a series without spikes. */
function breakOf(values: readonly number[]): Change {
  const n = values.length;
  const fits = new Fits(values);
  const places = placesOf(n, PLACES_MAX);
  const constant = (from: number, to: number): Line => fits.constant(from, to);
  const line = (from: number, to: number): Line => fits.line(from, to);
  const whole = (fit: FitSide, parameters: number): Fit => {
    const one = fit(0, n);
    return { parameters, rest: one.rest, index: 0, residuals: () => fits.residuals(one, 0, n) };
  };
  const flat = whole(constant, 1);
  const trend = whole(line, 2);
  const trendP = chanceOf(flat, trend, n);
  const base = trendP < CHANGE_P_MAX ? trend : flat;
  const step = bestBreak(fits, n, places, constant, 3);
  const lines = bestBreak(fits, n, places, line, 5);
  const stepP = ofMany(chanceOf(base, step, n), places.length);
  const linesP = ofMany(chanceOf(base, lines, n), places.length);
  const isLines = linesP < CHANGE_P_MAX && ofMany(chanceOf(step, lines, n), places.length) < CHANGE_P_MAX;
  if (isLines) return { kind: 'trend_change', p: linesP, r: explained(lines, flat), index: lines.index };
  if (stepP < CHANGE_P_MAX) return { kind: 'step_change', p: stepP, index: step.index };
  const distribution = distributionChange(base.residuals());
  if (distribution.p < CHANGE_P_MAX) return { kind: 'distribution_change', ...distribution };
  if (base === flat) return { kind: 'stationary' };
  return { kind: 'non_stationary', p: trendP, r: explained(trend, flat), isRising: line(0, n).slope > 0 };
}

/** Tells what changed in a series of numbers at equal distances. */
export function changePoint(values: readonly number[]): Change {
  if (values.length < CHANGE_VALUES_MIN) return { kind: 'indeterminable' };
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return { kind: 'stationary' };
  if (!Number.isFinite(largest)) return { kind: 'indeterminable' };
  const scaled = values.map((value) => value / largest);
  const spike = spikeOf(scaled);
  if (spike === null || spike.p >= CHANGE_P_MAX) return breakOf(scaled);
  const change = breakOf(withoutSpike(scaled, spike));
  const isStronger = 'p' in change && change.kind !== 'non_stationary' && change.p < spike.p;
  return isStronger ? change : { kind: spike.kind, p: spike.p, index: spike.index };
}
