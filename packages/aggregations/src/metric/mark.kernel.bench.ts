import { bench } from '@shoal/testing';
import { countMarks, markOrdinals } from './mark.kernel.js';

const COUNT = 4096;
const ordinals = Int32Array.from({ length: COUNT }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 20);
const seen = new Uint8Array(COUNT);
let sum = 0;
bench('mark ordinals', COUNT, () => markOrdinals(ordinals, COUNT, null, -1, seen));
bench('count marks', COUNT, () => {
  sum = countMarks(seen);
});
process.stdout.write(`${sum}\n`);
