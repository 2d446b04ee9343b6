import { bench } from '@shoal/testing';
import { murmur3 } from './murmur3.kernel.js';

let sum = 0;
for (const id of ['17', 'AbCdEfGhIjKlMnOpQrSt', 'x'.repeat(200)])
  bench(`hash of an id of ${id.length}`, 1, () => {
    sum ^= murmur3(id);
  });
process.stdout.write(`${sum}\n`);
