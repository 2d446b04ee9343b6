const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);

/** D. Stafford's 64-bit mixer, variant 9 of his blog: by which Elasticsearch partitions numbers. */
export function mix64(value: bigint): bigint {
  let z = u64(value);
  z = u64((z ^ (z >> 32n)) * 0x4cd6944c5cc20b6dn);
  z = u64((z ^ (z >> 29n)) * 0xfc12c5b19d3259e9n);
  return BigInt.asIntN(64, z ^ (z >> 32n));
}
