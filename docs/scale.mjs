// What coordinating one tree over many shards costs: node docs/scale.mjs [deposits per second of one shard] [shards...]
// The figures of one deposit are constants of the formats; the rest is arithmetic, and printed as such.
const [perShard = 500, ...given] = process.argv.slice(2).map(Number);
const shards = given.length > 0 ? given : [1, 10, 100, 1000];

const EVERY_SECONDS = 30; // a checkpoint of a shard, while something happens
const NOTE_BYTES = 260; // a signed note with its extension lines
const COSIGNATURE_BYTES = 110;
const HASH_BYTES = 32;
const EVENTS_PER_DEPOSIT = 2; // the package's own, and one share of `state.recorded`

const rows = shards.map((n) => {
  const checkpoints = n / EVERY_SECONDS;
  const leavesPerDay = (n * 86_400) / EVERY_SECONDS;
  const shardLeaves = perShard * EVENTS_PER_DEPOSIT * 86_400 * 365;
  const inShard = Math.ceil(Math.log2(shardLeaves));
  const inTop = Math.ceil(Math.log2(Math.max(2, leavesPerDay * 365)));
  return {
    shards: n,
    'deposits/s': n * perShard,
    'checkpoints/s at the top': round(checkpoints),
    'bytes/s to the top': Math.round(checkpoints * (NOTE_BYTES + COSIGNATURE_BYTES)),
    'top leaves a day': Math.round(leavesPerDay),
    'top log, MB a year': Math.round((leavesPerDay * 365 * NOTE_BYTES) / 1e6),
    'hashes in a proof': inShard + inTop,
    'bytes of a proof': (inShard + inTop) * HASH_BYTES + 2 * NOTE_BYTES,
    'share of writes': `${((checkpoints / (n * perShard * EVENTS_PER_DEPOSIT)) * 100).toFixed(4)} %`,
  };
});

console.log(`One shard takes ${perShard} deposits a second; a proof is for an event of a year ago.`);
console.table(rows);

function round(value) {
  return Math.round(value * 100) / 100;
}
