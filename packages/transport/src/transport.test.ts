import { grpcWorld } from './contract/grpc-world.js';
import { simulatedWorld } from './contract/simulated-world.js';
import { transportContract } from './contract/transport-contract.js';

transportContract('grpc', grpcWorld);
transportContract('simulated', simulatedWorld);
