import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { compile } from '../compile.js';
import { installScriptEnvironment, scriptEnvironment } from '../runtime/environment.js';
import { textOf } from '../runtime/java-text.js';

const cannotCast = (from: string, to: string): string =>
  `class java.lang.${from} cannot be cast to class java.lang.${to} (java.lang.${from} and java.lang.${to} are in ` +
  `module java.base of loader 'bootstrap')`;

/** Texts of results and of causes are those that the language gives in Elasticsearch and OpenSearch. */
function run(source: string): string {
  const params = Object.freeze({ x: 1, m: { a: 1 } });
  try {
    const script = { lang: 'painless', source, id: null, params, options: {} };
    return textOf(compile(script, 'painless_test').call([params]));
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.type !== 'script_exception') return `${error.type}: ${error.reason}`;
    const position = error.meta['position'] as { offset: number } | undefined;
    return `${error.reason} at ${position?.offset}: ${error.causedBy?.type}: ${error.causedBy?.reason}`;
  }
}

const RESULTS: readonly (readonly [source: string, result: string])[] = [
  ['2147483647 + 1', '-2147483648'],
  ['int i = 2147483647; i++; return i', '-2147483648'],
  ['Long.MAX_VALUE + 1', '-9223372036854775808'],
  ['Long.MAX_VALUE * 2', '-2'],
  ['9007199254740993L + 0L', '9007199254740993'],
  ['1L << 63', '-9223372036854775808'],
  ['1 << 33', '2'],
  ['-8 >>> 1', '2147483644'],
  ['-8L >>> 60', '15'],
  ['-7 / 2', '-3'],
  ['-7 % 3', '-1'],
  ['7.0 / 0', 'Infinity'],
  ['1.0f / 3', '0.33333334'],
  ['(int)1e20', '2147483647'],
  ['(long)1e30', '9223372036854775807'],
  ['(byte)200', '-56'],
  ["char c = (char)'b'; c + 1", '99'],
  ["'' + 1e7", '1.0E7'],
  ['Math.abs(Integer.MIN_VALUE)', '2.147483648E9'],
  ['Math.round(-2.5)', '-2'],
  ['def x = 1; def y = 2; x / y', '0'],
  ['def x = 2147483647; x + 1', '-2147483648'],
  ['def x = 1; x == 1L', 'true'],
  ['def x = 1; x.equals(1L)', 'false'],
  ["[1,'a',2.5,null,true,[1:2]]", '[1, a, 2.5, null, true, {1=2}]'],
  ['def l = [3,1,2]; l.sort((a,b)->a-b); return l', '[1, 2, 3]'],
  ['[1,2,3,4].sum()', '10.0'],
  ['[1,2,3].hashCode()', '30817'],
  ["def m = ['a':1]; m.b = 2; m.a += 5; return m", '{a=6, b=2}'],
  ["def m = [:]; m.getOrDefault('b',7) + m.computeIfAbsent('c',k->9) + m.merge('a',5,(x,y)->x+y)", '21'],
  ['int f(int x) { return x * 2 } return f(21)', '42'],
  ["'xfoox' =~ /foo/", 'true'],
  ["'abc'.replaceAll(/b/, m -> m.group().toUpperCase())", 'aBc'],
  ["params.nope ?: 'd'", 'd'],
  ['String s = null; s += (String)null; return s', 'nullnull'],
  ['params.nope?.y', 'null'],
  ['try { return 1 / (params.x - 1) } catch (ArithmeticException e) { return e.getMessage() }', '/ by zero'],
  [
    "try { Integer.parseInt('x') } catch (Exception e) { return e.toString() + '|' + e }",
    'java.lang.NumberFormatException: For input string: "x"|java.lang.NumberFormatException: For input string: "x"',
  ],
  ['try { throw new RuntimeException() } catch (Exception e) { return e.toString() }', 'java.lang.RuntimeException'],
  ["def m = [:]; m['__proto__'] = 1; m.constructor = 2; return m", '{__proto__=1, constructor=2}'],
];

test('scripts calculate, compare and print as Java does', () => {
  for (const [source, result] of RESULTS) assert.equal(run(source), result, source);
});

const FAILURES: readonly (readonly [source: string, told: string])[] = [
  ["true ? 1 : 'a'", 'compile error at 7: class_cast_exception: Cannot cast from [int] to [java.lang.Object].'],
  ['true ? [1] : 1', 'compile error at 13: class_cast_exception: Cannot cast from [int] to [java.lang.Object].'],
  [
    "String s = 'a'; s ?: 1",
    'compile error at 21: class_cast_exception: Cannot cast from [int] to [java.lang.Object].',
  ],
  [
    'Integer.valueOf(1) == 1',
    'compile error at 22: class_cast_exception: Cannot cast from [int] to [java.lang.Object].',
  ],
  ["1 == 'a'", 'compile error at 0: class_cast_exception: Cannot cast from [int] to [java.lang.Object].'],
  ['null == 1', 'compile error at 8: class_cast_exception: Cannot cast from [int] to [java.lang.Object].'],
  ['null < 1', 'compile error at 0: class_cast_exception: Cannot cast from [java.lang.Object] to [int].'],
  ['1 & 1.5', 'compile error at 4: class_cast_exception: Cannot cast from [double] to [int].'],
  ['(int)null', 'compile error at 5: illegal_argument_exception: Cannot cast null to a primitive type [int].'],
  ["(int)(def)'a'", 'runtime error at 10: class_cast_exception: cannot explicitly cast def [java.lang.String] to int'],
  ['(Foo)1', 'compile error at 0: illegal_argument_exception: cannot resolve type [Foo]'],
  ['new Foo()', 'compile error at 0: illegal_argument_exception: Not a type [Foo].'],
  ['Math.foo', 'compile error at 4: illegal_argument_exception: field [java.lang.Math, foo] not found'],
  [
    '9999999999999999999L',
    'compile error at 0: illegal_argument_exception: Invalid long constant [9999999999999999999L].',
  ],
  [
    'def x = null; int i = x; i',
    'runtime error at 22: null_pointer_exception: Cannot invoke "Object.getClass()" because "value" is null',
  ],
  [
    'def x = 1; x + null',
    'runtime error at 11: null_pointer_exception: Cannot invoke "Object.getClass()" because "right" is null',
  ],
  [
    'def x = null; -x',
    'runtime error at 14: null_pointer_exception: Cannot invoke "Object.getClass()" because "args[0]" is null',
  ],
  [
    "def x = 'a'; x - 1",
    'runtime error at 13: class_cast_exception: Cannot apply [-] operation to types [java.lang.String] and ' +
      '[java.lang.Integer].',
  ],
  [
    'def x = true; def y = false; x < y',
    'runtime error at 29: class_cast_exception: Cannot apply [<] operation to type [boolean]',
  ],
  [
    'void f() { } f()',
    'compile error at 0: illegal_argument_exception: invalid function definition: found no statements for function ' +
      '[f] with [0] parameters',
  ],
  [
    'int f(int x) { return x } f()',
    'compile error at 26: illegal_argument_exception: Unknown call [f] with [[]] arguments.',
  ],
  ['for (def i : [1]) { return i }', 'compile error at 0: illegal_argument_exception: extraneous foreach loop'],
  [
    'for (def i : [1]) { while (true) { break } }',
    'compile error at 20: illegal_argument_exception: extraneous while loop',
  ],
  ['for (int i = 0; i < 3; i++) { break }', 'compile error at 0: illegal_argument_exception: extraneous for loop'],
  [
    'def x = 1; do { break } while (x == 1)',
    'compile error at 11: illegal_argument_exception: extraneous do-while loop',
  ],
  [
    'try { return 1 } catch (Foo e) { return 2 }',
    'compile error at 17: illegal_argument_exception: invalid catch declaration: cannot resolve type [Foo]',
  ],
  ['1 +', 'compile error at 3: illegal_argument_exception: unexpected end of script.'],
  [
    'return )',
    "compile error at 7: illegal_argument_exception: unexpected token [')'] was expecting one of [{<EOF>, ';'}].",
  ],
  ['y', 'compile error at 0: illegal_argument_exception: cannot resolve symbol [y]'],
  ['int x = 1 / 0', 'compile error at 8: arithmetic_exception: / by zero'],
  [
    "'a'.getClass()",
    'compile error at 3: illegal_argument_exception: member method [java.lang.String, getClass/0] not found',
  ],
  ['Thread.sleep(1)', 'compile error at 6: illegal_argument_exception: cannot resolve symbol [Thread]'],
  [
    'Thread x = null',
    'compile error at 7: illegal_argument_exception: invalid declaration: cannot resolve type [Thread]',
  ],
  ['List l = [1]; int i = l', 'compile error at 22: class_cast_exception: Cannot cast from [java.util.List] to [int].'],
  [
    '2147483648',
    'compile error at 0: illegal_argument_exception: Invalid int constant [2147483648]. If you want ' +
      'a long constant then change it to [2147483648L].',
  ],
  ['1; return 2', 'compile error at 0: illegal_argument_exception: not a statement: numeric constant [1] not used'],
  ['def x = 5L; int y = x', 'runtime error at 20: class_cast_exception: cannot implicitly cast def [long] to int'],
  ['def a = 0; return 2 + (1 / a)', 'runtime error at 23: arithmetic_exception: / by zero'],
  ["def l = [1, 'a']; l.sort(null)", `runtime error at 19: class_cast_exception: ${cannotCast('Integer', 'String')}`],
  ["def l = ['a', 1]; l.sort(null)", `runtime error at 19: class_cast_exception: ${cannotCast('String', 'Integer')}`],
  ["throw new Exception('x')", 'runtime error at 6: exception: x'],
  ["def e = new Exception('x'); throw e", 'runtime error at 28: exception: x'],
  [
    'def l = [:]; for (x in l.a) {x = 1}',
    'runtime error at 24: null_pointer_exception: Cannot invoke "Object.getClass()" because "callArgs[0]" is null',
  ],
  ['continue', 'compile error at 0: illegal_argument_exception: invalid continue statement: not inside loop'],
  ['return 1; return 2', 'compile error at 0: illegal_argument_exception: invalid block: unreachable statement'],
  [
    'new Object()',
    'compile error at 0: illegal_argument_exception: constructor [java.lang.Object, <init>/0] not found',
  ],
  ['def a = [1]; a[3]', 'runtime error at 14: index_out_of_bounds_exception: Index 3 out of bounds for length 1'],
  [
    'for (;;) {}',
    'runtime error at 0: painless_error: The maximum number of statements that can be executed in a ' +
      'loop has been reached.',
  ],
  ['int f(int x) { return f(x + 1) } return f(1)', 'runtime error at 22: stack_overflow_error: null'],
  ["params.put('a', 1)", 'runtime error at 6: unsupported_operation_exception: null'],
  [
    "String s = 'abcdefghij'; for (int i = 0; i < 40; i++) { s += s } return s.length()",
    'runtime error at 56: circuit_breaking_exception: [script] Data too large: a script may make no ' +
      'more than [33554432] bytes',
  ],
];

test('what is wrong is told with its place', () => {
  for (const [source, told] of FAILURES) assert.equal(run(source), told, source);
});

test('no script reaches anything of the process', () => {
  const sources = [
    "''.constructor",
    "'a'.constructor.constructor('return 1')()",
    '[].constructor',
    'params.constructor.x',
    'params.__proto__.x = 1',
    'def f = []; f.__proto__',
    'def m = [:]; m.toString.call(1)',
    'globalThis',
    'process.exit(1)',
    'this.x',
    'def x = params; x.valueOf()',
    '[1].stream',
    "Math.constructor('a')",
    "new Function('a')",
    'def a = new int[1]; a.constructor',
  ];
  for (const source of sources) assert.match(run(source), /^(?:compile|runtime) error|^null$/, source);
  assert.equal(
    run("params.m['__proto__'] = ['y': 1]; return ''.y"),
    'compile error at 43: illegal_argument_exception: field [java.lang.String, y] not found',
  );
  assert.equal(({} as Record<string, unknown>)['y'], undefined);
});

test('a script that calls itself twice, or makes collections walk, ends when its time is over', () => {
  const before = scriptEnvironment();
  let ms = 0;
  installScriptEnvironment({ ...before, nowMs: () => (ms += 60) });
  try {
    const sources = [
      'int g(int x) { return x < 1 ? 0 : g(x - 1) + g(x - 1) } return g(60)',
      'def l = []; for (int i = 0; i < 900; i++) { l.add(i) } for (def x : l) { l.contains(-1) } return 1',
      'def b = BigInteger.valueOf(3).pow(9000); for (int i = 0; i < 900; i++) { b.toString() } return 1',
    ];
    for (const source of sources) assert.match(run(source), /script_timeout: a script may run no longer than/, source);
  } finally {
    installScriptEnvironment(before);
  }
});

test('a chain as deep as it is long is refused where it does not fit', () => {
  assert.match(
    run(`params${'.a'.repeat(20_000)}`),
    /compile error at 0: illegal_argument_exception: The script is nested/,
  );
});

test('operands are written once, however deep they lie: the work of compiling grows with the script alone', () => {
  const depth = 60;
  const chains = [
    `def x = params.x; return x${' + 1.5'.repeat(depth)}`,
    `def x = params.x; return ${'1.5 - ('.repeat(depth)}x${')'.repeat(depth)}`,
    `double d = 1; return params.x${' * d'.repeat(depth)}`,
    `def x = params.x; return ${'('.repeat(depth)}x${' < 2 ? 1 : x)'.repeat(depth)}`,
    `def x = params.x; return ${'(2.5 >= '.repeat(depth)}x${' ? 1 : x)'.repeat(depth)}`,
  ];
  for (const source of chains)
    compile({ lang: 'painless', source, id: null, params: {}, options: {} }, 'painless_test').call([{ x: 1 }]);
});
