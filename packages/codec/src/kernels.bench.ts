import {
  decodePatched,
  encodePatched,
  packBits,
  packedBytes,
  patchedBytesMax,
  radixSort,
  unpackBits,
} from './index.js';

/** `node kernels.bench.js`: nanoseconds of CPU a value, median of 9 runs. */
const BLOCK = 128;
const BLOCKS = 1000;

function measure(what: string, units: number, work: () => void): void {
  const times: number[] = [];
  for (let run = 0; run < 9; run++) {
    const start = process.cpuUsage();
    for (let i = 0; i < 5; i++) work();
    const used = process.cpuUsage(start);
    times.push(((used.user + used.system) * 1000) / (5 * units));
  }
  times.sort((a, b) => a - b);
  console.log(
    what.padEnd(34),
    times[4]!.toFixed(2).padStart(8),
    'ns',
    `(${times[0]!.toFixed(2)} - ${times[8]!.toFixed(2)})`,
  );
}

const out = new Int32Array(BLOCK);
for (const width of [1, 5, 8, 13, 20, 32]) {
  const mask = width === 32 ? -1 : 2 ** width - 1;
  const values = Int32Array.from({ length: BLOCK }, (_, i) => Math.imul(i + 1, 0x9e3779b1) & mask);
  const bytes = new Uint8Array(packedBytes(BLOCK, width) + 8);
  measure(`pack, ${width} bits`, BLOCK * BLOCKS, () => {
    for (let b = 0; b < BLOCKS; b++) packBits(values, 0, BLOCK, width, bytes, 0);
  });
  measure(`unpack, ${width} bits`, BLOCK * BLOCKS, () => {
    for (let b = 0; b < BLOCKS; b++) unpackBits(bytes, 0, width, BLOCK, out, 0);
  });
}

const gaps = Int32Array.from({ length: BLOCK }, (_, i) =>
  Math.floor(-40 * Math.log(((Math.imul(i + 1, 0x9e3779b1) >>> 8) + 1) / 2 ** 24)),
);
const patched = new Uint8Array(patchedBytesMax(BLOCK) + 8);
const histogram = new Int32Array(33);
const scratch = new Int32Array(BLOCK);
measure('encode a patched block', BLOCK * BLOCKS, () => {
  for (let b = 0; b < BLOCKS; b++) {
    scratch.set(gaps);
    encodePatched(scratch, 0, BLOCK, patched, 0, histogram);
  }
});
measure('decode a patched block', BLOCK * BLOCKS, () => {
  for (let b = 0; b < BLOCKS; b++) decodePatched(patched, 0, BLOCK, out, 0);
});

const count = 200_000;
const high = Int32Array.from({ length: count }, (_, i) => Math.imul(i, 0x85ebca6b));
const low = Int32Array.from({ length: count }, (_, i) => Math.imul(i, 0xc2b2ae35));
measure(
  'radix sort by 64 bits',
  count,
  () =>
    void radixSort(
      high,
      low,
      Int32Array.from({ length: count }, (_, i) => i),
      count,
    ),
);
