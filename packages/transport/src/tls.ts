import tls from 'node:tls';

/** Key, certificates and trusted authorities in PEM. */
export interface TlsMaterial {
  readonly key: string;
  readonly certificate: string;
  /** Null: the authorities that the crypto library comes with. */
  readonly authorities: readonly string[] | null;
}

/** How links are encrypted. */
export interface TransportTls {
  /** Another object once the files were read anew; the next handshake uses it. */
  readonly material: () => TlsMaterial;
  /** Whether who dials has to show a certificate that an authority signed. */
  readonly clientAuthentication: 'none' | 'optional' | 'required';
  /** What is checked of who was dialled: `full` also that its certificate is for the address. */
  readonly verificationMode: 'full' | 'certificate' | 'none';
  readonly minVersion: tls.SecureVersion;
  readonly maxVersion: tls.SecureVersion;
  /** OpenSSL's names, or null for the library's choice. */
  readonly ciphers: string | null;
}

/** Options of a secure context for the material in force. */
export function contextOptions(
  { minVersion, maxVersion, ciphers }: TransportTls,
  { key, certificate, authorities }: TlsMaterial,
): tls.SecureContextOptions {
  return {
    key,
    cert: certificate,
    minVersion,
    maxVersion,
    ...(authorities === null ? {} : { ca: [...authorities] }),
    ...(ciphers === null ? {} : { ciphers }),
  };
}

/** Makes secure contexts, one for each material. */
export function contextsOf(options: TransportTls): () => tls.SecureContext {
  let made: { readonly of: TlsMaterial; readonly context: tls.SecureContext } | null = null;
  return () => {
    const of = options.material();
    if (made?.of !== of) made = { of, context: tls.createSecureContext(contextOptions(options, of)) };
    return made.context;
  };
}
