// Sizes of the pages' scripts, compressed: what a browser loads for an entry and the page within.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KB, SCRIPT_BUDGETS, scriptBytes } from './page-sizes.mjs';

for (const [entry, pages, bytesMax] of SCRIPT_BUDGETS)
  test(`${[entry, ...pages].join(' and ')} loads at most ${bytesMax / KB} KB of script`, () => {
    const bytes = scriptBytes([entry, ...pages]);
    assert.ok(bytes <= bytesMax, `${[entry, ...pages].at(-1)}: ${(bytes / KB).toFixed(1)} KB`);
    process.stdout.write(`# ${[entry, ...pages].at(-1)}: ${(bytes / KB).toFixed(1)} KB of ${bytesMax / KB} KB\n`);
  });
