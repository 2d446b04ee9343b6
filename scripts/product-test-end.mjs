// Loaded into the process of each product test by scripts/test-product.mjs: a file whose tests are over, but whose
// process goes on because something is still open, is ended, and told what is open.
import { after } from 'node:test';

/** Longer than a node takes at most to stop: what stops it may be called after this. */
const END_MS_MAX = 90_000;

function end() {
  const open = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`${process.argv[1]}: the tests are over, but the process did not end; open: ${open}\n`);
  process.exit(1);
}

// The runner itself loads this, too: it has no tests of its own.
if (process.env.NODE_TEST_CONTEXT !== undefined) after(() => void setTimeout(end, END_MS_MAX).unref());
