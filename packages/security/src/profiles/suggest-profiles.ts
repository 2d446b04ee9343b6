import type { JsonObject } from '@shoal/json';

/** Which profiles to suggest: enabled ones of users by that name, those that are hinted at first. */
export interface ProfileSuggestion {
  /** Beginnings of words of user name, full name or e-mail address; empty for everybody. */
  readonly name: string;
  readonly size: number;
  readonly hintedUids: readonly string[];
  /** A label's path below `labels` and its values; null without. */
  readonly hintedLabel: { readonly path: string; readonly values: readonly string[] } | null;
}

const NAME_FIELDS = ['username', 'full_name', 'email'].flatMap((name) =>
  ['', '._2gram', '._3gram'].map((part) => `user_profile.user.${name}${part}`),
);

/** Body of the search for suggestions; the order is that of 8.12: by score, then who logged in last. */
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
