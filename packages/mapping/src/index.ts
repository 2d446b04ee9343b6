export type { AccessLimits, FieldGrant } from './access-limits.js';
export { createDocumentScratch, type DocumentScratch, parseDocument } from './document/parse-document.js';
export type { FieldCapabilities } from './field-capabilities.js';
export { NO_CAPABILITIES } from './field-capabilities.js';
export type * from './field-type.js';
export type * from './mapping-api.js';
export { mergeMappings, parseMapping } from './parse-mapping.js';
export { mappingOptions } from './settings.js';
export { fieldFilter, indexFilter, restrictMapping, restrictMappingJson } from './restrict-fields.js';
