import { bench } from '@shoal/testing';
import { COMBINE, MODIFY } from './function-score.kernel.js';

const COUNT = 4096;
const values = Float64Array.from({ length: COUNT }, (_, i) => i + 1);
const scores = new Float64Array(COUNT).fill(1);
const factors = new Float64Array(COUNT).fill(1.5);
for (const mode of ['replace', 'avg'])
  bench(`boost_mode ${mode}`, COUNT, () => void COMBINE[mode]!(scores, factors, COUNT, Number.MAX_VALUE));
for (const modifier of ['none', 'log1p', 'sqrt'])
  bench(`modifier ${modifier}`, COUNT, () => {
    factors.set(values);
    MODIFY[modifier]!(factors, COUNT, 2);
  });
