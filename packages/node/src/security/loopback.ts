/** Whether an address is reached from the same machine only. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}
