import type { JsonObject } from '@shoal/json';
import type { SecurityIndex } from './documents.js';
import { KEYS_MAPPING } from './keys/api-key-record.js';
import { PROFILES_MAPPING } from './profiles/profile-record.js';
import { TOKENS_MAPPING } from './tokens/token-record.js';

/** One shard, a copy on another node as soon as there is one. */
function definition(mappings: JsonObject, alias: string): JsonObject {
  return {
    settings: { 'index.number_of_shards': 1, 'index.auto_expand_replicas': '0-1', 'index.hidden': true },
    mappings,
    aliases: { [alias]: { is_hidden: true } },
  };
}

/** Bodies that create the restricted indices, by name. */
export const SECURITY_INDICES: Readonly<Record<SecurityIndex, JsonObject>> = {
  '.security-7': definition(KEYS_MAPPING, '.security'),
  '.security-profile-8': definition(PROFILES_MAPPING, '.security-profile'),
  '.security-tokens-7': definition(TOKENS_MAPPING, '.security-tokens'),
};
