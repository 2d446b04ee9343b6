// Scripts for the fuzzers: real ones to be damaged, and random ones of the grammar.

/** Scripts that compile. */
export const SCRIPTS = [
  "def m = ['a': 1, 'b': [1, 2.5, 'x', null]]; m.c = m.b.size(); for (k in m.keySet()) { m[k] = k + 1 } return m",
  'int f(int x) { if (x < 2) return 1; return f(x - 1) * x } long s = 0L; for (int i = 0; i < 10; ++i) { s += f(i) } s',
  'List l = [3, 1, 2]; l.sort((a, b) -> b - a); l.removeIf(x -> x == 1); return l.stream().map(x -> x ' +
    '* 2).collect(Collectors.toList())',
  'try { return 1 / (params.x - 1) } catch (ArithmeticException e) { return e.getMessage() } catch ' +
    '(Exception e) { throw e }',
  "String t = 'abc'; t += 1 + 'd'; if (t =~ /b(c)/) { return t.replaceAll(/b/, m -> " +
    'm.group().toUpperCase()) } return t',
  'def x = params.m?.a ?: 7; x++; x -= 2L; x *= 1.5; x = (int)x << 3 | 5 & ~x ^ 2; return x instanceof ' +
    'Integer ? x : x.toString()',
  'int[] a = new int[] {1, 2, 3}; a[-1] = 5; def[][] b = new def[2][3]; b[0][1] = a; return a.length + b.length',
  'while (true) { if (params.x++ > 3) { break } continue } do { params.x-- } while (params.x > 0)',
  "Map m = new TreeMap(); m.put('b', 1); m.computeIfAbsent('a', k -> k.length()); m.merge('b', 4, (p, q) -> p + q); m",
  "StringBuilder s = new StringBuilder(); for (def i : [1, 2L, 3.0f, (byte)4, 'c']) { " +
    "s.append(i).append(' ') } s.toString()",
  '[1, 2, 3].stream().filter(x -> x > 1).mapToInt(Integer::intValue).sum() + Math.max(1, 2L) + ' +
    "Long.MAX_VALUE * 3 + 'x'.hashCode()",
];

const NAMES = ['a', 'b', 'x', 'params', 'l', 'm'];
const VARIABLES = NAMES.filter((name) => name !== 'params');
const LITERALS = [
  '0',
  '1',
  '-1',
  '2147483647',
  '9223372036854775807L',
  '1.5',
  '1e30',
  '2f',
  "'s'",
  "''",
  'true',
  'null',
  '0x1F',
  '[]',
  '[:]',
  "['k':1]",
  '[1,2]',
  '/a+/',
];
const OPERATORS = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '<<',
  '>>',
  '>>>',
  '&',
  '|',
  '^',
  '<',
  '<=',
  '==',
  '!=',
  '===',
  '&&',
  '||',
  '?:',
  '=~',
];
const METHODS = [
  'size()',
  'get(0)',
  'add(1)',
  'length()',
  'toString()',
  'hashCode()',
  "put('z', 1)",
  'stream()',
  'sort(null)',
  'equals(1)',
  'substring(1)',
  'keySet()',
  'forEach(q -> q)',
  'remove(0)',
  'k',
  '0',
];
const CALLS = METHODS.filter((method) => method.includes('('));
const TYPES = ['def', 'int', 'long', 'double', 'String', 'List', 'Map', 'boolean', 'char', 'Object', 'int[]', 'float'];

function expression(random, depth) {
  if (depth <= 0) return random.pick(random.chance(0.75) ? NAMES : LITERALS);
  const inner = () => expression(random, depth - 1);
  const forms = [
    () => `(${inner()} ${random.pick(OPERATORS)} ${inner()})`,
    () => `${inner()}.${random.pick(METHODS)}`,
    () => `${inner()}[${inner()}]`,
    () => `(${random.pick(TYPES)})${inner()}`,
    () => `(${inner()} ? ${inner()} : ${inner()})`,
    () => `[${inner()}, ${inner()}]`,
    () => `(${random.pick(VARIABLES)} ${random.pick(['=', '+=', '*=', '|='])} ${inner()})`,
    () => `Math.${random.pick(['abs', 'sqrt', 'round'])}(${inner()})`,
    () => `${random.pick(['-', '-', '!', '~'])}${inner()}`,
    () => random.pick(LITERALS),
  ];
  return random.pick(forms)();
}

function statement(random, depth) {
  const value = () => expression(random, depth);
  const inner = () => (depth > 0 ? statement(random, depth - 1) : `${value()};`);
  const forms = [
    () => `${random.pick(VARIABLES)} = ${value()};`,
    () => `${random.pick(VARIABLES)} = ${value()};`,
    () => `${value()}.${random.pick(CALLS)};`,
    () => `if (${value()} ${random.pick(['==', '!=', '<'])} ${value()}) { ${inner()} } else { ${inner()} }`,
    () => `for (def y${depth} : ${value()}) { ${inner()} }`,
    () => `for (int i${depth} = 0; i${depth} < 3; ++i${depth}) { ${inner()} }`,
    () => `try { ${inner()} } catch (Exception e${depth}) { ${inner()} }`,
    () => `l.removeIf(q${depth} -> ${value()} == q${depth});`,
    () => `while (${value()} != null) { ${inner()} break; }`,
  ];
  return random.pick(forms)();
}

/** A random script: mostly one that the checker or its run refuses. */
export function randomScript(random) {
  const declared = VARIABLES.map((name) => `${random.pick(TYPES)} ${name} = ${random.pick(LITERALS)};`);
  const isDef = random.chance(0.9);
  const head = isDef ? declared.map((line) => line.replace(/^\S+/, 'def')) : declared;
  const body = Array.from({ length: 1 + random.below(3) }, () => statement(random, 2));
  return `${head.join(' ')} ${body.join(' ')} return ${expression(random, 2)};`;
}
