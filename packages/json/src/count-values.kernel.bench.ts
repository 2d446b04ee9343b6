import { bench } from '@shoal/testing';
import { countValues } from './count-values.kernel.js';

const numbers = new TextEncoder().encode(JSON.stringify(Array.from({ length: 100_000 }, (_, i) => i)));
const text = new TextEncoder().encode(JSON.stringify('lorem ipsum '.repeat(50_000)));
bench('count numbers, a byte', numbers.length, () => void countValues(numbers, 1e9));
bench('count a long text, a byte', text.length, () => void countValues(text, 1e9));
