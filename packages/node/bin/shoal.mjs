#!/usr/bin/env node
// The pool is shared by all threads of the process: LevelDB's writes and compactions of many shards run on it. Its size
// is read when it is first used, so it has to be set before anything is loaded.
process.env.UV_THREADPOOL_SIZE ??= '24';
const { currentBundle, loadBundle } = await import('./bundle.mjs');
const bundle = currentBundle();
if (bundle === null) process.setSourceMapsEnabled?.(true);
const { main } = bundle === null ? await import('../dist/bin.js') : loadBundle(bundle, 'bin');
await main(process.argv.slice(2));
