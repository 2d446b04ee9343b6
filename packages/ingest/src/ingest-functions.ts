import { provideIngestFunctions } from '@shoal/script';
import { communityIdOfParts } from './processors/community-id.js';
import { directionOf } from './processors/network-direction.js';
import { uriPartsOf } from './processors/uri-parts.js';

/** Lets scripts of pipelines call what processors do, as `Processors`. */
export function installIngestFunctions(): void {
  provideIngestFunctions({
    uriParts: uriPartsOf,
    networkDirection: directionOf,
    communityId: communityIdOfParts,
  });
}
