import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { compile } from '../compile.js';
import { CONTEXT_NAMES, scriptContext } from '../contexts/catalogue.js';

/** Ways out of a sandbox of JavaScript, or of Java, written in Painless. */
const ESCAPES: readonly string[] = [
  // Constructors of functions, by every object that JavaScript would give one to.
  ...[
    "''",
    '1',
    'true',
    '[]',
    '[:]',
    'params',
    "'a'.toString()",
    '(x -> x)',
    'new int[1]',
    'Math',
    'new HashMap()',
  ].flatMap((object) => [
    `def o = ${object}; return o.constructor`,
    `def o = ${object}; return o.constructor.constructor('return process')()`,
    `def o = ${object}; return o['constructor']`,
    `def o = ${object}; return o.__proto__`,
    `def o = ${object}; o.__proto__.polluted = 1; return o`,
    `def o = ${object}; o['__proto__']['polluted'] = 1; return o`,
    `def o = ${object}; return o.__defineGetter__('x', y -> y)`,
    `def o = ${object}; return o.valueOf()`,
    `def o = ${object}; return o.hasOwnProperty('x')`,
    `def o = ${object}; return o.prototype`,
    `def o = ${object}; return o.call(null)`,
    `def o = ${object}; return o.apply(null, [])`,
    `def o = ${object}; return o.bind(null)`,
    `def o = ${object}; return o.javaClass`,
    `def o = ${object}; return o.caller`,
    `def o = ${object}; return o.arguments`,
    `def o = ${object}; return o.length.constructor`,
    `def o = ${object}; return o.getClass()`,
    `def o = ${object}; return o.class`,
    `def o = ${object}; return o.getClass().forName('java.lang.Runtime')`,
  ]),
  // Names of the host.
  ...[
    'process',
    'globalThis',
    'global',
    'require',
    'module',
    'import',
    'eval',
    'Function',
    'Object',
    'Reflect',
    'Proxy',
  ].flatMap((name) => [`return ${name}`, `${name}('x')`, `return ${name}.env`, `new ${name}('return 1')`]),
  ...['h', 'k', 'c0', 'v0', 't0', 'f0', 'x0', 'n', 'arguments', 'this', 'self', 'undefined'].map(
    (name) => `return ${name}`,
  ),
  // Classes of Java.
  ...[
    'Thread',
    'System',
    'Runtime',
    'Class',
    'ClassLoader',
    'File',
    'ProcessBuilder',
    'java.lang.Runtime',
    'Socket',
  ].flatMap((name) => [`${name}.exit(1)`, `${name}.getRuntime().exec('x')`, `new ${name}()`, `def o = ${name}.class`]),
  'String.class.forName("x")',
  'Debug.explain(params.getClass())',
  // Text that would end what it is in.
  "return '\\u0027 + process.exit() + \\u0027'",
  "return '`${process.exit()}`'",
  "return 'a' /* */ + process",
  'def \\u0070rocess = 1; return \\u0070rocess.exit',
  'return /a/.constructor',
  "return /(?{process.exit()})/.matcher('a').find()",
  "def m = ['constructor': 1, '__proto__': 2, 'toString': 3]; return m.toString.constructor",
  'def l = [1]; l.constructor = 1; return l',
  "def l = [1]; l['length'] = 9; return l",
  'def s = "x"; s.length = 1; return s',
  "params.computeIfAbsent('constructor', x -> x)",
  'def f = Math::constructor; return f',
  '[1].forEach(Object::constructor)',
  '[1].stream().map(String::constructor).collect(Collectors.toList())',
  'return Collections.emptyList().constructor',
  "Map m = [:]; m.put('__proto__', ['polluted': 1]); return m.polluted",
  "try { throw new Exception('x') } catch (Exception e) { return e.constructor }",
  "try { throw new Exception('x') } catch (Exception e) { return e.stack }",
  "try { throw new Exception('x') } catch (Exception e) { return e.getStackTrace()[0].getClass() }",
];

/** What a script must never change: the objects that all of JavaScript shares. */
const shared = (): readonly (readonly string[])[] =>
  [
    globalThis,
    Object.prototype,
    Array.prototype,
    Function.prototype,
    String.prototype,
    Number.prototype,
    Map.prototype,
  ].map((object) => Object.getOwnPropertyNames(object));

/** Values of the variables of a context. */
const frameOf = (context: string): unknown[] =>
  scriptContext(context)!.variables.map(({ name }) => (name === 'params' ? Object.freeze({ x: 1 }) : { x: 1 }));

/** Runs a script, whose result has to be data and whose error one of the API. */
function tryOut(context: string, source: string): void {
  try {
    const script = { lang: 'painless', source, id: null, params: {}, options: {} };
    const result = compile(script, context).call(frameOf(context));
    assert.ok(!['function', 'symbol'].includes(typeof result), `${context}: ${source}`);
    assert.doesNotThrow(() => JSON.stringify(result), `${context}: ${source}`);
  } catch (error) {
    assert.ok(isApiError(error) && error.status < 500, `${context}: ${source}: ${String(error)}`);
  }
}

test('no script reaches an object of JavaScript or a class of Java that is not allowed, in any context', () => {
  const before = shared();
  const contexts = CONTEXT_NAMES.filter((name) => name !== 'template');
  // Each script runs in the plainest context and in one other, in turn: all of them together take a minute.
  for (const [i, source] of ESCAPES.entries())
    for (const context of ['painless_test', contexts[i % contexts.length]!]) tryOut(context, source);
  assert.deepEqual(shared(), before);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('names of JavaScript are keys of maps and nothing else', () => {
  const run = (source: string): unknown =>
    compile({ lang: 'painless', source, id: null, params: {}, options: {} }, 'painless_test').call([{}]);
  for (const name of ['constructor', '__proto__', 'prototype', 'valueOf', 'hasOwnProperty', '__defineGetter__'])
    assert.deepEqual(
      [run(`return params.${name}`), run(`def m = [:]; m.${name} = 1; return m.${name}`)],
      [null, 1],
      name,
    );
});
