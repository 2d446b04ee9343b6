import { bench } from '@shoal/testing';
import { civilFromDays, daysFromCivil, parseCommonIso } from './civil.kernel.js';

const COUNT = 1000;
const out = new Int32Array(3);
const texts = Array.from({ length: COUNT }, (_, i) => new Date(1_700_000_000_000 + i * 12_345_678).toISOString());
let sum = 0;
bench('day number to date', COUNT, () => {
  for (let i = 0; i < COUNT; i++) civilFromDays(19_000 + i, out);
});
bench('date to day number', COUNT, () => {
  for (let i = 0; i < COUNT; i++) sum += daysFromCivil(1970 + (i % 90), 1 + (i % 12), 1 + (i % 28));
});
bench('parse yyyy-MM-ddTHH:mm:ss.SSSZ', COUNT, () => {
  for (let i = 0; i < COUNT; i++) sum += parseCommonIso(texts[i]!);
});
process.stdout.write(`${sum === 0 ? 'nothing was read' : ''}\n`);
