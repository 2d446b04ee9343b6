// Damaged input against parsers, the languages of the dashboard's pages, the HTTP ports of a node and of the dashboard,
// and a node's transport ports.
// Usage: npm run fuzz -- parsers|languages|http|dashboard|frames
//   [--inputs N] [--seconds S] [--seed N] [--only TARGET]
import { parseArgs } from 'node:util';

const KINDS = {
  parsers: async () => (await import('./parsers.mjs')).fuzzParsers,
  languages: async () => (await import('./languages.mjs')).fuzzLanguages,
  dashboard: async () => (await import('./dashboard.mjs')).fuzzDashboard,
  http: async () => (await import('./http.mjs')).fuzzHttp,
  frames: async () => (await import('./frames.mjs')).fuzzFrames,
};
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
});
const [kind] = positionals;
if (!Object.hasOwn(KINDS, kind ?? '')) {
  process.stderr.write(`say what to fuzz: ${Object.keys(KINDS).join(', ')}\n`);
  process.exit(2);
}
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const inputs = values.inputs === undefined ? Infinity : Number(values.inputs);
const seconds = values.seconds === undefined ? (inputs === Infinity ? 20 : Infinity) : Number(values.seconds);
process.stdout.write(`fuzzing ${kind} from seed ${seed}\n`);
const fuzz = await KINDS[kind]();
const start = performance.now();
let told = 0;
function report(done, findings) {
  for (const { target, seed: own, input, reason } of findings.slice(told))
    process.stdout.write(`\n${target} (seed ${own}): ${reason}\n  ${input}\n`);
  told = findings.length;
  process.stdout.write(
    `${done} inputs, ${told} findings, ${Math.round(done / ((performance.now() - start) / 1000))}/s\n`,
  );
}
const {
  inputs: done,
  findings,
  summary = '',
} = await fuzz({ inputs, seconds, seed, only: values.only ?? null, report });
report(done, findings);
if (summary !== '') process.stdout.write(`${summary}\n`);
process.exit(findings.length === 0 ? 0 : 1);
