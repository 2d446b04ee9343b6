import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { type BootstrapFacts, bootstrapProblems, processLimit } from './bootstrap-checks.js';

const GOOD: BootstrapFacts = {
  openFilesMax: 1_048_576,
  threadsMax: null,
  memoryBudgetBytes: 512,
  containerBytes: 512,
  opensTransport: true,
  isSecurityEnabled: true,
  isTransportTlsEnabled: true,
};
const problems = (change: Partial<BootstrapFacts>): string => bootstrapProblems({ ...GOOD, ...change }).join('\n');

test('a node that is set up well passes', () => {
  assert.equal(problems({}), '');
  assert.equal(problems({ openFilesMax: null, containerBytes: null }), '');
});

test('each check names what is wrong and what to do', () => {
  assert.match(
    problems({ openFilesMax: 4096 }),
    /^bootstrap check failure \[1\] of \[1\]: max file descriptors \[4096\].*increase to at least \[8192\]/,
  );
  assert.match(problems({ threadsMax: 100 }), /max number of threads \[100\]/);
  assert.match(problems({ memoryBudgetBytes: 513 }), /memory budget \[513\] is more than the \[512\]/);
  assert.match(problems({ isTransportTlsEnabled: false }), /Transport SSL must be enabled if security is enabled/);
  assert.equal(problems({ isTransportTlsEnabled: false, isSecurityEnabled: false }), '');
  assert.equal(problems({ isTransportTlsEnabled: false, opensTransport: false }), '');
  assert.match(problems({ openFilesMax: 1, threadsMax: 1 }), /\[1\] of \[2\][\s\S]*\[2\] of \[2\]/);
});

test('limits of the process are read where the system tells them', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal-limits-'));
  const file = path.join(folder, 'limits');
  fs.writeFileSync(
    file,
    'Limit                     Soft Limit           Hard Limit           Units\nMax processes             ' +
      'unlimited            unlimited            processes\nMax open files            1024                 4096      ' +
      '           files\n',
  );
  assert.equal(processLimit('Max open files', file), 1024);
  assert.equal(processLimit('Max processes', file), null);
  assert.equal(processLimit('Max open files', `${file}.absent`), null);
  fs.rmSync(folder, { recursive: true });
});
