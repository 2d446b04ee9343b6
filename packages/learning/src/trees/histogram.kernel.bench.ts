import { bench } from '@shoal/testing';
import { addToHistogram, gatherPairs } from './histogram.kernel.js';

const ROWS = 20_000;
const column = Uint8Array.from({ length: ROWS }, (_, i) => (i * 7919) % 254);
const rows = Int32Array.from({ length: ROWS }, (_, i) => (i * 31) % ROWS);
const gradients = Float64Array.from({ length: ROWS }, (_, i) => Math.sin(i));
const pairs = new Float64Array(2 * ROWS);
const histogram = new Float64Array(512);
gatherPairs(rows, 0, ROWS, gradients, gradients, pairs);
bench('sum of a feature of 20,000 rows', ROWS, () => addToHistogram(column, rows, 0, ROWS, pairs, histogram, 0));
