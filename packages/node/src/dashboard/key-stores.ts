import type { DashboardSettings, KeyStores } from '@shoal/dashboard';

/** Reads the PKCS#12 files of a dashboard. What reads them is loaded only if the settings name one. */
export async function keyStores({ server, cluster }: DashboardSettings): Promise<KeyStores> {
  const sides = [cluster.tls, ...(server.tls === null ? [] : [server.tls])];
  const isNamed = sides.some(
    ({ identity, truststore }) => truststore !== null || (identity !== null && 'path' in identity),
  );
  if (!isNamed) return NONE;
  const { authoritiesOfStore, identityOfStore } = await import('../tls/key-material.js');
  return { identity: identityOfStore, authorities: authoritiesOfStore };
}

const none = (): never => {
  throw new Error('no PKCS#12 file was named');
};
const NONE: KeyStores = { identity: none, authorities: none };
