/**
 * Preloaded into a server: how long its main thread was busy without a pause, in CPU time of that thread alone, and how much
 * memory it has. Wall-clock time would measure what else the machine does, and `process.cpuUsage` the other threads.
 */
import { openSync, readSync } from 'node:fs';

let now = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
try {
  // Linux: nanoseconds on a CPU, nanoseconds waited for one, how often.
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(64);
  now = () => Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, 64, 0)).split(' ')[0]) / 1000;
} catch {
  // Elsewhere the other threads count too.
}

let last = now();
let longest = 0;
let peak = 0;
const look = () => {
  const at = now();
  longest = Math.max(longest, (at - last) / 1000);
  last = at;
  setTimeout(look, 1).unref();
};
setTimeout(look, 1).unref();
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20).unref();

const send = () => {
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ longest, live: heapUsed + external, rss, peak });
};
process.on('message', (message) => {
  if (message === 'measure') globalThis.gc?.();
  if (message === 'reset') {
    longest = 0;
    peak = 0;
    last = now();
  }
  send();
});
process.channel?.unref();
