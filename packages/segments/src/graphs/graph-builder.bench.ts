import { bench } from '@shoal/testing';
import { GraphBuilder } from './graph-builder.js';
import { RowMemory } from './row-memory.js';

const ROWS = 5000;
for (const dims of [100, 768]) {
  const values = Float32Array.from({ length: ROWS * dims }, (_, i) => Math.sin(i * 12.9898) * Math.cos(i * 0.001));
  const memory = new RowMemory({ dims, element: 'float', isDistance: true }, ROWS);
  for (let row = 0; row < ROWS; row++) memory.set(row, new Uint8Array(values.buffer, row * dims * 4, dims * 4), 1);
  const some = 32;
  for (let i = 0; i < some; i++) memory.list[i] = (i * 137) % ROWS;
  bench(`nearness of ${some} rows of ${dims} floats in memory`, some, () => {
    memory.queryRow(0);
    memory.nearness(some);
  });
  bench(`a graph of ${ROWS} rows of ${dims} floats, m 16, 100 candidates`, ROWS, () => {
    const builder = new GraphBuilder(memory, ROWS, { m: 16, efConstruction: 100 });
    for (let row = 0; row < ROWS; row++) builder.insert(row);
  });
}
