import { BitSet } from '../../runtime/bit-set.js';
import { Thrown } from '../../runtime/thrown.js';
import { JavaArray } from '../../runtime/values.js';
import type { AllowTable } from './class-row.js';

function sized(bits: number): BitSet {
  if (bits < 0) throw new Thrown('java.lang.NegativeArraySizeException', `nbits < 0: ${bits}`);
  return new BitSet();
}

/** java.util.BitSet. */
export const BIT_SET: AllowTable = [
  {
    name: 'java.util.BitSet',
    constructors: { '()': () => new BitSet(), '(int)': sized },
    statics: {
      'BitSet valueOf(long[])': (words: JavaArray) => {
        const set = new BitSet();
        words.values.forEach((word, i) => {
          const bits = BigInt.asUintN(64, BigInt(word as bigint));
          for (let bit = 0; bit < 64; bit++) if (((bits >> BigInt(bit)) & 1n) === 1n) set.set(i * 64 + bit);
        });
        return set;
      },
    },
    methods: {
      'void and(BitSet)': (set: BitSet, other: BitSet) => set.combine(other, (a, b) => a & b),
      'void andNot(BitSet)': (set: BitSet, other: BitSet) => set.combine(other, (a, b) => a & ~b),
      'void or(BitSet)': (set: BitSet, other: BitSet) => set.combine(other, (a, b) => a | b),
      'void xor(BitSet)': (set: BitSet, other: BitSet) => set.combine(other, (a, b) => a ^ b),
      'int cardinality()': (set: BitSet) => set.cardinality,
      'void clear()': (set: BitSet) => set.clear(),
      'void clear(int)': (set: BitSet, bit: number) => set.set(bit, false),
      'void clear(int,int)': (set: BitSet, from: number, to: number) =>
        set.range(from, Math.max(from, Math.min(to, set.length)), (bit) => set.set(bit, false)),
      'def clone()': (set: BitSet) => set.copy(),
      'void flip(int)': (set: BitSet, bit: number) => set.set(bit, !set.get(bit)),
      'void flip(int,int)': (set: BitSet, from: number, to: number) =>
        set.range(from, to, (bit) => set.set(bit, !set.get(bit))),
      'boolean intersects(BitSet)': (set: BitSet, other: BitSet) => set.intersects(other),
      'boolean isEmpty()': (set: BitSet) => set.length === 0,
      'int length()': (set: BitSet) => set.length,
      'int nextClearBit(int)': (set: BitSet, from: number) => set.next(from, false),
      'int nextSetBit(int)': (set: BitSet, from: number) => set.next(from, true),
      'int previousClearBit(int)': (set: BitSet, from: number) => set.previous(from, false),
      'int previousSetBit(int)': (set: BitSet, from: number) => set.previous(from, true),
      'void set(int)': (set: BitSet, bit: number) => set.set(bit),
      'void set(int,int)': (set: BitSet, from: number, to: number) => set.range(from, to, (bit) => set.set(bit)),
      'void set(int,int,boolean)': (set: BitSet, from: number, to: number, value: boolean) =>
        set.range(from, to, (bit) => set.set(bit, value)),
      'int size()': (set: BitSet) => set.size,
      'byte[] toByteArray()': (set: BitSet) =>
        new JavaArray(
          'byte',
          Array.from({ length: Math.ceil(set.length / 8) }, (_, byte) => {
            let bits = 0;
            for (let bit = 0; bit < 8; bit++) if (set.get(byte * 8 + bit)) bits |= 1 << bit;
            return (bits << 24) >> 24;
          }),
        ),
      'long[] toLongArray()': (set: BitSet) => new JavaArray('long', set.longs()),
    },
  },
];
