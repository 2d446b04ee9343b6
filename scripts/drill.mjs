// npm run drill: faults of a cluster of real processes under constant writes; every acknowledged write has to be there
// afterwards. Usage: npm run drill -- [NAME ...] [--runs 1] [--seed N] (all of them without a name; --list names them)
import { parseArgs } from 'node:util';
import { FAULTS, runFault } from '../test/drills/cluster-faults.mjs';
import { build } from './build.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    list: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(FAULTS, name));
if (options.list || unknown.length > 0) {
  process.stdout.write(
    `${unknown.length > 0 ? `unknown: ${unknown.join(', ')}\n` : ''}${Object.keys(FAULTS).join('\n')}\n`,
  );
  process.exit(unknown.length > 0 ? 64 : 0);
}
if (!options['no-build'] && !(await build())) process.exit(1);

let failed = 0;
for (const name of positionals.length > 0 ? positionals : Object.keys(FAULTS)) {
  try {
    const { counts, errors, documents, operations, undecided } = await runFault(name, {
      runs: Number(options.runs),
      seed: Number(options.seed),
      onRun: (line) => process.stdout.write(`${line}\n`),
    });
    process.stdout.write(
      `ok   ${name} (seed ${options.seed}): ${operations} operations on ${documents} documents, ` +
        `${counts.acknowledged} acknowledged, ${counts.unanswered} without an answer, 0 ` +
        `lost${undecided > 0 ? `, ${undecided} documents undecided` : ''}\n`,
    );
    if (errors.length > 0)
      process.stdout.write(`     ${errors.map(([what, times]) => `${times} × ${what}`).join('; ')}\n`);
  } catch (error) {
    failed++;
    process.stdout.write(`FAIL ${name} (seed ${options.seed}): ${error.stack}\n`);
  }
}
process.exit(failed === 0 ? 0 : 1);
