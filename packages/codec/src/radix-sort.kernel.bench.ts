import { bench } from '@shoal/testing';
import { radixSort } from './radix-sort.kernel.js';

const COUNT = 200_000;
const high = Int32Array.from({ length: COUNT }, (_, i) => Math.imul(i, 0x85ebca6b));
const low = Int32Array.from({ length: COUNT }, (_, i) => Math.imul(i, 0xc2b2ae35));
const numbers = Int32Array.from({ length: COUNT }, (_, i) => i);
const noHigh = new Int32Array(COUNT);
bench('radix sort by 64 bits', COUNT, () => void radixSort(high, low, numbers.slice(), COUNT));
bench('radix sort by 32 bits', COUNT, () => void radixSort(noHigh, low, numbers.slice(), COUNT));
