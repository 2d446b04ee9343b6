// Adds found cases that agree by now to the corpus, with the answers of a running Elasticsearch 8.12.
// Usage: node test/compare/keep.mjs FILE [--peer URL] [--node URL]   (FILE: what run.mjs --small N --out FILE wrote)
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { startNode } from '../node-process.mjs';
import { KEPT_PREFIX, readCorpus, writeCorpus } from './corpus.mjs';
import { normalised } from './differ.mjs';
import { pair } from './pair.mjs';
import { relevantSetup } from './shrink.mjs';
import { server } from './server.mjs';

const BYTES_MAX = 12_000;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { peer: { type: 'string', default: 'http://127.0.0.1:9260' }, node: { type: 'string' } },
});
const { prefix, classes } = JSON.parse(
  fs.readFileSync(positionals[0], 'utf8').replaceAll(/dr[0-9a-z]{5}(?=[-*])/g, KEPT_PREFIX),
);
const started = values.node === undefined ? await startNode() : null;
const peer = server(values.peer);
const both = pair(peer, server(values.node ?? started.url), KEPT_PREFIX);
const cases = readCorpus();
let added = 0;
try {
  for (const { id, area, setup: whole, steps } of classes) {
    // What the steps do not name is left out.
    const setup = relevantSetup(whole, steps);
    const templates = area === 'templates';
    const isKnown = cases.some((one) => JSON.stringify(one.steps) === JSON.stringify(steps));
    if (isKnown || JSON.stringify([setup, steps]).length > BYTES_MAX) continue;
    await both.clean(templates);
    if ((await both.run([...setup, ...steps])) !== null) continue;
    await peer.clean(KEPT_PREFIX, { templates });
    await peer.run(setup);
    const answers = (await peer.run(steps)).map(({ status, body }) => ({
      status,
      body: normalised(body, KEPT_PREFIX),
    }));
    cases.push({ id: id.replaceAll(prefix, 'drill'), area, setup, steps, answers });
    added++;
    writeCorpus(cases);
  }
  await both.clean(true);
} finally {
  await started?.stop();
}
process.stdout.write(`${added} cases added, ${cases.length} in all\n`);
