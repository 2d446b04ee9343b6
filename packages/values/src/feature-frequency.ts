/**
 * Lucene's FeatureField keeps the value of a feature as the frequency of a term: the upper 17 bits of a positive
 * 32-bit float, which has no sign, so that eight bits of the fraction and the one that is implied are left. Frequencies
 * order as the values do.
 */
const FRACTION_BITS_DROPPED = 15;

const bits = new DataView(new ArrayBuffer(4));

/** Returns the frequency that stands for a positive value: that of the next smaller one that can be kept. */
export function frequencyOfFeature(value: number): number {
  bits.setFloat32(0, value);
  return bits.getUint32(0) >>> FRACTION_BITS_DROPPED;
}

/** Returns the value for which a frequency stands. */
export function featureOfFrequency(frequency: number): number {
  bits.setUint32(0, frequency << FRACTION_BITS_DROPPED);
  return bits.getFloat32(0);
}
