/** What a process has used, from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

const NS_PER_US = 1_000;
/** `getconf CLK_TCK` is 100 on every Linux that Node runs on. */
const US_PER_TICK = 10_000;

/** CPU time of all threads, microseconds: to the nanosecond where the scheduler keeps statistics, else in ticks of 10 ms. */
export function cpuUs(pid) {
  try {
    let total = 0;
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      total += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    }
    if (total > 0) return total / NS_PER_US;
  } catch {
    // A thread ended in between, or there are no such statistics.
  }
  return ticksOf(pid) * US_PER_TICK;
}

function ticksOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may hold spaces; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

export function residentMb(pid) {
  const [, kb = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1_024;
}

/** Watches the resident memory until `stop`, which returns the peak in MB. */
export function watchMemory(pid) {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, residentMb(pid))), 50);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.max(peak, residentMb(pid));
    },
  };
}
