export { ConfigurationError, loadSettings, type NodeSettings, type SettingSources } from './settings/load-settings.js';
export { NODE_SETTINGS, type NodeSetting } from './settings/node-settings.js';
export { type AssembledNode, assembleNode, type NodePlan } from './assembly/assemble-node.js';
export type { NodeDoors } from './assembly/node-doors.js';
export { placeHere } from './assembly/place-here.js';
export { type RunningNode, startNode, type StartOptions } from './assembly/start-node.js';
export { SECURE_SETTINGS, type SecureSetting } from './keystore/secure-settings.js';
export { protectNode } from './security/node-protection.js';
export type { PortPair } from './threads/shards-here.js';
