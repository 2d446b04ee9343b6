import type { Random } from '@shoal/doors';
import type { TlsMaterial, TransportOptions, TransportTls } from '@shoal/transport';
import { type AddressFilter, createFilter, type FilterRules, type Ruling } from '../security/ip-filter.js';

/** What a node shows to others before a link is open, and asks of them. */
export interface MembershipProof {
  readonly isSecured: boolean;
  /** Key made of the secret of the cluster, hexadecimal; null if links need none. */
  readonly key: string | null;
  readonly admitsEarlier: boolean;
}

/** How links between nodes are protected, as plain data that crosses threads. */
export interface LinkSecurity {
  /** Does not change while the node runs. */
  readonly proof: MembershipProof;
  readonly tls: (Omit<TransportTls, 'material'> & { readonly material: TlsMaterial }) | null;
  readonly filter: FilterRules;
}

/** Called for each connection that an address filter allowed or denied. */
export type RulingListener = (remoteAddress: string, ruling: Ruling) => void;

/** Options of a transport that protect its links. */
export type LinkProtection = Pick<TransportOptions, 'tls' | 'accepts' | 'membership'>;

/** TLS material and address filter of this thread's transport; can change while it runs. */
export interface LinkGuard {
  readonly options: LinkProtection;
  /** Sets new certificates and rules for connections that are made from now on. TLS cannot be switched on or off. */
  update(security: LinkSecurity): void;
}

const NONCE_BYTES = 16;

/** Creates the guard of a thread's links. */
export function createLinkGuard(initial: LinkSecurity, told: RulingListener, random: Random): LinkGuard {
  const { key, ...proof } = initial.proof;
  let current = initial;
  let accepts: AddressFilter = createFilter(initial.filter, told);
  return {
    options: {
      tls: initial.tls === null ? null : { ...initial.tls, material: () => current.tls!.material },
      accepts: (remoteAddress) => accepts(remoteAddress),
      membership: {
        ...proof,
        key: key === null ? null : Buffer.from(key, 'hex'),
        nonce: () => random.bytes(NONCE_BYTES),
      },
    },
    update(security) {
      current = security;
      accepts = createFilter(security.filter, told);
    },
  };
}
