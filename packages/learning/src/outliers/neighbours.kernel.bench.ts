import { bench } from '@shoal/testing';
import { nearestTo } from './neighbours.kernel.js';

const ROWS = 4096;
const WIDTH = 10;
const points = Float64Array.from({ length: ROWS * WIDTH }, (_, i) => Math.sin(i * 7.3));
const sample = Int32Array.from({ length: ROWS }, (_, i) => i);
const [near, squares] = [new Int32Array(75), new Float64Array(75)];
bench('75 neighbours among 4,096 points with 10 columns, by pair', ROWS, () => {
  nearestTo(points, WIDTH, 17, sample, 75, near, squares, 0);
});
