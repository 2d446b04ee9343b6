import type { TlsMaterial, TransportOptions, TransportTls } from '@shoal/transport';
import { type AddressFilter, createFilter, type FilterRules, type Ruling } from '../security/ip-filter.js';

/** How links between nodes are protected, as plain data that crosses threads. */
export interface LinkSecurity {
  readonly tls: (Omit<TransportTls, 'material'> & { readonly material: TlsMaterial }) | null;
  readonly filter: FilterRules;
}

/** Hears of each connection that a filter looked at. */
export type TellRuling = (remoteAddress: string, ruling: Ruling) => void;

/** What a transport of this thread asks about each connection. */
export interface LinkGuard {
  readonly options: Pick<TransportOptions, 'tls' | 'accepts'>;
  /**
   * New certificates or rules; they hold for connections that are made from now on. Whether there is TLS at all does
   * not change.
   */
  update(security: LinkSecurity): void;
}

/** Guards the links of a thread with what is in force. */
export function createLinkGuard(initial: LinkSecurity, told: TellRuling): LinkGuard {
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
