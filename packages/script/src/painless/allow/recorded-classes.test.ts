import { test } from 'node:test';
import {
  type RecordedErrors,
  type RecordedResults,
  assertErrors,
  assertResults,
} from '../../testing/recorded-scripts.js';

const RESULTS: RecordedResults = [
  [
    "Calendar c = new GregorianCalendar(2024, 1, 29); c.get(Calendar.DAY_OF_YEAR) + ' ' + " +
      "c.get(Calendar.WEEK_OF_YEAR) + ' ' + c.get(Calendar.DAY_OF_WEEK) + ' ' + " +
      "c.get(Calendar.WEEK_OF_MONTH) + ' ' + c.get(Calendar.DAY_OF_WEEK_IN_MONTH)",
    '60 9 5 5 5',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 1, 29); c.add(Calendar.YEAR, 1); ' + 'c.getTime().toString()',
    'Fri Feb 28 00:00:00 UTC 2025',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); c.add(Calendar.MONTH, 1); ' + 'c.getTimeInMillis()',
    '1709202030000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); c.set(Calendar.MONTH, 1); ' +
      'c.set(Calendar.DATE, 5); c.getTimeInMillis()',
    '1707128430000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); c.set(Calendar.MONTH, 1); ' + 'c.getTimeInMillis()',
    '1709374830000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); c.set(Calendar.HOUR, 3); ' + 'c.getTimeInMillis()',
    '1706671230000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); c.set(Calendar.AM_PM, ' +
      'Calendar.PM); c.getTimeInMillis()',
    '1706739630000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); c.set(Calendar.DAY_OF_WEEK, ' +
      '2); c.getTimeInMillis()',
    '1706696430000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); c.set(Calendar.DAY_OF_YEAR, ' +
      '100); c.getTimeInMillis()',
    '1712658030000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); c.set(Calendar.WEEK_OF_YEAR, ' +
      '10); c.getTimeInMillis()',
    '1706696430000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); ' +
      'c.set(Calendar.DAY_OF_WEEK_IN_MONTH, 2); c.getTimeInMillis()',
    '1706696430000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); c.roll(Calendar.DATE, 3); ' + 'c.getTimeInMillis()',
    '1704277230000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); c.roll(Calendar.MONTH, 13); ' + 'c.getTimeInMillis()',
    '1709202030000',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 0, 31, 10, 20, 30); ' +
      "c.getActualMaximum(Calendar.DATE) + ' ' + c.getActualMaximum(Calendar.DAY_OF_YEAR) + ' ' + " +
      "c.getActualMaximum(Calendar.WEEK_OF_YEAR)+ ' ' + c.getMaximum(Calendar.DATE) + ' ' + " +
      'c.getLeastMaximum(Calendar.DATE)',
    '31 366 52 31 28',
  ],
  [
    "Calendar c = Calendar.getInstance(TimeZone.getTimeZone('America/New_York')); " +
      "c.setTimeInMillis(1710054000000L); c.get(Calendar.HOUR_OF_DAY) + ' ' + " +
      "c.get(Calendar.ZONE_OFFSET) + ' ' + c.get(Calendar.DST_OFFSET) + ' ' + " +
      'c.getTimeZone().getID()',
    '3 -18000000 3600000 America/New_York',
  ],
  [
    "Calendar c = Calendar.getInstance(TimeZone.getTimeZone('America/New_York')); " +
      "c.setTimeInMillis(1710054000000L); c.add(Calendar.DATE, 1); c.getTimeInMillis() + ' ' + " +
      'c.get(Calendar.HOUR_OF_DAY)',
    '1710140400000 3',
  ],
  [
    "Calendar c = new GregorianCalendar(2024, 11, 30); c.getWeekYear() + ' ' + " +
      "c.getWeeksInWeekYear() + ' ' + c.get(Calendar.WEEK_OF_YEAR)",
    '2025 52 1',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 11, 30); c.setFirstDayOfWeek(Calendar.MONDAY); ' +
      "c.setMinimalDaysInFirstWeek(4); c.get(Calendar.WEEK_OF_YEAR) + ' ' + c.getWeekYear()",
    '1 2025',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 11, 30); c.getDisplayName(Calendar.MONTH, ' +
      'Calendar.LONG, Locale.ENGLISH) + c.getDisplayName(Calendar.DAY_OF_WEEK, Calendar.SHORT, ' +
      'Locale.ENGLISH)',
    'DecemberMon',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 11, 30); Calendar d = (Calendar)c.clone(); ' +
      "d.add(Calendar.DATE, 1); c.before(d) + ' ' + c.compareTo(d) + ' ' + c.after(d) + ' ' + " +
      'c.equals(d)',
    'true -1 false false',
  ],
  ['Calendar c = new GregorianCalendar(2024, 11, 30); c.toInstant().toString()', '2024-12-30T00:00:00Z'],
  [
    'GregorianCalendar c = new GregorianCalendar(2024, 11, 30); c.toZonedDateTime().getYear() + ' +
      "' ' + c.isLeapYear(2000)",
    '2024 true',
  ],
  ['new Calendar.Builder().setDate(2020, 1, 2).setTimeOfDay(3, 4, 5).build().getTimeInMillis()', '1580612645000'],
  ['new Calendar.Builder().setInstant(5L).build().getTimeInMillis()', '5'],
  [
    'Calendar c = new GregorianCalendar(2024, 1, 29); c.clear(); c.set(2000, 0, 1); ' + 'c.getTimeInMillis()',
    '946684800000',
  ],
  [
    'BitSet b = new BitSet(); b.set(3); b.set(64); b.set(10, 13); b.toString() + ' +
      "b.cardinality() + ' ' + b.length() + ' ' + b.size() + ' ' + b.nextClearBit(10) + ' ' + " +
      "b.nextSetBit(13) + ' ' + b.previousSetBit(63) + ' ' + b.hashCode()",
    '{3, 10, 11, 12, 64}5 65 128 13 64 12 6360',
  ],
  [
    'BitSet b = new BitSet(10); b.set(1); BitSet c = new BitSet(); c.set(1); c.set(2); ' +
      'b.xor(c); b.toString() + b.isEmpty() + b.intersects(c) + b.equals(c)',
    '{2}falsetruefalse',
  ],
  ["BitSet b = BitSet.valueOf(new long[] {5L, -1L}); b.cardinality() + ' ' + b.length()", '66 128'],
  [
    "String.format('%tY-%<tm-%<td %<tH:%<tM:%<tS.%<tL %<tZ %<tz', new def[] {1700000000123L})",
    '2023-11-14 22:13:20.123 UTC +0000',
  ],
  [
    "String.format('%tF %<tT %<tD %<tR %<tr %<tc', new def[] {new Date(1700000000123L)})",
    '2023-11-14 22:13:20 11/14/23 22:13 10:13:20 PM Tue Nov 14 22:13:20 UTC 2023',
  ],
  [
    "String.format('%tB %<tb %<tA %<ta %<tj %<te %<tp %<Tp %<tI %<tl %<tk %<tC %<ty %<tN %<ts " +
      "%<tQ %<TB', new def[] {1700000000123L})",
    'November Nov Tuesday Tue 318 14 pm PM 10 10 22 20 23 123000000 1700000000 1700000000123 ' + 'NOVEMBER',
  ],
  [
    "String.format('%tF %<tT', new def[] {ZonedDateTime.parse('2024-02-29T10:11:12.123456789Z')})",
    '2024-02-29 10:11:12',
  ],
  ["String.format('%tF', new def[] {LocalDate.of(2024, 2, 3)})", '2024-02-03'],
  ["String.format('%12tF|%-12tF|', new def[] {1L, 1L})", '  1970-01-01|1970-01-01  |'],
  ["String.format('%tF', new def[] {null})", 'null'],
  ['[3,1,2].stream().reduce(0, (a, b) -> a + b, (a, b) -> a + b)', '6'],
  ['[3,1,2].stream().collect(ArrayList::new, (l, x) -> l.add(x), (a, b) -> a.addAll(b))', '[3, 1, 2]'],
  ['Stream.builder().add(1).add(2).build().collect(Collectors.toList())', '[1, 2]'],
  ['IntStream.builder().add(1).add(2).build().sum()', '3'],
  [
    "IntStream.concat(IntStream.range(0, 3), IntStream.of(new int[] {7, 8})).sum() + ' ' + " +
      'DoubleStream.empty().count() + LongStream.of(new long[] {1L, 2L}).max().getAsLong()',
    '18 02',
  ],
  ['[[1,2],[3]].stream().flatMapToInt(l -> l.stream().mapToInt(x -> x)).sum()', '6'],
  ['OptionalInt.empty().orElseGet(() -> 5)', '5'],
  ['int f(Function g) { return g.apply(3) } f(((Function)Function.identity()).andThen(x -> x + 1))', '4'],
  [
    'boolean f(BiPredicate p) { return p.negate().and((a, b) -> a != b).or((a, b) -> ' +
      'true).test(1, 2) } f((a, b) -> a == b)',
    'true',
  ],
  ['boolean f(IntPredicate p) { return p.negate().test(2) } f(x -> x == 2)', 'false'],
  [
    "BinaryOperator.minBy(Comparator.naturalOrder()).apply(2, 1) + ' ' + " +
      'BinaryOperator.maxBy(Comparator.naturalOrder()).apply(2, 1)',
    '1 2',
  ],
  [
    'int f(IntUnaryOperator p) { return p.andThen(x -> x * 2).compose(x -> x + 1).applyAsInt(2) ' + '} f(x -> x + 10)',
    '26',
  ],
  ['Predicate.isEqual(5).test(5)', 'true'],
  ['UnaryOperator.identity().apply(4)', '4'],
  [
    "Integer.parseUnsignedInt('4294967295') + ' ' + Integer.toUnsignedLong(-1) + ' ' + " +
      "Integer.toUnsignedString(-1, 16) + ' ' + Long.parseUnsignedLong('18446744073709551615') + " +
      "' ' + Long.toUnsignedString(-1L, 36)",
    '-1 4294967295 ffffffff -1 3w5e11264sgsf',
  ],
  ["Long.parseUnsignedLong('zz', 36)", '1295'],
  [
    "Byte.toUnsignedInt((byte)-1) + ' ' + Short.toUnsignedInt((short)-1) + ' ' + " +
      "Short.reverseBytes((short)258) + ' ' + Boolean.hashCode(true)",
    '255 65535 513 1231',
  ],
  [
    "Character.charCount(65536) + ' ' + Character.isSurrogate((char)55296) + ' ' + " +
      "Character.isIdeographic(20013) + ' ' + Character.toCodePoint((char)55357, (char)56832) + ' " +
      "' + (int)Character.highSurrogate(128512) + ' ' + (int)Character.lowSurrogate(128512)",
    '2 true true 128512 55357 56832',
  ],
  ["try { throw new SecurityException('x') } catch (RuntimeException e) { return e.getMessage() }", 'x'],
  [
    "/a/ixm.flags() + ' ' + /,/.splitAsStream('a,b').collect(Collectors.toList()) + " +
      "Matcher.quoteReplacement('$a\\\\b') + /a/.matcher('a').pattern()",
    '14 [a, b]\\$a\\\\ba',
  ],
  [
    "Normalizer.normalize('é', Normalizer.Form.NFD).length() + ' ' + " +
      "Normalizer.isNormalized('abc', Normalizer.Form.NFC)",
    '2 true',
  ],
  [
    'UUID.nameUUIDFromBytes(new byte[] {1, 2, 3}).toString() + UUID.nameUUIDFromBytes(new ' +
      'byte[] {1, 2, 3}).variant()',
    '5289df73-7df5-3326-bcdd-22597afb1fac2',
  ],
  [
    "Enumeration e = Collections.enumeration([1,2]); e.nextElement() + ' ' + " +
      'e.hasMoreElements() + Collections.list(e)',
    '1 true[2]',
  ],
  ["Collections.lastIndexOfSubList([1,2,1,2], [1,2]) + ' ' + Collections.emptyIterator().hasNext()", '2 false'],
  ['List a = [1,2,3]; Collections.copy(a, [7,8]); a', '[7, 8, 3]'],
  [
    "TreeMap m = new TreeMap(); m.put('b', 1); m.put('a', 2); def c = m.clone(); c.put('c', 1); " + "m + ' ' + c",
    '{a=2, b=1} {a=2, b=1, c=1}',
  ],
  [
    'LinkedHashSet s = new LinkedHashSet(); s.add(2); s.add(1); def c = s.clone(); c.add(0); s ' + "+ ' ' + c",
    '[2, 1] [2, 1, 0]',
  ],
  ["TreeSet s = new TreeSet(); s.add(2); s.add(1); def c = s.clone(); c.add(0); s + ' ' + c", '[1, 2] [0, 1, 2]'],
  ["StringTokenizer t = new StringTokenizer('a b'); t.nextElement() + ' ' + t.hasMoreElements()", 'a true'],
  ["[3,1].stream().sequential().unordered().isParallel() + ' ' + [3,1].stream().iterator().next()", 'false 3'],
  ['int f(IntConsumer g) { g.andThen(x -> x).accept(3); return 1 } f(x -> x)', '1'],
  ['[1,2,3].stream().toArray(Integer[]::new).length', '3'],
];

/** Scripts, the types and the reasons of their errors. */
const ERRORS: RecordedErrors = [
  [
    'Calendar c = new GregorianCalendar(2024, 1, 29); c.setLenient(false); ' +
      'c.set(Calendar.MONTH, 13); c.getTimeInMillis()',
    'illegal_argument_exception',
    'MONTH',
  ],
  [
    'Calendar c = new GregorianCalendar(2024, 1, 29); c.get(99)',
    'array_index_out_of_bounds_exception',
    'Index 99 out of bounds for length 17',
  ],
  [
    'BitSet b = new BitSet(); b.set(3, 6, true); b.flip(4); b.flip(0, 3); b.clear(5); ' +
      'b.toString() + Arrays.toString(b.toLongArray()) + Arrays.toString(b.toByteArray())',
    'illegal_argument_exception',
    'static method [java.util.Arrays, toString/1] not found',
  ],
  ['BitSet b = new BitSet(); b.set(-1); b', 'index_out_of_bounds_exception', 'bitIndex < 0: -1'],
  [
    "String.format('%tH', new def[] {LocalDate.of(2024, 2, 3)})",
    'illegal_format_conversion_exception',
    'H != java.time.LocalDate',
  ],
  ["String.format('%tF', new def[] {'x'})", 'illegal_format_conversion_exception', 'F != java.lang.String'],
  ["String.format('%tx', new def[] {1L})", 'unknown_format_conversion_exception', "Conversion = 'tx'"],
  ["String.format('%tF', new def[] {5})", 'illegal_format_conversion_exception', 'F != java.lang.Integer'],
  ["Optional.empty().orElseThrow(() -> new IllegalArgumentException('x'))", 'illegal_argument_exception', 'x'],
  ["Optional.empty().orElseThrow(() -> new IllegalArgumentException('x'))", 'illegal_argument_exception', 'x'],
  [
    "Integer.parseUnsignedInt('4294967296')",
    'number_format_exception',
    'String value 4294967296 exceeds range of unsigned int.',
  ],
  ["Integer.parseUnsignedInt('12x', 16)", 'number_format_exception', 'For input string: "12x" under radix 16'],
  [
    'List l = [1,2,3]; ListIterator i = l.listIterator(); i.next(); i.set(9); i.next(); ' +
      "i.remove(); i.add(7); l + ' ' + i.nextIndex() + ' ' + i.previousIndex() + ' ' + " +
      "i.hasPrevious() + ' ' + i.previous()",
    'illegal_argument_exception',
    'member method [java.util.ListIterator, previous/0] not found',
  ],
  [
    "List l = [1,2,3]; ListIterator i = l.listIterator(3); i.previous() + ' ' + i.hasNext() + " + 'l.listIterator(9)',
    'illegal_argument_exception',
    'member method [java.util.ListIterator, previous/0] not found',
  ],
  ['List l = [1,2]; ListIterator i = l.listIterator(); i.remove()', 'illegal_state_exception', null],
];

test('calendars, sets of bits, dates in formats, streams and functions do what they do in Java', () => {
  assertResults(RESULTS);
});

test('their errors are those of Java', () => {
  assertErrors(ERRORS);
});
