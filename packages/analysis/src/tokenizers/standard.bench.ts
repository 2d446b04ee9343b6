import { standardAnalyzer } from '../standard-analyzer.js';

const WORDS =
  'The quick brown fox jumps over the lazy dog; a package of 3.14 tools, libfoo-dev (>= 1.2) and documentation for ' +
  'developers. ';
const DOCUMENTS = 20_000;
const text = WORDS.repeat(8);
const analyzer = standardAnalyzer('standard', 255);

for (let round = 0; round < 5; round++) {
  const start = performance.now();
  let count = 0;
  for (let i = 0; i < DOCUMENTS; i++) {
    const terms: string[] = [];
    analyzer.collect(text, 0, terms, []);
    count += terms.length;
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(`${count} terms, ${((text.length * DOCUMENTS) / seconds / 1e6).toFixed(0)} MB/s`);
}
