import type { TlsMaterial, TransportOptions, TransportTls } from '@shoal/transport';
import { type AddressFilter, createFilter, type FilterRules, type Ruling } from '../security/ip-filter.js';

/** How links between nodes are protected, as plain data that crosses threads. */
export interface LinkSecurity {
  readonly tls: (Omit<TransportTls, 'material'> & { readonly material: TlsMaterial }) | null;
  readonly filter: FilterRules;
}

/** Called for each connection that an address filter allowed or denied. */
export type RulingListener = (remoteAddress: string, ruling: Ruling) => void;

/** TLS material and address filter of this thread's transport; can change while it runs. */
export interface LinkGuard {
  readonly options: Pick<TransportOptions, 'tls' | 'accepts'>;
  /** Sets new certificates and rules for connections that are made from now on. TLS cannot be switched on or off. */
  update(security: LinkSecurity): void;
}

/** Creates the guard of a thread's links. */
export function createLinkGuard(initial: LinkSecurity, told: RulingListener): LinkGuard {
  let current = initial;
  let accepts: AddressFilter = createFilter(initial.filter, told);
  return {
    options: {
      tls: initial.tls === null ? null : { ...initial.tls, material: () => current.tls!.material },
      accepts: (remoteAddress) => accepts(remoteAddress),
    },
    update(security) {
      current = security;
      accepts = createFilter(security.filter, told);
    },
  };
}
