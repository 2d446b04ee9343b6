import { errors } from '@shoal/errors';
import type { IngestDocument } from '../document.js';
import { isInternal } from '../internal-networks.js';
import type { ProcessorType } from '../processor-type.js';

/** Returns where a connection between two addresses goes, seen from inside some networks. */
export function directionOf(source: string, destination: string, networks: readonly string[]): string {
  const to = isInternal(destination, networks);
  if (isInternal(source, networks)) return to ? 'internal' : 'outbound';
  return to ? 'inbound' : 'external';
}

/** The networks of a field of the document; null if it has none. */
function listed(document: IngestDocument, field: string, ignoreMissing: boolean): readonly string[] | null {
  return document.get(field, ignoreMissing) == null ? null : document.list(field)!.map(String);
}

/** Tells whether a connection goes into, out of, within or outside some networks. */
export const networkDirection: ProcessorType = {
  name: 'network_direction',
  parse(config) {
    const sourceField = config.stringOr('source_ip', 'source.ip');
    const destinationField = config.stringOr('destination_ip', 'destination.ip');
    const target = config.stringOr('target_field', 'network.direction');
    const networks = config.optionalStrings('internal_networks');
    const networksField = config.optionalString('internal_networks_field');
    const ignoreMissing = config.boolean('ignore_missing', true);
    if (networks === null && networksField === null)
      throw config.error('internal_networks', 'or [internal_networks_field] must be specified');
    if (networks !== null && networksField !== null)
      throw config.error(
        'internal_networks',
        'and [internal_networks_field] cannot both be used in the same processor',
      );
    const templates = networks?.map((network) => config.compile('internal_networks', network)) ?? null;
    return (document) => {
      const known =
        templates?.map((template) => template.render(document)) ?? listed(document, networksField!, ignoreMissing);
      const source = known && document.text(sourceField, ignoreMissing);
      const destination = source && document.text(destinationField, ignoreMissing);
      if (known === null || source === null || destination === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument('unable to calculate network direction from document');
      }
      document.set(target, directionOf(source, destination, known));
    };
  },
};
