import type { FieldType } from '@shoal/mapping';

/** Whether a field's values are texts of many terms. */
export function isTextField(type: FieldType): boolean {
  return type.indexAnalyzer !== null && type.capabilities.holdsText;
}
