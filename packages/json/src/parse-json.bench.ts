import { readFileSync } from 'node:fs';
import { parseSource } from './parse-json.js';
import { scanJson } from './scan-json.kernel.js';

const path = process.argv[2];
if (path === undefined) throw new Error('usage: parse-json.bench.js <bulk file>');
const lines = readFileSync(path, 'utf8')
  .split('\n')
  .filter((line, i) => i % 2 === 1 && line !== '')
  .slice(0, 20000)
  .map((line) => Buffer.from(line));
const megabytes = lines.reduce((sum, line) => sum + line.length, 0) / 1e6;

function median(name: string, run: () => void): void {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  console.log(`${name}: ${((megabytes / times[3]!) * 1000).toFixed(0)} MB/s`);
}

median('scan', () => lines.forEach((line) => scanJson(line, 0, line.length, 1000, 15)));
median('JSON.parse', () => lines.forEach((line) => JSON.parse(line.toString())));
median('parseSource', () => lines.forEach((line) => parseSource(line)));
