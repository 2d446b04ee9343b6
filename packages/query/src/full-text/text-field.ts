import type { FieldType } from '@shoal/mapping';

const TEXT_TYPES = ['text', 'match_only_text', 'annotated_text', 'search_as_you_type'];

/** Whether a field's values are texts of many terms. */
export function isTextField(type: FieldType): boolean {
  return type.indexAnalyzer !== null && TEXT_TYPES.includes(type.typeName);
}
