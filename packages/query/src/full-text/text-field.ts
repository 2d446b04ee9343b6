import type { FieldType } from '@shoal/mapping';

/** Returns whether the values of a field are analysed text. */
export function isTextField(type: FieldType): boolean {
  return type.indexAnalyzer !== null && type.capabilities.holdsText;
}
