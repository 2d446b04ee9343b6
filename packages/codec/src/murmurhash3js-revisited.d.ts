declare module 'murmurhash3js-revisited' {
  const murmurhash: {
    readonly x86: { hash32(bytes: Uint8Array, seed?: number): number };
    readonly x64: { hash128(bytes: Uint8Array, seed?: number): string };
  };
  export default murmurhash;
}
