import type { JsonObject } from '@shoal/json';

/** Request for profile suggestions: enabled profiles whose user matches `name`, hinted ones first. */
export interface ProfileSuggestion {
  /** Prefixes of words in username, full name or e-mail address; empty matches every user. */
  readonly name: string;
  readonly size: number;
  readonly hintedUids: readonly string[];
  /** Path below `labels` and the values there that rank first; null if not given. */
  readonly hintedLabel: { readonly path: string; readonly values: readonly string[] } | null;
}

const NAME_FIELDS = ['username', 'full_name', 'email'].flatMap((name) =>
  ['', '._2gram', '._3gram'].map((part) => `user_profile.user.${name}${part}`),
);

/** Search body for suggestions, ordered as in 8.12: by score, then latest login. */
export function suggestionQuery({ name, size, hintedUids, hintedLabel }: ProfileSuggestion): JsonObject {
  const hints = [
    ...(hintedUids.length === 0 ? [] : [{ terms: { 'user_profile.uid': hintedUids } }]),
    ...(hintedLabel === null ? [] : [{ terms: { [`user_profile.labels.${hintedLabel.path}`]: hintedLabel.values } }]),
  ];
  return {
    size,
    query: {
      bool: {
        filter: [{ term: { 'user_profile.enabled': true } }],
        ...(name.trim() === ''
          ? {}
          : { must: [{ multi_match: { query: name, type: 'bool_prefix', fields: NAME_FIELDS } }] }),
        ...(hints.length === 0 ? {} : { should: hints, minimum_should_match: 0 }),
      },
    },
    sort: ['_score', { 'user_profile.last_synchronized': { order: 'desc' } }],
  };
}
