import { grpcWorld } from './test/grpc-world.js';
import { simulatedWorld } from './test/simulated-world.js';
import { transportContract } from './test/transport-contract.js';

transportContract('grpc', grpcWorld);
transportContract('simulated', simulatedWorld);
