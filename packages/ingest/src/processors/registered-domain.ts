import { errors } from '@shoal/errors';
import { parse } from 'tldts';
import type { ProcessorType } from '../processor-type.js';

/** Names of hosts are looked up as they are; suffixes of providers (`github.io`) count like those of registries. */
const OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: true };

/** Parts of the name of a host; null if its ending is of no known registry. */
function partsOf(host: string): Record<string, string> | null {
  const { domain, publicSuffix, isIcann, isPrivate } = parse(host, OPTIONS);
  if (publicSuffix === null || (!isIcann && !isPrivate)) return null;
  if (domain === null) return { domain: host, top_level_domain: host };
  const registered = domain.toLowerCase();
  const at = host.lastIndexOf(`.${registered}`);
  return {
    domain: host,
    registered_domain: registered,
    top_level_domain: registered.slice(registered.indexOf('.') + 1),
    ...(at > 0 ? { subdomain: host.slice(0, at) } : {}),
  };
}

/** Splits the name of a host into the domain that somebody registered, what is below it, and the public suffix. */
export const registeredDomain: ProcessorType = {
  name: 'registered_domain',
  parse(config) {
    const field = config.string('field');
    const target = config.stringOr('target_field', '');
    const ignoreMissing = config.boolean('ignore_missing', true);
    const prefix = target === '' ? '' : `${target}.`;
    return (document) => {
      const host = document.text(field, ignoreMissing);
      const parts = host === null ? null : partsOf(host);
      if (parts === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument('unable to set domain information for document');
      }
      for (const [name, value] of Object.entries(parts)) document.set(`${prefix}${name}`, value);
    };
  },
};
