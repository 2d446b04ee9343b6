import tls from 'node:tls';

/** Key, certificates and trusted authorities in PEM. */
export interface TlsMaterial {
  readonly key: string;
  readonly certificate: string;
  /** Null: the CAs that the crypto library contains. */
  readonly authorities: readonly string[] | null;
}

/** Encryption of links. */
export interface TransportTls {
  /** Returns the material; another object after the files were read again. The next handshake uses it. */
  readonly material: () => TlsMaterial;
  /** Whether a dialing node must show a certificate signed by a CA. */
  readonly clientAuthentication: 'none' | 'optional' | 'required';
  /** What is checked of the dialed node; `full` checks that its certificate is for the address, too. */
  readonly verificationMode: 'full' | 'certificate' | 'none';
  readonly minVersion: tls.SecureVersion;
  readonly maxVersion: tls.SecureVersion;
  /** OpenSSL's cipher names; null for the library's default. */
  readonly ciphers: string | null;
}

/** Returns the options of a secure context for the current material. */
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

/** Returns a function that creates secure contexts, one for each material. */
export function contextsOf(options: TransportTls): () => tls.SecureContext {
  let made: { readonly of: TlsMaterial; readonly context: tls.SecureContext } | null = null;
  return () => {
    const of = options.material();
    if (made?.of !== of) made = { of, context: tls.createSecureContext(contextOptions(options, of)) };
    return made.context;
  };
}
