/** Node's implementations of the kernel's interfaces. */
export { ed25519 } from './ed25519.ts';
export { nodeHasher } from './node-hasher.ts';
export { nodeRandom } from './node-random.ts';
export { writePrivateFile } from './private-file.ts';
export { systemClock } from './system-clock.ts';
