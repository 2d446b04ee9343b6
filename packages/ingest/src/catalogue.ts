import type { ProcessorType } from './processor-type.js';
import { append } from './processors/append.js';
import { bytes } from './processors/bytes.js';
import { circle } from './processors/circle.js';
import { communityId } from './processors/community-id.js';
import { convert } from './processors/convert.js';
import { csv } from './processors/csv.js';
import { date } from './processors/date.js';
import { dateIndexName } from './processors/date-index-name.js';
import { dissect } from './processors/dissect.js';
import { dotExpander } from './processors/dot-expander.js';
import { drop } from './processors/drop.js';
import { enrich } from './processors/enrich.js';
import { fail } from './processors/fail.js';
import { fingerprint } from './processors/fingerprint.js';
import { foreach } from './processors/foreach.js';
import { geoGrid } from './processors/geo-grid.js';
import { geoip } from './processors/geoip.js';
import { grok } from './processors/grok.js';
import { gsub } from './processors/gsub.js';
import { htmlStrip } from './processors/html-strip.js';
import { inference } from './processors/inference.js';
import { join } from './processors/join.js';
import { json } from './processors/json.js';
import { kv } from './processors/kv.js';
import { lowercase } from './processors/lowercase.js';
import { networkDirection } from './processors/network-direction.js';
import { pipeline } from './processors/pipeline.js';
import { redact } from './processors/redact.js';
import { registeredDomain } from './processors/registered-domain.js';
import { remove } from './processors/remove.js';
import { rename } from './processors/rename.js';
import { reroute } from './processors/reroute.js';
import { script } from './processors/script.js';
import { set } from './processors/set.js';
import { setSecurityUser } from './processors/set-security-user.js';
import { sort } from './processors/sort.js';
import { split } from './processors/split.js';
import { trim } from './processors/trim.js';
import { uppercase } from './processors/uppercase.js';
import { uriParts } from './processors/uri-parts.js';
import { urldecode } from './processors/urldecode.js';
import { userAgent } from './processors/user-agent.js';

const all: readonly ProcessorType[] = [
  append,
  bytes,
  circle,
  communityId,
  convert,
  csv,
  date,
  dateIndexName,
  dissect,
  dotExpander,
  drop,
  enrich,
  fail,
  fingerprint,
  foreach,
  geoGrid,
  geoip,
  grok,
  gsub,
  htmlStrip,
  inference,
  join,
  json,
  kv,
  lowercase,
  networkDirection,
  pipeline,
  redact,
  registeredDomain,
  remove,
  rename,
  reroute,
  script,
  set,
  setSecurityUser,
  sort,
  split,
  trim,
  uppercase,
  uriParts,
  urldecode,
  userAgent,
];

/** Types of processors by name. */
export const catalogue: ReadonlyMap<string, ProcessorType> = new Map(all.map((type) => [type.name, type]));
