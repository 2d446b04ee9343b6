export { ConfigurationError, loadSettings, type NodeSettings, type SettingSources } from './settings/load-settings.js';
export { NODE_SETTINGS, type NodeSetting } from './settings/node-settings.js';
export { type AssembledNode, type AssembleOptions, assembleNode, type NodeDoors } from './assembly/assemble-node.js';
export { type RunningNode, startNode, type StartOptions } from './assembly/start-node.js';
export { SECURE_SETTINGS, type SecureSetting } from './keystore/secure-settings.js';
