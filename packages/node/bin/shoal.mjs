// Started by `shoal` beside it, which sets what the process finds in its environment. `shoal dashboard` is a program of
// its own: a node loads none of it.
const { currentBundle, loadBundle } = await import('./bundle.mjs');
const bundle = currentBundle();
if (bundle === null) process.setSourceMapsEnabled?.(true);
const [command, ...rest] = process.argv.slice(2);
if (command === 'dashboard') {
  const { main } = bundle === null ? await import('../dist/dashboard-main.js') : loadBundle(bundle, 'dashboard-main');
  await main(rest);
} else {
  const { main } = bundle === null ? await import('../dist/bin.js') : loadBundle(bundle, 'bin');
  await main(process.argv.slice(2));
}
