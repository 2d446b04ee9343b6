// Writes beside each file of a bundle what V8 made of it. V8 takes it only in a process with the same options, so
// bundle.mjs runs this with the limit of the heap that a node without settings has.
// Usage: node [options of a node] scripts/cache-bundle.mjs FILE …
import fs from 'node:fs';
import { compileBundle } from '../packages/node/bin/bundle.mjs';

for (const file of process.argv.slice(2)) fs.writeFileSync(`${file}.cache`, compileBundle(file).createCachedData());
