import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { stringify } from '@shoal/json';
import { grokBank } from './bank.js';
import { compileGrok } from './grok.js';

/** Lines of real programs with the fields that the patterns of both banks take out of them. */
const GOLDEN = new URL('../../golden/grok-lines.ndjson', import.meta.url);

interface GoldenLine {
  readonly name: string;
  readonly line: string;
  readonly legacy: Record<string, unknown>;
  readonly ecs: Record<string, unknown>;
}

test('patterns take the fields of both banks out of lines', () => {
  const lines = fs.readFileSync(GOLDEN, 'utf8').trimEnd().split('\n');
  for (const text of lines) {
    const golden = JSON.parse(text) as GoldenLine;
    for (const kind of ['legacy', 'ecs'] as const) {
      const fields = compileGrok(`%{${golden.name}}`, grokBank(kind === 'ecs')).match(golden.line);
      assert.notEqual(fields, null, `${kind} ${golden.name}: ${golden.line}`);
      const found = JSON.parse(stringify(Object.fromEntries(fields!))) as unknown;
      assert.deepEqual(found, golden[kind], `${kind} ${golden.name}: ${golden.line}`);
    }
  }
});

test('both banks have the same names, and every pattern compiles', () => {
  const [legacy, ecs] = [grokBank(false), grokBank(true)];
  assert.deepEqual(Object.keys(ecs).sort(), Object.keys(legacy).sort());
  assert.ok(Object.keys(legacy).length >= 312);
  for (const bank of [legacy, ecs]) {
    for (const [name, text] of Object.entries(bank)) {
      assert.doesNotMatch(text, /%\{\w+:[^}]*\||\(\?<\w+\|/, `${name} has captures of one bank only`);
      assert.doesNotThrow(() => compileGrok(`%{${name}}`, bank), name);
    }
  }
});
