/** Edge values of Java's numeric types, as expressions of scripts. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  byte: ['(byte)-128', '(byte)-1', '(byte)0', '(byte)7', '(byte)127'],
  short: ['(short)-32768', '(short)-1', '(short)0', '(short)300', '(short)32767'],
  char: ['(char)0', "(char)'a'", '(char)255', '(char)32767', '(char)65535'],
  int: ['-2147483648', '-129', '-1', '0', '7', '40000', '2147483647'],
  long: [...['-9223372036854775808L', '-2147483649L', '-1L', '0L', '7L', '9007199254740993L'], '9223372036854775807L'],
  float: ['-3.4028234E38f', '-1.5f', '-0.0f', '0.0f', '1.0E-45f', '16777216f', '2.5f', '3.4028234E38f'],
  double: [
    ...['-1.7976931348623157E308', '-1.5', '-0.0', '0.0', '4.9E-324', '0.1', '9.007199254740992E15'],
    '1.7976931348623157E308',
  ],
};
const TYPES = Object.keys(VALUES);
const ARITHMETIC = ['+', '-', '*', '/', '%', '<<', '>>', '>>>', '&', '|', '^'];
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];
const BOXED = ['Byte', 'Short', 'Character', 'Integer', 'Long', 'Float', 'Double', 'Boolean'];
const TARGETS = [...TYPES, 'boolean', ...BOXED, 'def', 'String', 'Object', 'Number'];

/** A script of the table: what it tries, and its text. It returns a list of texts, one for each value or pair. */
export type JavaRow = readonly [label: string, source: string];

const CAUGHT = 'catch (ArithmeticException e) { l.add(e.getMessage()) }';

function script(parameters: string, body: string, calls: readonly (readonly string[])[]): string {
  const all = calls.map((args) => `f(l, ${args.join(', ')});`).join(' ');
  return `void f(List l, ${parameters}) { ${body} } List l = []; ${all} return l`;
}

const valuesOf = (type: string): readonly string[] => (type === 'boolean' ? ['true', 'false'] : VALUES[type]!);
const each = (type: string): readonly (readonly string[])[] => valuesOf(type).map((value) => [value]);

function* operators(): Generator<JavaRow> {
  for (const op of [...ARITHMETIC, ...COMPARISONS])
    for (const a of TYPES)
      for (const b of TYPES) {
        const pairs = valuesOf(a).flatMap((x) => valuesOf(b).map((y) => [x, y]));
        const body = `try { l.add('' + (x ${op} y)) } ${CAUGHT}`;
        yield [`${a} ${op} ${b}`, script(`${a} x, ${b} y`, body, pairs)];
        yield [`boxed ${a} ${op} ${b}`, script('def x, def y', body, pairs)];
      }
}

function* signs(): Generator<JavaRow> {
  for (const op of ['-', '+', '~'])
    for (const a of TYPES) {
      yield [`${op}${a}`, script(`${a} x`, `l.add('' + (${op}x))`, each(a))];
      yield [`boxed ${op}${a}`, script('def x', `l.add('' + (${op}x))`, each(a))];
    }
}

function* casts(): Generator<JavaRow> {
  for (const a of [...TYPES, 'boolean'])
    for (const to of TARGETS) {
      yield [`(${to})${a}`, script(`${a} x`, `l.add('' + (${to})x)`, each(a))];
      yield [`boxed (${to})${a}`, script('def x', `l.add('' + (${to})x)`, each(a))];
      yield [`${to} = ${a}`, script(`${a} x`, `${to} y = x; l.add('' + y)`, each(a))];
      yield [`boxed ${to} = ${a}`, script('def x', `${to} y = x; l.add('' + y)`, each(a))];
    }
}

function* assignments(): Generator<JavaRow> {
  for (const op of ARITHMETIC)
    for (const a of TYPES)
      for (const b of TYPES) {
        const pairs = valuesOf(b).map((y) => [valuesOf(a).at(-2)!, y]);
        yield [`${a} ${op}= ${b}`, script(`${a} x, ${b} y`, `try { x ${op}= y; l.add('' + x) } ${CAUGHT}`, pairs)];
      }
  for (const a of TYPES)
    for (const step of ['x++', '++x', 'x--', '--x'])
      yield [`${a} ${step}`, script(`${a} x`, `def r = ${step}; l.add(r + ' ' + x)`, each(a))];
}

/** Scripts that try all operators and casts on edge values of all numeric types, and on their boxes. */
export function javaTable(): readonly JavaRow[] {
  return [...operators(), ...signs(), ...casts(), ...assignments()];
}
