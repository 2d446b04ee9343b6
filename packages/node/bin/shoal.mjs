// Started by `shoal` beside it, which sets what the process finds in its environment.
const { currentBundle, loadBundle } = await import('./bundle.mjs');
const bundle = currentBundle();
if (bundle === null) process.setSourceMapsEnabled?.(true);
const { main } = bundle === null ? await import('../dist/bin.js') : loadBundle(bundle, 'bin');
await main(process.argv.slice(2));
